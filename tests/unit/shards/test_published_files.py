"""Files of an earlier run, read as shards."""

from __future__ import annotations

from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from transforms.digests import sha256_hex
from transforms.records import Line, Origin, Place, Shard, Syntax
from transforms.shards.faults import UnreadableShard
from transforms.shards.published import PublishedBlock, read_published
from transforms.terms import Limits

LIMITS = Limits(max_record_bytes=64)
RECORDS = (b'{"a":1}', b'{"a":2}')


def block(path: Path, rows: int, **members: object) -> PublishedBlock:
    data = path.read_bytes()
    shard = Shard("s", "run-1/accepted/s/a.parquet", "a", str(path), len(data))
    return PublishedBlock(shard, "run-1", sha256_hex(data), rows, path.suffix == ".parquet", **members)  # type: ignore[arg-type]


def accepted(path: Path, **more: list[object]) -> Path:
    columns = {
        "assay_shard": ["x.yaml", "y.json"],
        "assay_line": [7, 9],
        "assay_record_sha256": [sha256_hex(data) for data in RECORDS],
        "assay_archival_bytes": list(RECORDS),
        **more,
    }
    pq.write_table(pa.table(columns), path / "a.parquet")
    return path / "a.parquet"


def refused(path: Path, *rows: dict[str, object]) -> Path:
    file = path / "a.jsonl"
    file.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    return file


def line(number: int, data: bytes, origin: Origin, **members: object) -> Line:
    return Line(number, 0, len(data), data, False, sha256_hex(data), origin=origin, **members)  # type: ignore[arg-type]


def test_accepted_records(tmp_path: Path) -> None:
    path = accepted(tmp_path)
    seen: list[int] = []
    one, other = Origin("run-1", "x.yaml", 7), Origin("run-1", "y.json", 9)
    lines = [line(1, RECORDS[0], one), line(2, RECORDS[1], other)]
    assert list(read_published(block(path, 2), LIMITS, seen.append)) == lines
    assert seen == [path.stat().st_size]
    read = read_published(block(path, 2, documents=True, version="qa-v1", judged=True), LIMITS)
    assert [(row.syntax, row.version, row.is_judged) for row in read] == [
        (Syntax.YAML, "qa-v1", True),
        (Syntax.JSON, "qa-v1", True),
    ]
    read = read_published(block(path, 2, documents=True, canonical=True), LIMITS)
    assert [row.syntax for row in read] == [Syntax.JSON, Syntax.JSON]


def test_an_origin_is_carried_on(tmp_path: Path) -> None:
    path = accepted(
        tmp_path, assay_origin_run=["run-0", None], assay_origin_shard=["z", None], assay_origin_line=[3, None]
    )
    origins = [row.origin for row in read_published(block(path, 2), LIMITS)]
    assert origins == [Origin("run-0", "z", 3), Origin("run-1", "y.json", 9)]


@pytest.mark.parametrize(
    ("members", "read"),
    [
        ({}, [RECORDS[0], RECORDS[1]]),
        ({"migrates": frozenset({"v1"})}, [b"old", RECORDS[1]]),
        ({"migrates": frozenset({"v0"})}, [RECORDS[0], RECORDS[1]]),
    ],
)
def test_migrated_records(members: dict[str, object], read: list[bytes], tmp_path: Path) -> None:
    path = accepted(
        tmp_path,
        assay_source_bytes=[b"old", None],
        assay_source_sha256=[sha256_hex(b"old"), None],
        assay_source_version=["v1", None],
    )
    assert [row.data for row in read_published(block(path, 2, **members), LIMITS)] == read


def test_refused_records(tmp_path: Path) -> None:
    place = {"shard": "x", "line": 7, "byte_length": 900}
    long = b"x" * 65
    path = refused(
        tmp_path,
        {**place, "record_sha256": sha256_hex(b"x"), "raw": "x", "read_as": "v0"},
        {**place, "record_sha256": sha256_hex(b"\xff"), "raw_base64": "/w=="},
        {**place, "record_sha256": "0" * 64, "raw": "xx", "raw_truncated": True},
        {**place, "record_sha256": "1" * 64, "origin": {"run": "run-0", "shard": "z", "line": 3}},
        {**place, "record_sha256": sha256_hex(long), "raw": long.decode()},
        {**place, "record_sha256": sha256_hex(b""), "raw": ""},
    )
    one = Origin("run-1", "x", 7)
    assert list(read_published(block(path, 6), LIMITS)) == [
        line(1, b"x", one, version="v0"),
        line(2, b"\xff", one),
        Line(3, 0, 900, b"xx", True, "0" * 64, origin=one),
        Line(4, 0, 900, b"", True, "1" * 64, origin=Origin("run-0", "z", 3)),
        Line(5, 0, 65, long, True, sha256_hex(long), origin=one),
        line(6, b"", one),
    ]


def test_places(tmp_path: Path) -> None:
    own = block(accepted(tmp_path), 2)
    assert own.place(1) == Place("s", "run-1/accepted/s/a.parquet", 2)
    assert own.position(own.place(1)) == 1
    assert own.stem.startswith("run-1_accepted_s_a.parquet-")


@pytest.mark.parametrize(
    ("rows", "change", "reason"),
    [
        (3, lambda path: None, "2 records, listed are 3"),
        (2, lambda path: path.write_bytes(b"PAR1"), "its SHA-256 is not the listed one"),
        (2, lambda path: (path.unlink(), path.mkdir()), None),
    ],
)
def test_what_is_not_as_listed(rows: int, change: object, reason: str | None, tmp_path: Path) -> None:
    own = block(accepted(tmp_path), rows)
    change(tmp_path / "a.parquet")  # type: ignore[operator]
    with pytest.raises(UnreadableShard if reason else OSError, match=reason):
        list(read_published(own, LIMITS))


@pytest.mark.parametrize(
    "row",
    [b"[]", b"{}", b"no JSON", b'{"shard":"x","line":1,"record_sha256":"","raw_base64":"?","byte_length":1}'],
)
def test_what_cannot_be_read(row: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(row + b"\n")
    with pytest.raises(UnreadableShard, match="cannot be read"):
        list(read_published(block(path, 1), LIMITS))


def test_a_changed_record(tmp_path: Path) -> None:
    path = accepted(tmp_path, assay_record_sha256=[sha256_hex(RECORDS[0]), sha256_hex(b"{}")])
    with pytest.raises(UnreadableShard, match="the record of line 2 was changed"):
        list(read_published(block(path, 2), LIMITS))
