from __future__ import annotations

import pytest
from entries import entry

from transforms.joins.duplicates import JOIN, claim, judge
from transforms.joins.join import Claim, Member
from transforms.records import Finding, Place, Severity
from transforms.subjects import Subject
from transforms.terms import Action, StreamTerms

CODE = "duplicate-record"
MESSAGE = "the same content stands elsewhere"
FIRST, SECOND, THIRD = PLACES = (
    Place("pairs", "a.jsonl", 2),
    Place("pairs", "a.jsonl", 9),
    Place("pairs", "b.jsonl", 1),
)


def _terms(name: str = "pairs", action: Action | None = None) -> dict[str, StreamTerms]:
    return {name: StreamTerms(name, "pairwise-v2", {}, policies={CODE: action} if action else {})}


def _judged(action: Action | None) -> list[tuple[int, Finding]]:
    return list(judge([Member(place, b"") for place in PLACES], _terms(action=action)))


def _finding(severity: Severity, *related: Place) -> Finding:
    return Finding(CODE, MESSAGE, "", None, related, severity)


def test_the_claim_is_the_content_digest() -> None:
    digest = bytes(range(32))
    assert claim(entry(digest, Subject(b"t" * 32, b"c" * 32))) == (Claim(digest, b""),)
    assert JOIN.payload_bytes == 0


@pytest.mark.parametrize("action", [None, Action.KEEP_FIRST])
def test_the_first_stays_and_the_others_name_it(action: Action | None) -> None:
    repeated = _finding(Severity.REJECT, FIRST)
    assert _judged(action) == [(1, repeated), (2, repeated)]


@pytest.mark.parametrize(("action", "severity"), [(Action.REJECT, Severity.REJECT), (Action.HOLD, Severity.HOLD)])
def test_all_of_them_go(action: Action, severity: Severity) -> None:
    repeated = _finding(severity, FIRST)
    assert _judged(action) == [(0, _finding(severity, SECOND, THIRD)), (1, repeated), (2, repeated)]


def test_allowed_repetitions_are_warned_of() -> None:
    repeated = _finding(Severity.WARN, FIRST)
    assert _judged(Action.ALLOW) == [(1, repeated), (2, repeated)]


def test_each_stream_has_its_own_policy() -> None:
    terms = _terms("old", Action.HOLD) | _terms("pairs") | _terms("trial", Action.ALLOW)
    old, new, trial = Place("old", "a", 1), Place("pairs", "a", 1), Place("trial", "a", 1)
    assert list(judge([Member(place, b"") for place in (old, new, trial)], terms)) == [
        (0, _finding(Severity.HOLD, new, trial)),
        (1, _finding(Severity.REJECT, old)),
        (2, _finding(Severity.WARN, old)),
    ]


def test_the_places_named_are_bounded() -> None:
    places = [Place("pairs", "a.jsonl", line) for line in range(1, 19)]
    findings = dict(judge([Member(place, b"") for place in places], _terms(action=Action.REJECT)))
    assert sorted(findings) == list(range(18))
    assert findings[0].message == f"{MESSAGE} (the first 16 of 17 are named)"
    assert findings[0].related == tuple(places[1:17])
    assert {findings[index].message for index in range(1, 18)} == {MESSAGE}


def test_a_huge_group_ends() -> None:
    members = [Member(Place("pairs", "a.jsonl", line), b"") for line in range(20_000)]
    assert sum(1 for _ in judge(members, _terms())) == 19_999
