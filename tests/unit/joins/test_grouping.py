from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from entries import entry

from transforms.joins import candidates, duplicates, tasks
from transforms.joins.grouping import ClaimBook, PackedClaims, judge_claims, park
from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms
from transforms.joins.parked import Parked
from transforms.records import Finding, Place, Severity
from transforms.subjects import Standing, Subject
from transforms.terms import StreamTerms

TERMS = {name: StreamTerms(name, "pairwise-v2", {}) for name in ("pairs", "extra")}


def _claim(entry: Entry) -> tuple[Claim, ...]:
    if entry.subject is None or entry.subject.pair is None:
        return ()
    return (Claim(entry.content, entry.content[16:19].ljust(3, b"-")),)


def _report(members: Sequence[Member], _terms: Terms) -> Judgement:
    for index, member in enumerate(members):
        yield index, Finding("seen", member.payload.hex(), related=tuple(each.place for each in members))


# A join whose keys and payloads a test chooses, and whose judgement tells all that it was given.
SPY = Join("spy", (), 3, _claim, _report)
PART = Subject(b"", b"", pair=b"")
NO_PART = Subject(b"", b"")


def _key(number: int) -> bytes:
    return number.to_bytes(16, "big")


def _rows(join: Join, *claims: tuple[bytes, int]) -> bytes:
    """The packed rows of (record, line) in one partition."""
    book = ClaimBook([join])
    for record, line in claims:
        book.enter(entry(record, PART), line)
    ((_, _, rows),) = book.partitioned(1)
    return rows


def _packed(ordinal: int, shard: str, first_line: int, *claims: tuple[bytes, int]) -> PackedClaims:
    return PackedClaims(ordinal, "pairs", shard, first_line, _rows(SPY, *claims))


def test_a_row_is_key_payload_and_line() -> None:
    record = bytes(range(32))
    assert _rows(SPY, (record, 0x01020304)) == bytes(range(19)) + b"\x04\x03\x02\x01"
    assert _rows(duplicates.JOIN, (record, 5)) == bytes(range(16)) + b"\x05\0\0\0"


def test_a_book_without_claims_gives_nothing() -> None:
    assert list(ClaimBook([SPY, duplicates.JOIN]).partitioned(4)) == []
    assert list(ClaimBook([]).partitioned(4)) == []
    book = ClaimBook([SPY])
    book.enter(entry(bytes(32), NO_PART), 0)
    assert list(book.partitioned(4)) == []


def test_every_join_has_its_own_rows() -> None:
    book = ClaimBook([duplicates.JOIN, tasks.JOIN, candidates.JOIN])
    record = hashlib.sha256(b"record").digest()
    book.enter(entry(record, Subject(b"t" * 32, b"c" * 32, b"p" * 32, Standing.GREATER)), 7)
    book.enter(entry(record, Subject(b"t" * 32, b"c" * 32)), 8)
    seven, eight = b"\x07\0\0\0", b"\x08\0\0\0"
    assert list(book.partitioned(1)) == [
        (duplicates.JOIN, 0, record[:16] + seven + record[:16] + eight),
        (tasks.JOIN, 0, b"".join(b"t" * 16 + b"c" * 8 + record[:8] + line for line in (seven, eight))),
        (candidates.JOIN, 0, b"p" * 16 + b"t" * 8 + b"\x01" + seven),
    ]


@pytest.mark.parametrize("partitions", [1, 2, 3, 7, 16, 255, 256, 257, 4096, 65536])
def test_the_leading_bytes_of_the_key_decide_the_partition(partitions: int) -> None:
    rng = random.Random(partitions)
    seconds = (0, 255, rng.randrange(256))
    records = [bytes([lead, second]) + rng.randbytes(30) for lead in rng.sample(range(256), 256) for second in seconds]
    book = ClaimBook([SPY])
    expected: dict[int, bytes] = {}
    for line, record in enumerate(records):
        book.enter(entry(record, PART), line)
        part = (256 * record[0] + record[1]) * partitions // 65536
        expected[part] = expected.get(part, b"") + record[:19] + line.to_bytes(4, "little")
    assert {part: rows for _, part, rows in book.partitioned(partitions)} == expected
    assert max(expected) == partitions - 1
    if partitions <= 256:
        assert sorted(expected) == list(range(partitions))


def test_empty_partitions_are_left_out() -> None:
    book = ClaimBook([SPY])
    book.enter(entry(b"\x00" * 32, PART), 0)
    book.enter(entry(b"\xff" * 32, PART), 1)
    assert [part for _, part, _ in book.partitioned(7)] == [0, 6]


def test_a_key_of_its_own_is_not_judged() -> None:
    claims = [_packed(0, "a.jsonl", 1, (_key(1), 0), (_key(2), 1)), _packed(1, "b.jsonl", 1, (_key(3), 0))]
    assert list(judge_claims(SPY, claims, TERMS)) == []


def test_members_come_in_the_order_of_blocks_and_lines() -> None:
    one, other = _key(1) + b"one", _key(1) + b"two"
    claims = [
        _packed(2, "b.jsonl", 1, (other, 0)),
        _packed(0, "a.jsonl", 1, (one, 3), (other, 1)),
        _packed(1, "a.jsonl", 101, (one, 4)),
    ]
    places = (
        Place("pairs", "a.jsonl", 2),
        Place("pairs", "a.jsonl", 4),
        Place("pairs", "a.jsonl", 105),
        Place("pairs", "b.jsonl", 1),
    )
    expected = [
        (0, 1, Finding("seen", b"two".hex(), related=places)),
        (0, 3, Finding("seen", b"one".hex(), related=places)),
        (1, 4, Finding("seen", b"one".hex(), related=places)),
        (2, 0, Finding("seen", b"two".hex(), related=places)),
    ]
    assert list(judge_claims(SPY, claims, TERMS)) == expected
    assert list(judge_claims(SPY, reversed(claims), TERMS)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (0, 1),
        (1 << 127, (1 << 127) + 1),
        (1 << 64, 1 << 65),
        ((1 << 64) - 1, (1 << 128) - 1),
        ((1 << 64) + 1, (1 << 65) + 1),
    ],
)
def test_keys_differ_in_any_half(one: int, other: int) -> None:
    claims = [_packed(0, "a.jsonl", 1, *((_key(key), line) for line, key in enumerate([one, other, one, other])))]
    groups = {finding.related for _, _, finding in judge_claims(SPY, claims, TERMS)}
    lines = {tuple(place.line for place in places) for places in groups}
    assert lines == {(1, 3), (2, 4)}


@pytest.mark.parametrize("payload", [b"\0\0\0", b"a\0\0", b"\0\0z", b"\xff\xff\xff"])
def test_payloads_keep_their_zero_bytes(payload: bytes) -> None:
    claims = [_packed(0, "a.jsonl", 1, (_key(1) + payload, 0), (_key(1) + payload, 1))]
    messages = [finding.message for _, _, finding in judge_claims(SPY, claims, TERMS)]
    assert messages == [payload.hex()] * 2


def test_streams_meet() -> None:
    rows = _rows(duplicates.JOIN, (_key(1), 0))
    claims = [PackedClaims(1, "pairs", "a.jsonl", 1, rows), PackedClaims(0, "extra", "z.jsonl", 40, rows)]
    message = "the same content stands elsewhere"
    related = (Place("extra", "z.jsonl", 40),)
    assert list(judge_claims(duplicates.JOIN, claims, TERMS)) == [
        (1, 0, Finding("duplicate-record", message, related=related, severity=Severity.REJECT))
    ]


def test_parked_rows_are_the_rows(tmp_path: Path) -> None:
    book = ClaimBook([SPY, duplicates.JOIN])
    for line, lead in enumerate([0, 255, 0, 100]):
        book.enter(entry(bytes([lead]) * 32, PART), line)
    travelling = list(book.partitioned(4))
    parked = list(park(tmp_path / "block.claims", book.partitioned(4)))
    assert [(join, part, len(rows)) for join, part, rows in travelling] == [
        (join, part, rows.length) for join, part, rows in parked
    ]
    assert len(travelling) == 6
    assert (tmp_path / "block.claims").read_bytes() == b"".join(rows for _, _, rows in travelling)
    for (_, _, rows), (_, _, waiting) in zip(travelling, parked, strict=True):
        assert PackedClaims(0, "pairs", "a.jsonl", 1, waiting).load() == rows
        assert PackedClaims(0, "pairs", "a.jsonl", 1, rows).load() == rows


def test_parked_and_travelling_rows_meet(tmp_path: Path) -> None:
    book = ClaimBook([SPY])
    book.enter(entry(_key(1) + b"one", PART), 3)
    ((_, _, waiting),) = park(tmp_path / "block.claims", book.partitioned(1))
    claims = [
        _packed(1, "b.jsonl", 1, (_key(1) + b"two", 0)),
        PackedClaims(0, "pairs", "a.jsonl", 1, waiting),
    ]
    places = (Place("pairs", "a.jsonl", 4), Place("pairs", "b.jsonl", 1))
    assert list(judge_claims(SPY, claims, TERMS)) == [
        (0, 3, Finding("seen", b"one".hex(), related=places)),
        (1, 0, Finding("seen", b"two".hex(), related=places)),
    ]


def test_a_block_without_claims_parks_nothing(tmp_path: Path) -> None:
    assert list(park(tmp_path / "block.claims", ClaimBook([SPY]).partitioned(4))) == []
    assert (tmp_path / "block.claims").read_bytes() == b""


def test_rows_that_are_gone_are_an_environment_failure(tmp_path: Path) -> None:
    claims = [PackedClaims(0, "pairs", "a.jsonl", 1, Parked(str(tmp_path / "none"), 0, 23))]
    with pytest.raises(FileNotFoundError):
        list(judge_claims(SPY, claims, TERMS))


@pytest.mark.parametrize("join", [duplicates.JOIN, tasks.JOIN, candidates.JOIN], ids=lambda join: join.name)
def test_a_huge_group_ends(join: Join) -> None:
    """20,000 records of one task and one comparison; each record stands twice."""
    book = ClaimBook([join])
    for line in range(20_000):
        content = hashlib.sha256(b"%d" % (line % 10_000)).digest()
        standing = Standing(line % 3)
        task = content if join is candidates.JOIN else bytes(32)
        book.enter(entry(content, Subject(task, content, bytes(32), standing)), line)
    ((_, _, rows),) = book.partitioned(1)
    found = list(judge_claims(join, [PackedClaims(0, "pairs", "a.jsonl", 1, rows)], TERMS))
    codes = {finding.code for _, _, finding in found}
    assert (codes, len(found)) == {
        "duplicates": ({"duplicate-record"}, 10_000),
        "tasks": ({"task-conflict"}, 20_000),
        "candidates": ({"duplicate-candidates", "contradictory-preference"}, 40_000),
    }[join.name]
