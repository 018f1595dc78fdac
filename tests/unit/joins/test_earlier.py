"""Claims of earlier runs in the groups of this run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from entries import entry

from transforms.joins import duplicates
from transforms.joins.earlier import EarlierClaims
from transforms.joins.grouping import ClaimBook, PackedClaims, judge_claims
from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms
from transforms.records import EarlierRun, Finding, Place
from transforms.terms import Action, StreamTerms

TERMS = {"pairs": StreamTerms("pairs", "pairwise-v2", {})}
FIRST, SECOND = EarlierRun("night-1", "11" * 32), EarlierRun("night-2", "22" * 32)
X, Y, Z = bytes(32), bytes(31) + b"\1", b"\2" * 32


def _everyone(members: Sequence[Member], terms: Terms) -> Judgement:
    for index, member in enumerate(members):
        stream = terms[member.place.stream]
        yield index, Finding("seen", stream.name, related=tuple(each.place for each in members))


def _claim(entry: Entry) -> tuple[Claim]:
    return (Claim(entry.content, b""),)


SPY = Join("spy", (), 0, _claim, _everyone)


def _rows(*contents: bytes) -> bytes:
    book = ClaimBook([duplicates.JOIN])
    for number, content in enumerate(contents):
        book.enter(entry(content, None), number)
    return next(rows for _, rows in book.whole())


def _earlier(*claims: tuple[bytes, EarlierRun, str]) -> EarlierClaims:
    places = {"stream": [stream for _, _, stream in claims], "shard": ["e.jsonl"] * len(claims)}
    table = pa.table(places | {"line": list(range(1, len(claims) + 1))})
    return EarlierClaims(_rows(*(content for content, _, _ in claims)), tuple(run for _, run, _ in claims), table)


def _own(*contents: bytes) -> list[PackedClaims]:
    return [PackedClaims(7, "pairs", "a.jsonl", 1, _rows(*contents))]


def test_they_stand_first_and_nothing_is_found_on_them() -> None:
    earlier = _earlier((X, FIRST, "gone"), (X, SECOND, "pairs"), (Z, SECOND, "pairs"))
    found = list(judge_claims(SPY, _own(Y, X), TERMS, lambda _: earlier))
    places = (
        Place("gone", "e.jsonl", 1, FIRST),
        Place("pairs", "e.jsonl", 2, SECOND),
        Place("pairs", "a.jsonl", 1),
        Place("pairs", "a.jsonl", 2),
    )
    # X and Y share the 16 bytes that count; Z is the key of nobody here.
    assert X[:16] == Y[:16]
    assert found == [(7, line, Finding("seen", "pairs", related=places)) for line in (0, 1)]


def test_a_single_record_meets_an_earlier_one() -> None:
    earlier = _earlier((X, FIRST, "pairs"))
    found = judge_claims(duplicates.JOIN, _own(X, Z), TERMS, lambda _: earlier)
    message = "the same content stands elsewhere"
    related = (Place("pairs", "e.jsonl", 1, FIRST),)
    assert list(found) == [(7, 0, Finding("duplicate-record", message, related=related))]


def test_the_policy_is_that_of_this_run() -> None:
    terms = {"pairs": StreamTerms("pairs", "pairwise-v2", {}, policies={"duplicate-record": Action.ALLOW})}
    [(_, _, found)] = judge_claims(duplicates.JOIN, _own(X), terms, lambda _: _earlier((X, FIRST, "pairs")))
    assert isinstance(found, Finding)
    assert found.severity == "warn"


def test_nothing_earlier() -> None:
    asked: list[list[int]] = []

    def nothing(high: Any) -> None:
        asked.append(high.tolist())

    assert list(judge_claims(duplicates.JOIN, _own(Z, X), TERMS, nothing)) == []
    assert asked == [[int.from_bytes(Z[:8], "big"), 0]]
