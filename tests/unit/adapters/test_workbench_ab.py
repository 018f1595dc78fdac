"""workbench-ab-v1 → pairwise-v2: what is told again, what is reported, and where."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from transforms.adapters.workbench_ab import adapt, origin

RATINGS = {"factuality": 5, "reasoning": 4, "instruction_adherence": 5, "style": 4}
TALK = [
    {"role": "user", "content": "First."},
    {"role": "assistant", "content": "Yes."},
    {"role": "user", "content": "?"},
]
NONE, MISSING = "adapter-no-equivalent", "adapter-missing-rating"
ABSENT = object()


def source(**members: Any) -> dict[str, Any]:
    """A sound record with other members; ABSENT takes one away."""
    value = {
        "schema_version": "workbench-ab-v1",
        "task_id": "parse-1",
        "prompt": "Parse it.",
        "response_a": "One way.",
        "response_b": "Another way.",
        "model_a": "x",
        "choice": "B",
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": RATINGS,
        "comments": "B does what was asked for.",
        "rubric_version": "code-review-v1",
        "contributor": "c-1",
        "submitted_at": "2026-03-04T09:15:00Z",
    } | members
    return copy.deepcopy({name: member for name, member in value.items() if member is not ABSENT})


def scored(**scores: Any) -> dict[str, Any]:
    return source(criteria={name: score for name, score in (RATINGS | scores).items() if score is not ABSENT})


def found(value: dict[str, Any], *left: str) -> list[tuple[str, str]]:
    findings = adapt(value, frozenset(left))
    assert isinstance(findings, tuple)
    return [(finding.code, finding.pointer) for finding in findings]


def test_a_prompt_becomes_the_user_s_turn() -> None:
    assert adapt(source(), frozenset()) == {
        "task_id": "parse-1",
        "messages": [{"role": "user", "content": "Parse it."}],
        "response_a": "One way.",
        "response_b": "Another way.",
        "preference": "B",
        "rationale": "B does what was asked for.",
        "golden_patch": None,
        "schema_version": "pairwise-v2",
        "rubric_version": "code-review-v1",
        "ratings": RATINGS,
    }


def test_messages_and_a_correction_are_taken_as_they_are() -> None:
    value = adapt(source(prompt=ABSENT, messages=TALK, correction="Do it thus."), frozenset())
    assert isinstance(value, dict)
    assert (value["messages"], value["golden_patch"]) == (TALK, "Do it thus.")


def test_the_source_is_not_changed() -> None:
    value = source(prompt=ABSENT, messages=TALK)
    before = copy.deepcopy(value)
    adapt(value, frozenset())
    assert value == before


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (scored(style=ABSENT), [(MISSING, "/criteria")]),
        (scored(style=None), [(MISSING, "/criteria/style")]),
        (source(criteria={}), [(MISSING, "/criteria")] * 4),
        (source(criteria={"correctness": 5}), [*[(MISSING, "/criteria")] * 4, (NONE, "/criteria/correctness")]),
        (source(choice=None), [(NONE, "/choice")]),
        (source(comments=None), [(NONE, "/comments")]),
        (source(comments=ABSENT), [(NONE, "")]),
        (source(rubric_version=None), [(NONE, "/rubric_version")]),
        (source(rubric_version=ABSENT), [(NONE, "")]),
        (source(scale={"minimum": 1, "maximum": 10}), [(NONE, "/scale")]),
        (source(scale={"minimum": 0, "maximum": 5}), [(NONE, "/scale")]),
        (scored(style=3.5), [(NONE, "/criteria/style")]),
        (scored(style={"a": 4, "b": 4}), [(NONE, "/criteria/style")]),
        (scored(speed=3, memory=None), [(NONE, "/criteria/speed"), (NONE, "/criteria/memory")]),
        (source(prompt=ABSENT, messages=[*TALK, {"role": "tool", "content": "3"}]), [(NONE, "/messages/3/role")]),
    ],
)
def test_what_cannot_be_told(value: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert found(value) == expected


def test_all_is_reported_at_once() -> None:
    value = scored(style=None, speed=2, reasoning=2.5) | {"choice": None}
    expected = [
        (MISSING, "/criteria/style"),
        (NONE, "/choice"),
        (NONE, "/criteria/reasoning"),
        (NONE, "/criteria/speed"),
    ]
    assert found(value) == expected


def test_a_campaign_may_leave_criteria_in_the_source_but_no_rating() -> None:
    assert adapt(scored(speed=3), frozenset({"speed"})) == adapt(source(), frozenset())
    assert found(scored(speed=3, memory=2), "speed") == [(NONE, "/criteria/memory")]
    assert found(scored(style=ABSENT), "style") == [(MISSING, "/criteria")]


def test_a_scale_written_otherwise_is_the_same_scale() -> None:
    assert adapt(source(scale={"minimum": 1.0, "maximum": 5.0}), frozenset()) == adapt(source(), frozenset())


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("", ""),
        ("/messages/0/content", "/prompt"),
        ("/messages", "/prompt"),
        ("/preference", "/choice"),
        ("/rationale", "/comments"),
        ("/golden_patch", "/correction"),
        ("/ratings", "/criteria"),
        ("/ratings/style", "/criteria/style"),
        ("/task_id", "/task_id"),
        ("/response_b", "/response_b"),
        ("/criteria/style", "/criteria/style"),
    ],
)
def test_origin(pointer: str, expected: str) -> None:
    assert origin(pointer, source()) == expected
    assert origin(expected, source()) == expected


def test_messages_are_their_own_origin() -> None:
    assert origin("/messages/2/content", source(prompt=ABSENT, messages=TALK)) == "/messages/2/content"
