"""Which streams an export takes."""

from __future__ import annotations

import pytest

from pipeline.exits import Exit, RunError
from pipeline.export.streams import chosen_streams
from pipeline.export.values import Choices

KINDS = {"b": "pairwise-v2", "a": "pairwise-v2", "qa": "grounded-qa-v1", "tasks": "input-task-v1"}


def chosen(form: str, *streams: str) -> tuple[str, ...]:
    return chosen_streams(KINDS, Choices(form, streams or None))


def test_all_that_the_format_carries() -> None:
    assert chosen("trl-preference") == ("a", "b")
    assert chosen("conversational") == ("qa",)
    assert chosen("jsonl") == ("a", "b", "qa", "tasks")


def test_those_that_are_named_sorted_and_once() -> None:
    assert chosen("jsonl", "qa", "a", "qa") == ("a", "qa")


@pytest.mark.parametrize(
    ("form", "stream", "reason"),
    [
        ("trl-preference", "none", "the run has no stream none; trl-preference carries a, b"),
        ("trl-preference", "qa", "stream qa holds grounded-qa-v1; trl-preference carries a, b"),
    ],
)
def test_refused(form: str, stream: str, reason: str) -> None:
    with pytest.raises(RunError) as raised:
        chosen(form, "a", stream)
    assert (raised.value.exit_code, raised.value.reason) == (Exit.USAGE, reason)


def test_none_at_all() -> None:
    with pytest.raises(RunError) as raised:
        chosen_streams({"tasks": "input-task-v1"}, Choices("conversational"))
    assert raised.value.reason == "conversational carries no stream of this run, which has tasks (input-task-v1)"
