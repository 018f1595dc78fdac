"""Reviews, adjudications and executions against the records that they name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from small_records import RUBRIC, assignment, pair

from transforms.acceptance.values import AcceptanceTerms
from transforms.digests import canonical_json, digest, sha256_hex
from transforms.joins.evidence import JOIN, claim, judge
from transforms.joins.join import Attached, Entry, Member
from transforms.joins.parked import Parked
from transforms.records import Json, Place, Severity
from transforms.terms import Action, StreamTerms

SHA256 = sha256_hex(canonical_json(pair()))
RECORD, TWIN = ("pairwise-v2", pair()), ("pairwise-v2", pair())

Row = tuple[str, Json]
Found = tuple[int, str, Severity, list[int]]


def said(kind: str, **members: Any) -> Row:
    return kind, {"task_id": "t-1", "record_sha256": SHA256, **members}


def review(reviewer: str = "ann-2", **changes: Any) -> Row:
    return said("review-v1", **{"reviewer": reviewer, "rubric_version": RUBRIC, **changes})


ADJUDICATION = said("adjudication-v1", adjudicator="lead")
EXECUTION = said("code-execution-v1", executor={"name": "sandbox"})


def entry(kind: str, value: Json) -> Entry:
    content = digest(canonical_json(value))
    return Entry(
        kind, kind, value.get("rubric_version") if kind == "pairwise-v2" else None, content, content, value, None
    )


def judged(
    *rows: Row, acceptance: AcceptanceTerms | None = None, **policies: Action
) -> tuple[list[Found], list[tuple[int, str, int | None]]]:
    """(index, code, severity, lines named) and (index of a record, kind of the evidence, its line if any), from 1."""
    named = {code.replace("_", "-"): action for code, action in policies.items()}
    terms = {kind: StreamTerms(kind, kind, {}, policies=named) for kind, _ in rows}
    terms["pairwise-v2"] = replace(terms.get("pairwise-v2", StreamTerms("", "pairwise-v2", {})), acceptance=acceptance)
    claims = [next(iter(claim(entry(*row)))) for row in rows]
    assert {len(one.payload) for one in claims} == {JOIN.payload_bytes}
    members = [
        Member(Place(kind, "a.jsonl", line), one.payload, Parked("f", line, len(one.text)) if one.text else None)
        for line, ((kind, _), one) in enumerate(zip(rows, claims, strict=True), 1)
    ]
    findings, attached = [], []
    for index, one in judge(members, terms):
        if isinstance(one, Attached):
            if one.parked:
                assert one.source is not None and members[one.source].text == one.parked
            attached.append((index, one.kind, one.parked.offset if one.parked else None))
        else:
            findings.append((index, one.code, one.severity, [place.line for place in one.related]))
    return findings, attached


def test_what_stands_is_attached() -> None:
    rows = [RECORD, review(), review("ann-3"), ADJUDICATION, EXECUTION]
    assert judged(*rows) == (
        [],
        [(0, "review-v1", 2), (0, "review-v1", 3), (0, "adjudication-v1", 4), (0, "code-execution-v1", 5)],
    )


def test_the_text_is_the_evidence_and_its_digest() -> None:
    kind, value = review()
    own = entry(kind, value)
    [one] = claim(replace(own, archival=bytes(32)))
    assert (one.key.hex(), one.text) == (SHA256, bytes(32) + canonical_json(value))


def test_evidence_counts_for_every_copy() -> None:
    assert judged(RECORD, TWIN, review())[1] == [(0, "review-v1", 3), (1, "review-v1", 3)]


@pytest.mark.parametrize("row", [review(), ADJUDICATION, EXECUTION], ids=lambda row: row[0])
def test_evidence_on_bytes_that_are_not_there(row: Row) -> None:
    expected = [(0, "review-of-unknown-record", Severity.REJECT, [])]
    assert judged(row) == (expected, [])
    other_task = (row[0], {**row[1], "task_id": "t-2"})
    assert judged(RECORD, other_task) == ([(1, "review-of-unknown-record", Severity.REJECT, [])], [])


def test_an_assignment_alone_is_no_fault() -> None:
    assert judged(("assignment-v1", assignment("ann-1", SHA256))) == ([], [])


def test_a_reviewer_twice() -> None:
    rows = [RECORD, review(), review(vote="reject"), review("ann-3")]
    assert judged(*rows) == (
        [(2, "duplicate-review", Severity.REJECT, [2])],
        [(0, "review-v1", 2), (0, "review-v1", 4)],
    )


def test_ones_own_record() -> None:
    handed_in = ("assignment-v1", assignment("ann-1", SHA256))
    rows = [handed_in, RECORD, review("ann-1"), review("ann-2")]
    assert judged(*rows) == (
        [(2, "self-review", Severity.REJECT, [2])],
        [(1, "contributor", None), (1, "review-v1", 4)],
    )


def test_ones_own_record_adjudicated() -> None:
    handed_in = ("assignment-v1", assignment("lead", SHA256))
    expected = [(2, "self-review", Severity.REJECT, [2])], [(1, "contributor", None)]
    assert judged(handed_in, RECORD, ADJUDICATION) == expected


def test_a_review_that_is_about_something_else_takes_nobodys_place() -> None:
    other, elsewhere = review(rubric_version="code-review-v0"), review(task_id="t-2")
    for row, code in ((other, "review-of-other-rubric"), (elsewhere, "review-of-unknown-record")):
        findings, attached = judged(RECORD, row, review())
        assert ([found[:2] for found in findings], attached) == ([(1, code)], [(0, "review-v1", 3)])


def test_ones_own_record_twice() -> None:
    handed_in = ("assignment-v1", assignment("ann-1", SHA256))
    rows = [handed_in, RECORD, review("ann-1"), review("ann-1", vote="reject")]
    assert judged(*rows) == (
        [
            (2, "self-review", Severity.REJECT, [2]),
            (3, "self-review", Severity.REJECT, [2]),
            (3, "duplicate-review", Severity.REJECT, [3]),
        ],
        [(1, "contributor", None)],
    )


@pytest.mark.parametrize("name", ["Ann-1", "ANN-1", " ann - 1", "ann\u200b-1", "\uff41nn-1", "a\u00adnn-\u2460"])
def test_a_person_has_one_name_however_it_is_written(name: str) -> None:
    handed_in = ("assignment-v1", assignment("ann-1", SHA256))
    assert [found[:2] for found in judged(handed_in, RECORD, review(name))[0]] == [(2, "self-review")]
    adjudicated = said("adjudication-v1", adjudicator=name)
    assert [found[:2] for found in judged(handed_in, RECORD, adjudicated)[0]] == [(2, "self-review")]
    assert [found[:2] for found in judged(RECORD, review("ann-1"), review(name))[0]] == [(2, "duplicate-review")]


def test_a_contributor_is_known_for_every_copy() -> None:
    handed_in = ("assignment-v1", assignment("ann-1", SHA256))
    assert judged(handed_in, handed_in, RECORD, TWIN)[1] == [(2, "contributor", None), (3, "contributor", None)]
    assert judged(RECORD, TWIN)[1] == []


def test_another_rubric() -> None:
    other = review(rubric_version="code-review-v0")
    assert judged(RECORD, other) == ([(1, "review-of-other-rubric", Severity.REJECT, [1])], [])


def test_the_streams_rubric_comes_before_the_records() -> None:
    bound = AcceptanceTerms("code-review-v0")
    assert judged(RECORD, review(rubric_version="code-review-v0"), acceptance=bound)[0] == []
    assert judged(RECORD, review(), acceptance=bound)[0] == [(1, "review-of-other-rubric", Severity.REJECT, [1])]


def test_a_policy_forgives_no_fault() -> None:
    """What the campaign does with a faulty review is its own business; it never counts."""
    for action, severity in ((Action.HOLD, Severity.HOLD), (Action.ALLOW, Severity.WARN)):
        findings, attached = judged(RECORD, review(), review(), duplicate_review=action)
        assert findings == [(2, "duplicate-review", severity, [2])]
        assert attached == [(0, "review-v1", 2)]
