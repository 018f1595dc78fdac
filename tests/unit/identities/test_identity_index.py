"""Identity indexes: what is written, in which order, and how little of it is read."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from transforms.identities import merge
from transforms.identities.blocks import Part, write_part
from transforms.identities.merge import write_index
from transforms.identities.read import Index, earlier_claims, key_ranges
from transforms.identities.table import HELD_AGAINST_EARLIER, identity_joins, index_path, index_schema
from transforms.joins import candidates, duplicates, remeasurements, tasks
from transforms.joins.grouping import row_type
from transforms.joins.join import Join
from transforms.kinds import KINDS
from transforms.parquet import open_parquet
from transforms.records import EarlierRun, Place

RUN = EarlierRun("night-1", "00" * 32)
Claimed = tuple[bytes, bytes, str, str, int]


@dataclass(frozen=True)
class File:
    """A Source that checks nothing."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        with self.path.open("rb") as file:
            yield file


def key(number: int) -> bytes:
    return hashlib.sha256(b"%d" % number).digest()[:16]


def part(folder: Path, name: str, join: Join, claims: list[tuple[bytes, bytes, int]], shards: tuple[str, ...]) -> Part:
    """A part of stream "s" that begins on line 11."""
    rows = b"".join(own + payload + line.to_bytes(4, "little") for own, payload, line in claims)
    made = Part(folder / name, "s", shards, 11)
    write_part(made.path, np.frombuffer(rows, dtype=row_type(join)))
    return made


def rows_of(path: Path) -> list[Claimed]:
    table = pq.read_table(path, partitioning=None)
    assert table.schema.names[0] == "key"
    return [
        (row["key"], row.get("payload", b""), row["stream"], row["shard"], row["line"]) for row in table.to_pylist()
    ]


def index(path: Path) -> Index:
    with File(path).open() as file, open_parquet(file) as parquet:
        return Index(RUN, File(path), *key_ranges(parquet))


def high(*keys: bytes) -> Any:
    return np.array([int.from_bytes(own[:8], "big") for own in keys], dtype=np.uint64)


def found(join: Join, indexes: list[Index], *keys: bytes) -> list[tuple[bytes, Place]]:
    """The packed rows without their lines, and the places."""
    claims = earlier_claims(join, indexes, high(*keys))
    if claims is None:
        return []
    rows, place_of = np.frombuffer(claims.load(), dtype=row_type(join)), claims.places()
    assert rows["line"].tolist() == list(range(len(rows)))
    return [(row.tobytes()[:-4], place_of(number)) for number, row in enumerate(rows)]


def test_a_row_for_each_claim_sorted_by_key_and_place(tmp_path: Path) -> None:
    payload = bytes(range(16))
    parts = [
        part(
            tmp_path, "1", tasks.JOIN, [(b"\xff" * 16, payload, 0), (key(1), payload, 3), (key(1), payload, 1)], ("a",)
        ),
        part(tmp_path, "2", tasks.JOIN, [(key(1), payload[::-1], 1), (b"\0" * 16, payload, 0)], ("b", "c")),
    ]
    assert write_index(tmp_path / "index.parquet", tasks.JOIN, parts) == 5
    assert rows_of(tmp_path / "index.parquet") == [
        (b"\0" * 16, payload, "s", "b", 1),
        (key(1), payload, "s", "a", 12),
        (key(1), payload, "s", "a", 14),
        (key(1), payload[::-1], "s", "c", 1),
        (b"\xff" * 16, payload, "s", "a", 11),
    ]


@pytest.mark.parametrize("join", [duplicates.JOIN, candidates.JOIN, remeasurements.JOIN], ids=lambda join: join.name)
def test_columns(join: Join, tmp_path: Path) -> None:
    write_index(tmp_path / "index.parquet", join, [])
    schema = pq.read_schema(tmp_path / "index.parquet")
    assert schema.equals(index_schema(join).remove_metadata())
    assert ("payload" in schema.names) == bool(join.payload_bytes)
    assert index(tmp_path / "index.parquet").least.tolist() == []
    assert index_path("pairwise-v2", join) == f"identities/pairwise-v2/{join.name}-v1.parquet"


def test_bytes_do_not_depend_on_how_parts_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    claims = [(key(rng.randrange(300)), b"", line) for line in range(1000)]
    whole = write_index(tmp_path / "one", duplicates.JOIN, [part(tmp_path, "p", duplicates.JOIN, claims, ("a",))])
    cut = []
    for at, start in enumerate(range(0, 1000, 130)):
        own = [(own, none, line - start) for own, none, line in claims[start : start + 130]]
        made = part(tmp_path, f"p{at}", duplicates.JOIN, own, ("a",))
        cut.append(Part(made.path, "s", ("a",), 11 + start))
    monkeypatch.setattr(merge, "_MERGED_ROWS", 7)
    assert write_index(tmp_path / "many", duplicates.JOIN, cut) == whole == 1000
    assert (tmp_path / "one").read_bytes() == (tmp_path / "many").read_bytes()
    rows = rows_of(tmp_path / "one")
    assert rows == sorted(rows)


@pytest.fixture
def sliced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """An index of 64 keys in 8 row groups."""
    monkeypatch.setattr(merge, "ROW_GROUP_ROWS", 8)
    claims = [(bytes((4 * number,)) * 16, b"", number) for number in range(64)]
    write_index(tmp_path / "sliced", duplicates.JOIN, [part(tmp_path, "p", duplicates.JOIN, claims, ("a",))])
    return index(tmp_path / "sliced")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """The row groups read, in order, and whether all of their columns were."""
    seen: list[tuple[int, bool]] = []

    def spy(self: pq.ParquetFile, group: int, columns: Any = None, **how: Any) -> pa.Table:
        seen.append((group, columns is None))
        return original(self, group, columns=columns, **how)

    original = pq.ParquetFile.read_row_group
    monkeypatch.setattr(pq.ParquetFile, "read_row_group", spy)
    return seen


def test_only_row_groups_that_can_match_are_read(sliced: Index, read: list[tuple[int, bool]]) -> None:
    assert len(sliced.least) == 8
    assert found(duplicates.JOIN, [sliced], b"\x00" * 16, b"\x81" * 16, b"\xff" * 16) == [
        (b"\x00" * 16, Place("s", "a", 11, RUN))
    ]
    # 0x81… lies within group 4 and is not there; 0xff… is beyond all; other columns are read where there is a match.
    assert read == [(0, False), (0, True), (4, False)]


def test_nothing_is_opened_where_no_row_group_can_match(sliced: Index, read: list[tuple[int, bool]]) -> None:
    closed = Index(RUN, File(Path("gone")), sliced.least, sliced.greatest)
    assert found(duplicates.JOIN, [closed], b"\xfe" * 16, b"\x1d" * 16) == []
    assert read == []


def test_matches_are_those_of_a_plain_search(tmp_path: Path) -> None:
    rng = random.Random(2)
    indexes, expected = [], []
    for night in range(3):
        claims = [(key(rng.randrange(5000)), rng.randbytes(9), line) for line in range(2000)]
        path = tmp_path / f"index-{night}"
        write_index(path, candidates.JOIN, [part(tmp_path, f"p{night}", candidates.JOIN, claims, (f"{night}",))])
        indexes.append(index(path))
        expected += sorted((own, payload, line) for own, payload, line in claims)
    wanted = {key(number) for number in range(0, 5000, 7)}
    rows = found(candidates.JOIN, indexes, *wanted)
    assert sorted(row for row, _ in rows) == sorted(own + payload for own, payload, _ in expected if own in wanted)
    assert [place.shard for _, place in rows] == sorted(place.shard for _, place in rows)


def test_an_index_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "none").write_bytes(b"PAR1" * 4)
    broken = Index(RUN, File(tmp_path / "none"), high(b"\0" * 16), high(b"\xff" * 16))
    with pytest.raises(OSError, match="cannot be read as an index"):
        earlier_claims(duplicates.JOIN, [broken], high(key(1)))


def test_which_rules_hold_against_earlier_runs() -> None:
    joins = {kind: [join.name for join in identity_joins(kind)] for kind in KINDS}
    assert {kind for kind, own in joins.items() if own} == HELD_AGAINST_EARLIER
    assert joins["pairwise-v2"] == ["duplicates", "tasks", "candidates", "lookalikes"]
    assert joins["grounded-qa-v1"] == ["duplicates", "tasks", "lookalikes"]
    assert joins["mavai-baseline-1"] == ["duplicates", "tasks", "lookalikes", "remeasurements"]
