from __future__ import annotations

import hashlib

import pytest
from entries import entry

from transforms.joins.candidates import JOIN, claim, judge
from transforms.joins.join import Claim, Member
from transforms.records import Finding, Place, Severity
from transforms.subjects import Standing, Subject, pairwise_subject
from transforms.terms import Action, StreamTerms

DUPLICATE, CONTRADICTION = "duplicate-candidates", "contradictory-preference"
MESSAGES = {
    DUPLICATE: "another task compares the same candidates",
    CONTRADICTION: "another task judges the same candidates otherwise",
}
STRAIGHT, SWAPPED = ("the first answer", "the second answer"), ("the second answer", "the first answer")
ACTIONS = [
    (Action.REJECT, Severity.REJECT),
    (Action.HOLD, Severity.HOLD),
    (Action.ALLOW, Severity.WARN),
]

Row = tuple[str, tuple[str, str], str]


def _at(index: int) -> Place:
    return Place("pairs", "a.jsonl", index + 1)


def _members(*rows: Row) -> list[Member]:
    """Records of one comparison as (task id, candidates as seated, preference)."""
    members = []
    for index, (task, (a, b), preference) in enumerate(rows):
        prompt = [{"role": "user", "content": "why?"}]
        value = {"task_id": task, "messages": prompt, "response_a": a, "response_b": b, "preference": preference}
        (claimed,) = claim(entry(b"", pairwise_subject(value, plain=True)))
        members.append(Member(_at(index), claimed.payload))
    return members


def _judged(members: list[Member], **policies: Action) -> dict[str, dict[int, tuple[Severity, list[int]]]]:
    """By code and index of member: severity and the indexes of the related; messages are checked on the way."""
    renamed = {code.replace("_", "-"): action for code, action in policies.items()}
    terms = {"pairs": StreamTerms("pairs", "pairwise-v2", {}, policies=renamed)}
    found: dict[str, dict[int, tuple[Severity, list[int]]]] = {DUPLICATE: {}, CONTRADICTION: {}}
    for index, finding in judge(members, terms):
        related = [place.line - 1 for place in finding.related]
        whole = Finding(finding.code, MESSAGES[finding.code], "", None, tuple(map(_at, related)), finding.severity)
        assert finding == whole
        assert index not in found[finding.code]
        found[finding.code][index] = finding.severity, related
    return found


def _held(related: dict[int, list[int]]) -> dict[int, tuple[Severity, list[int]]]:
    return {index: (Severity.HOLD, others) for index, others in related.items()}


def test_the_claim() -> None:
    subject = Subject(b"t" * 32, b"c" * 32, pair=b"p" * 32, standing=Standing.TIE)
    assert claim(entry(b"r" * 32, subject)) == (Claim(b"p" * 32, b"t" * 8 + b"\x02"),)
    assert JOIN.payload_bytes == 9


def test_a_record_that_compares_nothing_has_no_part() -> None:
    assert claim(entry(b"r" * 32, Subject(b"t" * 32, b"c" * 32))) == ()


def test_swapped_seats() -> None:
    members = _members(
        ("t-1", STRAIGHT, "A"),
        ("t-2", SWAPPED, "B"),  # agrees with t-1
        ("t-3", SWAPPED, "A"),  # prefers the other answer
        ("t-4", STRAIGHT, "tie"),
    )
    assert _judged(members) == {
        DUPLICATE: _held({0: [1, 2, 3], 1: [0, 2, 3], 2: [0, 1, 3], 3: [0, 1, 2]}),
        CONTRADICTION: _held({0: [2, 3], 1: [2, 3], 2: [0, 1, 3], 3: [0, 1, 2]}),
    }


def test_seats_matter_to_no_claim() -> None:
    straight, swapped = _members(("t-1", STRAIGHT, "A"), ("t-1", SWAPPED, "B"))
    assert straight.payload == swapped.payload


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        ((STRAIGHT, "A"), (STRAIGHT, "A"), True),
        ((STRAIGHT, "A"), (STRAIGHT, "B"), False),
        ((STRAIGHT, "A"), (SWAPPED, "B"), True),
        ((STRAIGHT, "A"), (SWAPPED, "A"), False),
        ((STRAIGHT, "tie"), (SWAPPED, "tie"), True),
        ((STRAIGHT, "neither"), (SWAPPED, "neither"), True),
        ((STRAIGHT, "tie"), (STRAIGHT, "neither"), False),
        ((STRAIGHT, "B"), (STRAIGHT, "tie"), False),
        ((STRAIGHT, "B"), (SWAPPED, "neither"), False),
        ((("same", "same"), "A"), (("same", "same"), "B"), True),
    ],
)
def test_two_tasks(one: tuple[tuple[str, str], str], other: tuple[tuple[str, str], str], agree: bool) -> None:
    both = _held({0: [1], 1: [0]})
    found = _judged(_members(("t-1", *one), ("t-2", *other)))
    assert found == {DUPLICATE: both, CONTRADICTION: {} if agree else both}


def test_one_task_is_no_duplicate_of_itself() -> None:
    members = _members(("t-1", STRAIGHT, "A"), ("t-1", STRAIGHT, "B"), ("t-1", SWAPPED, "tie"))
    assert _judged(members) == {DUPLICATE: {}, CONTRADICTION: {}}


def test_a_task_does_not_contradict_itself() -> None:
    members = _members(("t-1", STRAIGHT, "A"), ("t-1", STRAIGHT, "B"), ("t-2", STRAIGHT, "A"))
    assert _judged(members) == {
        DUPLICATE: _held({0: [2], 1: [2], 2: [0, 1]}),
        CONTRADICTION: _held({1: [2], 2: [1]}),
    }


@pytest.mark.parametrize(("action", "severity"), ACTIONS)
def test_policies(action: Action, severity: Severity) -> None:
    members = _members(("t-1", STRAIGHT, "A"), ("t-2", STRAIGHT, "B"))
    decided, held = {0: (severity, [1]), 1: (severity, [0])}, _held({0: [1], 1: [0]})
    assert _judged(members, duplicate_candidates=action) == {DUPLICATE: decided, CONTRADICTION: held}
    assert _judged(members, contradictory_preference=action) == {DUPLICATE: held, CONTRADICTION: decided}


def test_keep_first_keeps_the_first_record() -> None:
    members = _members(("t-1", STRAIGHT, "A"), ("t-2", STRAIGHT, "A"), ("t-3", STRAIGHT, "B"))
    found = _judged(members, duplicate_candidates=Action.KEEP_FIRST, contradictory_preference=Action.KEEP_FIRST)
    assert found == {
        DUPLICATE: {1: (Severity.REJECT, [0, 2]), 2: (Severity.REJECT, [0, 1])},
        CONTRADICTION: {1: (Severity.REJECT, [2]), 2: (Severity.REJECT, [0, 1])},
    }


def test_each_stream_has_its_own_policy() -> None:
    first, second = _members(("t-1", STRAIGHT, "A"), ("t-2", STRAIGHT, "A"))
    second = Member(Place("checks", "b.jsonl", 1), second.payload)
    terms = {
        "pairs": StreamTerms("pairs", "pairwise-v2", {}),
        "checks": StreamTerms("checks", "pairwise-v2", {}, policies={DUPLICATE: Action.ALLOW}),
    }
    assert list(judge([first, second], terms)) == [
        (0, Finding(DUPLICATE, MESSAGES[DUPLICATE], related=(second.place,), severity=Severity.HOLD)),
        (1, Finding(DUPLICATE, MESSAGES[DUPLICATE], related=(first.place,), severity=Severity.WARN)),
    ]


def test_the_places_named_are_bounded() -> None:
    members = _members(*((f"t-{number}", STRAIGHT, "A" if number else "B") for number in range(18)))
    terms = {"pairs": StreamTerms("pairs", "pairwise-v2", {})}
    found = {(finding.code, index): finding for index, finding in judge(members, terms)}
    suffix = " (the first 16 of 17 are named)"
    for code in (DUPLICATE, CONTRADICTION):
        assert found[code, 0].message == MESSAGES[code] + suffix
        assert found[code, 0].related == tuple(map(_at, range(1, 17)))
    assert found[DUPLICATE, 17].message == MESSAGES[DUPLICATE] + suffix
    assert found[DUPLICATE, 17].related == tuple(map(_at, range(16)))
    assert found[CONTRADICTION, 17] == Finding(
        CONTRADICTION, MESSAGES[CONTRADICTION], related=(_at(0),), severity=Severity.HOLD
    )


def _member(index: int, task: int, standing: Standing) -> Member:
    return Member(_at(index), hashlib.sha256(str(task).encode()).digest()[:8] + bytes((standing,)))


def test_huge_groups_end() -> None:
    size = 20_000
    terms = {"pairs": StreamTerms("pairs", "pairwise-v2", {})}
    own_tasks = [_member(index, index, Standing(index % 4)) for index in range(size)]
    assert sum(1 for _ in judge(own_tasks, terms)) == 2 * size
    two_tasks = [_member(index, index % 2, Standing(index // 2 % 2)) for index in range(size)]
    assert sum(1 for _ in judge(two_tasks, terms)) == 2 * size
    lopsided = [_member(index, max(0, index - size // 2), Standing.TIE) for index in range(size)]
    assert sum(1 for _ in judge(lopsided, terms)) == size
