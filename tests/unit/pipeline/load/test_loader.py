"""What a loader gives, and what it refuses."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from baseline_records import signed
from baseline_runs import measured, run_of_documents
from loaded_runs import GROUP_ROWS, rows_of, run_in_small_groups
from tampering import cells, seal

from pipeline.committed.run import open_run
from pipeline.exits import Exit, RunError
from pipeline.load import Loader, load
from transforms.records import Outcome, Place

ARCHIVAL = "assay_archival_bytes"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that tests leave as it is."""
    return run_in_small_groups(tmp_path_factory.mktemp("load"))


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def file_of(run: Path, stream: str) -> Path:
    [path] = (run / Outcome.ACCEPTED / stream).iterdir()
    return path


def refused(loader: Loader) -> tuple[Exit, str, int]:
    """The exit code, the reason, and how many rows came before."""
    came = 0
    with pytest.raises(RunError) as raised:
        for batch in loader.batches():
            came += len(batch.rows)
    return raised.value.exit_code, raised.value.reason, came


def test_everything(whole: Path) -> None:
    run = open_run(whole)
    loader, expected = load(run), rows_of(run)
    assert len(loader) == len(expected) > 100
    assert [row for batch in loader.batches() for row in batch.rows.to_pylist()] == expected
    assert list(loader.archival()) == [row[ARCHIVAL] for row in expected]
    records = list(loader.records())
    assert [record.position for record in records] == list(range(len(expected)))
    assert [record.next for record in records] == list(range(1, len(expected) + 1))
    for record, row in zip(records, expected, strict=True):
        assert record.place == Place(row["assay_stream"], row["assay_shard"], row["assay_line"])
        assert (record.sha256, record.value) == (row["assay_record_sha256"], json.loads(row[ARCHIVAL]))


def test_batches_know_their_stream_and_position(whole: Path) -> None:
    position = 0
    for batch in load(str(whole)).batches():
        assert batch.position == position
        assert set(batch.rows.column("assay_stream").to_pylist()) == {batch.stream}
        assert 0 < batch.rows.num_rows <= GROUP_ROWS
        position = batch.next


def test_streams(whole: Path) -> None:
    run = open_run(whole)
    assert list(load(whole, "answers").archival()) == [row[ARCHIVAL] for row in rows_of(run, "answers")]
    # The order is the manifest's, whatever that of the names.
    both = load(whole, ["traces", "answers"])
    assert list(both.archival()) == [row[ARCHIVAL] for row in rows_of(run, "answers", "traces")]
    assert len(load(whole, [])) == 0


def test_columns(whole: Path) -> None:
    run = open_run(whole)
    names = ["task_id", "assay_line", "messages"]
    got = [row for batch in load(run, "annotations").batches(names) for row in batch.rows.to_pylist()]
    assert got == [{name: row[name] for name in names} for row in rows_of(run, "annotations")]
    assert {tuple(batch.rows.schema.names) for batch in load(run, "annotations", records=True).batches(names)} == {
        tuple(names)
    }
    with pytest.raises(RunError) as raised:
        list(load(run, "annotations").batches(["none"]))
    path = file_of(whole, "annotations")
    assert (raised.value.exit_code, raised.value.reason) == (Exit.USAGE, f"{path}: has no column 'none'")


def test_a_limit(whole: Path) -> None:
    everything = list(load(whole).archival())
    assert list(load(whole, limit=5).archival()) == everything[:5]
    assert list(load(whole, start=4, limit=5).archival()) == everything[4:9]
    assert list(load(whole, limit=0).archival()) == []
    assert len(load(whole, limit=10**6)) == len(everything)


def test_documents(tmp_path: Path) -> None:
    run = run_of_documents(tmp_path, {"a.yaml": measured({"model": "small-4"})})
    [record] = load(run).records()
    assert record.value == json.loads(json.dumps(signed(measured({"model": "small-4"}))))


def test_a_stream_with_nothing_accepted(tmp_path: Path) -> None:
    run = run_of_documents(tmp_path, {"a.yaml": {"schemaVersion": "mavai-baseline-1"}})
    loader = load(run)
    assert (len(loader), list(loader.batches()), list(loader.records())) == (0, [], [])
    assert "serviceContractId" in loader.schema().names


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"streams": "none"}, "{run}: has no stream 'none': "),
        ({"shard": (2, 2)}, "no shard 2 of 2: the first is 0, the last 1"),
        ({"shard": (-1, 2)}, "no shard -1 of 2: the first is 0, the last 1"),
        ({"shard": (0, 0)}, "no shard 0 of 0: "),
        ({"start": -1}, "position -1 is not in shard 0 of 1: 0 to "),
        ({"start": 0, "shard": (1, 2)}, "position 0 is not in shard 1 of 2: "),
        ({"start": 10**6}, "position 1000000 is not in shard 0 of 1: 0 to "),
        ({"limit": -1}, "a limit of -1 rows"),
    ],
)
def test_what_cannot_be_asked(whole: Path, asked: dict[str, object], reason: str) -> None:
    with pytest.raises(RunError) as raised:
        load(whole, **asked)  # type: ignore[arg-type]
    assert raised.value.exit_code == Exit.USAGE
    assert raised.value.reason.startswith(reason.format(run=whole))


def test_a_file_that_was_changed(copy: Path) -> None:
    path = file_of(copy, "documents")
    path.write_bytes(path.read_bytes()[:-1] + b"2")
    before = len(load(copy, ["annotations", "answers", "assignments", "conversations", "derivations"]))
    assert refused(load(copy)) == (Exit.INTEGRITY, f"{path}: its SHA-256 is not the listed one", before)
    # Nobody reads it where no row of it is wanted.
    assert len(list(load(copy, limit=before).archival())) == before


def test_files_that_are_skipped_are_not_opened(copy: Path) -> None:
    loader = load(copy, ["annotations", "answers"])
    rows = len(load(copy, "annotations"))
    file_of(copy, "annotations").unlink()
    assert len(list(load(copy, ["annotations", "answers"], start=rows).records())) == len(loader) - rows


def test_a_record_that_was_changed_with_all_digests_of_files(copy: Path) -> None:
    path = file_of(copy, "answers")
    table = pq.read_table(path, partitioning=None)
    pq.write_table(cells(ARCHIVAL, lambda values: [*values[:-1], values[-1] + b" "])(table), path, row_group_size=3)
    seal(copy)
    shard, line = table.column("assay_shard")[-1], table.column("assay_line")[-1]
    reason = f"{path}: the record of {shard} line {line} was changed"
    code, said, came = refused(load(copy, "answers", records=True))
    assert (code, said) == (Exit.INTEGRITY, reason)
    assert came == (len(table) - 1) // GROUP_ROWS * GROUP_ROWS
    with pytest.raises(RunError) as raised:
        list(load(copy, "answers", records=True).records())
    assert raised.value.reason == reason
    assert len(list(load(copy, "answers").records())) == len(table)


def test_rows_that_the_manifest_does_not_count(copy: Path) -> None:
    path = file_of(copy, "answers")
    table = pq.read_table(path, partitioning=None)
    pq.write_table(table.slice(1), path)
    seal(copy)
    reason = f"{path}: {len(table) - 1} rows, listed are {len(table)}"
    assert refused(load(copy, "answers")) == (Exit.INTEGRITY, reason, 0)


def test_bytes_that_are_no_record(copy: Path) -> None:
    path = file_of(copy, "answers")
    table = pq.read_table(path, partitioning=None)
    pq.write_table(cells(ARCHIVAL, lambda values: [b'{"a":1,"a":2}', *values[1:]])(table), path)
    seal(copy)
    with pytest.raises(RunError) as raised:
        list(load(copy, "answers").records())
    assert (raised.value.exit_code, raised.value.reason) == (Exit.INTEGRITY, f"{path}: cannot be read: ValueError")


def test_columns_of_several_streams(whole: Path) -> None:
    with pytest.raises(RunError) as raised:
        load(whole).schema()
    assert raised.value.exit_code == Exit.USAGE


def test_a_loader_travels_to_worker_processes(whole: Path) -> None:
    loader = pickle.loads(pickle.dumps(load(whole, "answers", shard=(1, 2))))
    assert list(loader.records()) == list(load(whole, "answers", shard=(1, 2)).records())


def test_no_columns_are_rows_all_the_same(whole: Path) -> None:
    assert sum(batch.rows.num_rows for batch in load(whole).batches([])) == len(load(whole))
