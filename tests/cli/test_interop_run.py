"""A run's accepted files are one table, with the shards' own values, to the readers that our users have."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pyarrow.dataset
import pytest
from processes import sample

from pipeline.__main__ import run_command

STREAM, EMPTY = "annotations", "leftovers"
COLUMNS = (
    *("task_id", "ratings.style", "messages[0].role", "golden_patch"),
    *("assay_shard", "assay_line", "assay_record_sha256", "assay_archival_bytes"),
)
Rows = list[tuple[Any, ...]]
Reader = Callable[[Path], Rows]


@dataclass(frozen=True)
class Made:
    """A run of two streams, of which one has nothing accepted; `rows` are the accepted records in their shards."""

    folder: Path
    rows: Rows

    def files(self, stream: str) -> Path:
        return self.folder / "accepted" / stream


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("interop")
    stream = {"kind": "pairwise-v2", "versions": ["pairwise-v2"], "input": "leftovers.jsonl"}
    campaign = sample(folder / "campaign", 400, {"streams": {EMPTY: stream}})
    (campaign.parent / "leftovers.jsonl").write_bytes(b"{}\n[]\n")
    assert run_command(["run", str(campaign), "--output", str(folder), "--run-id", "r", "--quiet"]) == 0
    return Made(folder / "r", list(accepted(campaign.parent / "shards", folder / "r")))


def accepted(shards: Path, run: Path) -> Rows:
    """The rows that a reader must give, by the shards and the lines that the run refuses."""
    refused = set()
    for path in (*run.glob(f"rejected/{STREAM}/*.jsonl"), *run.glob(f"held/{STREAM}/*.jsonl")):
        rows = map(json.loads, path.read_bytes().splitlines())
        refused |= {(row["shard"], row["line"]) for row in rows}
    found = []
    for path in sorted(shards.iterdir()):
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for number, line in enumerate(data.split(b"\n")[:-1], 1):
            if (path.name, number) not in refused:
                value = json.loads(line)
                own = (value["task_id"], value["ratings"]["style"], value["messages"][0]["role"])
                place = (path.name, number, hashlib.sha256(line).hexdigest(), line)
                found.append((*own, value.get("golden_patch"), *place))
    return found


def row(record: dict[str, Any]) -> tuple[Any, ...]:
    """The columns of a record that a reader gives as a dictionary."""
    own = (record["task_id"], record["ratings"]["style"], record["messages"][0]["role"], record["golden_patch"])
    return (*own, *(record[name] for name in COLUMNS[4:]))


def by_arrow(folder: Path) -> Rows:
    return [row(record) for record in pyarrow.dataset.dataset(folder, format="parquet").to_table().to_pylist()]


def by_duckdb(folder: Path) -> Rows:
    # DuckDB counts from 1.
    columns = ", ".join(COLUMNS).replace("[0]", "[1]")
    with duckdb.connect() as connection:
        return connection.sql(f"select {columns} from read_parquet('{folder}/*.parquet')").fetchall()


def by_polars(folder: Path) -> Rows:
    return [row(record) for record in polars.scan_parquet(folder / "*.parquet").collect().to_dicts()]


BY_DATASETS = """
import json, sys
from datasets import load_dataset
table = load_dataset("parquet", data_files=sys.argv[1], split="train", cache_dir=sys.argv[2])
for record in table:
    print(json.dumps({**record, "assay_archival_bytes": record["assay_archival_bytes"].hex()}))
"""


def by_datasets(folder: Path) -> Rows:
    """In a process of its own, since it looks at these variables when it is imported."""
    cache = folder.parent / "cache"
    offline = {"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    command = [sys.executable, "-c", BY_DATASETS, f"{folder}/*.parquet", str(cache)]
    done = subprocess.run(command, env={**os.environ, **offline}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    records = map(json.loads, done.stdout.splitlines())
    return [
        row({**record, "assay_archival_bytes": bytes.fromhex(record["assay_archival_bytes"])}) for record in records
    ]


READERS = [by_arrow, by_duckdb, by_polars, by_datasets]


def in_order(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: row[4:6])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "with an empty file beside"])
def test_the_files_are_one_table(reader: Reader, beside: bool, made: Made, tmp_path: Path) -> None:
    folder = shutil.copytree(made.files(STREAM), tmp_path / "files")
    if beside:
        shutil.copy(made.files(EMPTY) / "empty.parquet", folder)
    assert len(list(folder.iterdir())) > 10
    rows = in_order(reader(folder))
    assert len(rows) > 300
    assert rows == in_order(made.rows)
    assert all(hashlib.sha256(row[7]).hexdigest() == row[6] for row in rows)


def test_an_empty_stream_has_all_columns_and_no_rows(made: Made) -> None:
    (file,) = made.files(EMPTY).iterdir()
    assert file.name == "empty.parquet"
    empty = pyarrow.dataset.dataset(file, format="parquet")
    assert (empty.count_rows(), polars.read_parquet(file).height) == (0, 0)
    full = pyarrow.dataset.dataset(made.files(STREAM), format="parquet")
    assert empty.schema == full.schema
    assert polars.read_parquet_schema(file) == polars.scan_parquet(made.files(STREAM)).collect_schema()
    with duckdb.connect() as connection:
        assert connection.sql(f"from read_parquet('{file}')").fetchall() == []


def test_both_streams_together(made: Made) -> None:
    """All accepted files of a run, whatever their stream, where the streams have one kind."""
    everything = pyarrow.dataset.dataset(made.folder / "accepted", format="parquet")
    assert pa.compute.unique(everything.to_table()["assay_stream"]).to_pylist() == [STREAM]
    with duckdb.connect() as connection:
        found = connection.sql(f"select count(*) from read_parquet('{made.folder}/accepted/**/*.parquet')").fetchall()
    assert found == [(len(made.rows),)]
