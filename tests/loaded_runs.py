"""A committed run of several streams whose files have several row groups, and what stands in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from golden_campaigns import by_plain_functions
from source_tree import ROOT
from tampering import seal

from pipeline.committed.run import Run
from transforms.records import Outcome

GROUP_ROWS = 3


def run_in_small_groups(output: Path) -> Path:
    """A run of the sample campaign of all kinds, each accepted file in row groups of GROUP_ROWS; its folder."""
    folder = by_plain_functions(ROOT / "manifests" / "kinds" / "campaign.json", output).folder
    for path in sorted((folder / Outcome.ACCEPTED).glob("*/*.parquet")):
        pq.write_table(pq.read_table(path, partitioning=None), path, row_group_size=GROUP_ROWS)
    seal(folder)
    return folder


def rows_of(run: Run, *streams: str) -> list[dict[str, Any]]:
    """All accepted rows of these streams (of all, if none is named), read without the code under test."""
    paths = [output.path for output in run.outputs if output.folder == Outcome.ACCEPTED]
    chosen = [path for path in paths if not streams or path.split("/")[1] in streams]
    return [row for path in chosen for row in pq.read_table(run.folder / path, partitioning=None).to_pylist()]
