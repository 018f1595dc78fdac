"""The campaign with rubrics and its run, made once for all files that look at them and make none of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from acceptance_runs import RECORDS, Rows, decisions, task_of
from commands import assay, run
from golden_campaigns import Ran


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("acceptance") / "sample"
    said = assay("sample", "--acceptance", "--output", folder, "--records", str(RECORDS), "--seed", "1")
    path = folder / "campaign.json"
    assert (said.code, said.out, said.err) == (0, f"{path}\nnext: assay run {path} --output out\n", "")
    return path


@pytest.fixture(scope="session")
def ran(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The campaign, run by the command."""
    return Ran(0, "", run(sample, tmp_path_factory.mktemp("run")))


@pytest.fixture(scope="session")
def rows(sample: Path, ran: Ran) -> Rows:
    """The row of each decision by the name of its task."""
    return {task_of(sample, row): row for row in decisions(ran)}
