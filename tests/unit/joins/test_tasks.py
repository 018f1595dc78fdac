from __future__ import annotations

import hashlib

import pytest
from entries import entry

from transforms.joins.join import Claim, Member
from transforms.joins.tasks import JOIN, claim, judge
from transforms.records import Finding, Place, Severity
from transforms.subjects import Subject
from transforms.terms import Action, StreamTerms

CONFLICT, REPEATED = "task-conflict", "repeated-annotation"
TWO_CONTENTS = "the task id stands for 2 different contents"
TWO_ANNOTATIONS = "the task has 2 differing annotations, 1 allowed"
ACTIONS = [
    (Action.REJECT, Severity.REJECT),
    (Action.HOLD, Severity.HOLD),
    (Action.ALLOW, Severity.WARN),
]


def _sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _at(index: int, stream: str = "pairs") -> Place:
    return Place(stream, "a.jsonl", index + 1)


def _member(index: int, content: str, judgement: str, stream: str = "pairs") -> Member:
    subject = Subject(_sha256("t-1"), _sha256(content))
    return Member(_at(index, stream), claim(entry(_sha256(content + judgement), subject))[0].payload)


def _members(*records: tuple[str, str]) -> list[Member]:
    """Records of one task as (content, judgement)."""
    return [_member(index, content, judgement) for index, (content, judgement) in enumerate(records)]


def _stream(name: str = "pairs", annotations: int = 1, **policies: Action) -> StreamTerms:
    renamed = {code.replace("_", "-"): action for code, action in policies.items()}
    return StreamTerms(name, "pairwise-v2", {}, annotations_per_task=annotations, policies=renamed)


def _judged(members: list[Member], stream: StreamTerms) -> list[tuple[int, Finding]]:
    return sorted(judge(members, {"pairs": stream}), key=lambda each: (each[1].code, each[0]))


def _finding(code: str, message: str, severity: Severity, *related: int) -> Finding:
    return Finding(code, message, "", None, tuple(map(_at, related)), severity)


def test_the_claim() -> None:
    subject = Subject(task=b"t" * 32, content=b"c" * 32)
    assert claim(entry(b"r" * 32, subject)) == (Claim(b"t" * 32, b"c" * 8 + b"r" * 8),)
    assert JOIN.payload_bytes == 16


def test_one_record_twice_is_no_fault_here() -> None:
    assert _judged(_members(("x", "A"), ("x", "A")), _stream()) == []


def test_other_content_conflicts() -> None:
    assert _judged(_members(("x", "A"), ("y", "A")), _stream()) == [
        (0, _finding(CONFLICT, TWO_CONTENTS, Severity.REJECT, 1)),
        (1, _finding(CONFLICT, TWO_CONTENTS, Severity.REJECT, 0)),
    ]


def test_a_conflict_names_the_records_of_other_content_only() -> None:
    members = _members(("x", "A"), ("y", "A"), ("x", "A"), ("z", "A"))
    message = "the task id stands for 3 different contents"
    assert _judged(members, _stream()) == [
        (0, _finding(CONFLICT, message, Severity.REJECT, 1, 3)),
        (1, _finding(CONFLICT, message, Severity.REJECT, 0, 2, 3)),
        (2, _finding(CONFLICT, message, Severity.REJECT, 1, 3)),
        (3, _finding(CONFLICT, message, Severity.REJECT, 0, 1, 2)),
    ]


@pytest.mark.parametrize(("action", "severity"), ACTIONS)
def test_policies_of_a_conflict(action: Action, severity: Severity) -> None:
    assert _judged(_members(("x", "A"), ("y", "A")), _stream(task_conflict=action)) == [
        (0, _finding(CONFLICT, TWO_CONTENTS, severity, 1)),
        (1, _finding(CONFLICT, TWO_CONTENTS, severity, 0)),
    ]


def test_keep_first_keeps_every_record_of_the_first_content() -> None:
    members = _members(("x", "A"), ("y", "A"), ("x", "A"))
    assert _judged(members, _stream(task_conflict=Action.KEEP_FIRST)) == [
        (1, _finding(CONFLICT, TWO_CONTENTS, Severity.REJECT, 0, 2)),
    ]


def test_other_judgement_is_a_repetition() -> None:
    assert _judged(_members(("x", "A"), ("x", "B")), _stream()) == [
        (0, _finding(REPEATED, TWO_ANNOTATIONS, Severity.HOLD, 1)),
        (1, _finding(REPEATED, TWO_ANNOTATIONS, Severity.HOLD, 0)),
    ]


@pytest.mark.parametrize("allowed", [2, 3])
def test_as_many_annotations_as_are_wanted(allowed: int) -> None:
    assert _judged(_members(("x", "A"), ("x", "B")), _stream(annotations=allowed)) == []


def test_beyond_that_all_are_held() -> None:
    members = _members(("x", "A"), ("x", "B"), ("x", "tie"))
    message = "the task has 3 differing annotations, 2 allowed"
    assert _judged(members, _stream(annotations=2)) == [
        (0, _finding(REPEATED, message, Severity.HOLD, 1, 2)),
        (1, _finding(REPEATED, message, Severity.HOLD, 0, 2)),
        (2, _finding(REPEATED, message, Severity.HOLD, 0, 1)),
    ]


def test_copies_of_a_record_are_one_annotation() -> None:
    members = _members(("x", "A"), ("x", "A"), ("x", "B"))
    assert _judged(members, _stream(annotations=2)) == []
    assert _judged(members, _stream()) == [
        (0, _finding(REPEATED, TWO_ANNOTATIONS, Severity.HOLD, 2)),
        (1, _finding(REPEATED, TWO_ANNOTATIONS, Severity.HOLD, 2)),
        (2, _finding(REPEATED, TWO_ANNOTATIONS, Severity.HOLD, 0, 1)),
    ]


@pytest.mark.parametrize(("action", "severity"), ACTIONS)
def test_policies_of_a_repetition(action: Action, severity: Severity) -> None:
    assert _judged(_members(("x", "A"), ("x", "B")), _stream(repeated_annotation=action)) == [
        (0, _finding(REPEATED, TWO_ANNOTATIONS, severity, 1)),
        (1, _finding(REPEATED, TWO_ANNOTATIONS, severity, 0)),
    ]


def test_keep_first_keeps_the_first_judgement_and_its_copies() -> None:
    members = _members(("x", "A"), ("x", "B"), ("x", "A"))
    assert _judged(members, _stream(repeated_annotation=Action.KEEP_FIRST)) == [
        (1, _finding(REPEATED, TWO_ANNOTATIONS, Severity.REJECT, 0, 2)),
    ]


def test_a_conflict_and_a_repetition_are_both_told() -> None:
    assert _judged(_members(("x", "A"), ("y", "A"), ("y", "B")), _stream()) == [
        (1, _finding(REPEATED, TWO_ANNOTATIONS, Severity.HOLD, 2)),
        (2, _finding(REPEATED, TWO_ANNOTATIONS, Severity.HOLD, 1)),
        (0, _finding(CONFLICT, TWO_CONTENTS, Severity.REJECT, 1, 2)),
        (1, _finding(CONFLICT, TWO_CONTENTS, Severity.REJECT, 0)),
        (2, _finding(CONFLICT, TWO_CONTENTS, Severity.REJECT, 0)),
    ]


def test_each_stream_has_its_own_number() -> None:
    members = [_member(0, "x", "A", "many"), _member(1, "x", "B", "one")]
    terms = {"many": _stream("many", annotations=2), "one": _stream("one")}
    assert list(judge(members, terms)) == [
        (1, Finding(REPEATED, TWO_ANNOTATIONS, related=(_at(0, "many"),), severity=Severity.HOLD)),
    ]


def test_the_places_named_are_bounded() -> None:
    members = _members(*((str(number), "A") for number in range(18)))
    findings = dict(_judged(members, _stream()))
    assert findings[0].related == tuple(map(_at, range(1, 17)))
    assert findings[17].related == tuple(map(_at, range(16)))
    message = "the task id stands for 18 different contents (the first 16 of 17 are named)"
    assert {finding.message for finding in findings.values()} == {message}


def test_huge_groups_end() -> None:
    size = 20_000
    distinct = _members(*((str(number), "A") for number in range(size)))
    assert len(_judged(distinct, _stream())) == size
    repeated = _members(*(("x", str(number)) for number in range(size)))
    assert len(_judged(repeated, _stream())) == size
    pairs = _members(*((str(number // 2), str(number)) for number in range(size)))
    assert len(_judged(pairs, _stream())) == 2 * size
    lopsided = _members(*((str(max(0, number - size // 2)), "A") for number in range(size)))
    assert len(_judged(lopsided, _stream())) == size
