from __future__ import annotations

import pytest

from transforms.joins import candidates, duplicates, lookalikes, tasks
from transforms.joins.grouping import row_bytes
from transforms.joins.join import RELATED_BOUND, Member, Related, finding, policy, related
from transforms.joins.table import joins_for
from transforms.records import Code, Finding, Place, Severity, Stage
from transforms.terms import Action, StreamTerms

HOLDING = Code("some-hold", Stage.JOINS, Severity.HOLD, "", "", "")
REJECTING = Code("some-reject", Stage.JOINS, Severity.REJECT, "", "", "")
JOINS = (duplicates.JOIN, tasks.JOIN, candidates.JOIN, lookalikes.JOIN)


def _place(line: int) -> Place:
    return Place("pairs", "a.jsonl", line)


def _members(count: int) -> list[Member]:
    return [Member(_place(line), b"odd" if line % 2 else b"even") for line in range(1, count + 1)]


def _terms(**policies: Action) -> StreamTerms:
    renamed = {name.replace("_", "-"): action for name, action in policies.items()}
    return StreamTerms("pairs", "pairwise-v2", {}, policies=renamed)


def test_widths() -> None:
    assert {join.name: row_bytes(join) for join in JOINS} == {
        "duplicates": 20,
        "tasks": 36,
        "candidates": 29,
        "lookalikes": 28,
    }


def test_pairwise_records_meet_all_joins() -> None:
    assert joins_for(_terms()) == JOINS


def test_codes_stand_in_the_join_stage() -> None:
    codes = {code.code: (code.stage, code.severity) for join in JOINS for code in join.codes}
    assert codes == {
        "duplicate-record": (Stage.JOINS, Severity.REJECT),
        "task-conflict": (Stage.JOINS, Severity.REJECT),
        "repeated-annotation": (Stage.JOINS, Severity.HOLD),
        "duplicate-candidates": (Stage.JOINS, Severity.HOLD),
        "contradictory-preference": (Stage.JOINS, Severity.HOLD),
        "look-alike-id": (Stage.JOINS, Severity.WARN),
    }


def test_policy_falls_back_to_the_severity_of_the_code() -> None:
    assert policy(HOLDING, _terms()) is Action.HOLD
    assert policy(REJECTING, _terms()) is Action.REJECT
    assert policy(HOLDING, _terms(some_reject=Action.ALLOW)) is Action.HOLD


@pytest.mark.parametrize("action", [Action.KEEP_FIRST, Action.REJECT, Action.HOLD, Action.ALLOW])
def test_policy_of_the_stream_comes_first(action: Action) -> None:
    assert policy(HOLDING, _terms(some_hold=action)) is action
    assert policy(REJECTING, _terms(some_reject=action)) is action


def test_related_leaves_out_its_own() -> None:
    others = related(_members(7), lambda member: member.payload == b"even", 4)
    assert others == Related((_place(1), _place(3), _place(5), _place(7)), 4)


def test_related_names_no_more_than_the_bound() -> None:
    assert RELATED_BOUND == 16
    everyone = related(_members(17), lambda _: False, 17)
    assert everyone == Related(tuple(map(_place, range(1, 17))), 17)
    assert related(_members(16), lambda _: False, 16) == Related(everyone.places, 16)


def test_related_reads_no_further_than_it_names() -> None:
    members = iter(_members(100))
    related(members, lambda _: False, 3)
    assert next(members).place == _place(4)


@pytest.mark.parametrize(
    ("action", "first", "severity"),
    [
        (Action.KEEP_FIRST, True, None),
        (Action.KEEP_FIRST, False, Severity.REJECT),
        (Action.REJECT, True, Severity.REJECT),
        (Action.REJECT, False, Severity.REJECT),
        (Action.HOLD, True, Severity.HOLD),
        (Action.HOLD, False, Severity.HOLD),
        (Action.ALLOW, True, Severity.WARN),
        (Action.ALLOW, False, Severity.WARN),
    ],
)
def test_what_an_action_makes_of_a_record(action: Action, first: bool, severity: Severity | None) -> None:
    made = finding(HOLDING, action, "message", Related((_place(3),), 1), first=first)
    expected = severity and Finding("some-hold", "message", related=(_place(3),), severity=severity)
    assert made == expected


def test_the_message_says_how_many_are_not_named() -> None:
    sixteen = tuple(map(_place, range(1, 17)))
    whole = finding(HOLDING, Action.HOLD, "message", Related(sixteen, 16))
    cut = finding(HOLDING, Action.HOLD, "message", Related(sixteen, 1234))
    assert whole is not None
    assert whole.message == "message"
    assert cut is not None
    assert cut.message == "message (the first 16 of 1234 are named)"
    assert cut.related == sixteen
