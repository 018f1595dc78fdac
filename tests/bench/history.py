"""Measure a nightly run against a year of earlier ones, made synthetically, and print a table.

    python tests/bench/history.py [--runs N] [--identities N] [--records N] [--keep DIR]

An earlier run is a manifest and identity indexes of random keys, `identities` rows in all runs together, among them
`SHARED` of the nightly run's own in each index. The records are those of `assay sample`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from bench import Measured, measure

from pipeline.history.known import History, open_history
from pipeline.manifest import manifest_bytes
from pipeline.publish import MANIFEST, SUMS, checksums
from transforms.digests import file_sha256
from transforms.identities.merge import ROW_GROUP_ROWS
from transforms.identities.table import identity_joins, index_path, index_schema
from transforms.joins.join import KEY_BYTES, Join
from transforms.parquet import write_parquet
from transforms.terms import StreamTerms

KIND = "pairwise-v2"
SHARED = 100
ASSAY = (sys.executable, "-m", "pipeline")


def write_night(folder: Path, number: int, rows: int, like: Path) -> Path:
    """A run of random identities, `rows` for each join, with some of the run `like`."""
    manifest = json.loads((like / MANIFEST).read_bytes())
    outputs = []
    for at, join in enumerate(identity_joins(KIND)):
        path = folder / index_path(KIND, join)
        path.parent.mkdir(parents=True, exist_ok=True)
        table = identities(np.random.default_rng([number, at]), join, rows, like / index_path(KIND, join))
        write_parquet(path, index_schema(join), [table], row_group_rows=ROW_GROUP_ROWS)
        size, sha256 = path.stat().st_size, file_sha256(path)
        outputs.append({"path": index_path(KIND, join), "bytes": size, "sha256": sha256, "rows": rows})
    manifest |= {"run_id": folder.name, "outputs": sorted(outputs, key=lambda row: str(row["path"]))}
    data = manifest_bytes(manifest)
    (folder / MANIFEST).write_bytes(data)
    (folder / SUMS).write_bytes(checksums(manifest, data))
    return folder


def identities(random: np.random.Generator, join: Join, rows: int, like: Path) -> pa.Table:
    """Sorted rows of an index: random ones, and `SHARED` of the index `like`."""
    own = pq.read_table(like, partitioning=None)
    own = own.take(pa.array(random.choice(own.num_rows, SHARED, replace=False)))
    count = rows - SHARED
    columns: dict[str, Any] = {"key": fixed(random, count, KEY_BYTES)}
    if join.payload_bytes:
        columns["payload"] = fixed(random, count, join.payload_bytes)
    columns |= {"stream": ["annotations"] * count, "shard": ["annotations-00000.jsonl"] * count}
    made = pa.table(columns | {"line": np.arange(1, count + 1)}, schema=index_schema(join))
    return pa.concat_tables([made, own.cast(index_schema(join))]).sort_by("key").combine_chunks()


def fixed(random: np.random.Generator, count: int, width: int) -> pa.FixedSizeBinaryArray:
    """Random values of `width` bytes."""
    return pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(width), count, [None, pa.py_buffer(random.bytes(count * width))]
    )


def reading(history: History, like: Path, partitions: int) -> Iterator[tuple[str, int, int, int]]:
    """For each join its name, row groups in all, row groups read by all partitions, and rows in all."""
    for join in identity_joins(KIND):
        keys = pq.read_table(like / index_path(KIND, join), columns=["key"], partitioning=None).column("key")
        high = np.array([int.from_bytes(key.as_py()[:8], "big") for key in keys], dtype=np.uint64)
        parts = [np.unique(part) for part in np.array_split(np.sort(high), partitions)]
        indexes = history.indexes[KIND, join.name]
        read = sum(len(index.meeting(part)) for index in indexes for part in parts)
        rows = sum(one.rows for run in history.runs for one in run.checked if one.family[1] == join)
        yield join.name, sum(len(index.least) for index in indexes), read, rows


def row(name: str, measured: Measured) -> str:
    return f"| {name} | {measured.wall:.1f} | {measured.cpu:.1f} | {measured.peak_mb:.0f} |"


def nightly(folder: Path, campaign: Path, name: str, runs: Sequence[Path], *flags: str) -> Measured:
    history = [argument for run in runs for argument in ("--history", str(run))]
    command = (*ASSAY, "run", str(campaign), "--output", str(folder / "out"), "--run-id", name, "--quiet")
    shutil.rmtree(folder / "out" / name, ignore_errors=True)
    return measure(*command, *history, *flags)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--runs", type=int, default=365)
    arguments.add_argument("--identities", type=int, default=50_000_000)
    arguments.add_argument("--records", type=int, default=100_000)
    arguments.add_argument("--keep", type=Path)
    chosen = arguments.parse_args()
    folder = chosen.keep or Path(tempfile.mkdtemp(prefix="assay-history-"))
    campaign = folder / "corpus" / "campaign.json"
    if not campaign.exists():
        command = ("sample", "--output", str(campaign.parent), "--records", str(chosen.records), "--seed", "1")
        measure(*ASSAY, *command)
    alone = nightly(folder, campaign, "alone", ())
    like = folder / "out" / "alone"
    rows = chosen.identities // chosen.runs // len(identity_joins(KIND))
    runs = [folder / f"night-{number:03d}" for number in range(chosen.runs)]
    for number, run in enumerate(runs):
        if not (run / SUMS).exists():
            write_night(run, number, rows, like)
    print("| run | wall s | processor s | peak MB |\n|---|---|---|---|")
    print(row("without history", alone))
    print(row(f"against {chosen.runs} runs", nightly(folder, campaign, "night", runs)))
    two = ("--direct_running_mode=multi_processing", "--direct_num_workers=2")
    print(row("the same, 2 processes", nightly(folder, campaign, "night-2", runs, *two)))
    print("\n| index | rows | row groups | read, all partitions |\n|---|---|---|---|")
    history = open_history(runs, [StreamTerms("annotations", KIND, {})])
    for name, groups, read, total in reading(history, like, 4):
        print(f"| {name} | {total:,} | {groups:,} | {read:,} |")
    if not chosen.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
