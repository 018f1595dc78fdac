"""Faults across records: small groups of records that repeat or contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from pipeline.sample.pairwise import Record, line, record


@dataclass(frozen=True, slots=True)
class Group:
    """How a group is made of one sound record, and how many of its records get which code.

    `build` gives the lines; `per_million` is the share of such groups among all records.
    """

    name: str
    build: Callable[[Random, int], list[bytes]]
    codes: Mapping[str, int]
    rejected: int
    held: int
    per_million: int = 200


def _sided(random: Random, number: int) -> Record:
    """A sound record that prefers A."""
    rationale = "Response A keeps the order that was asked for, while response B raises on an empty list."
    return {**record(random, number), "preference": "A", "rationale": rationale, "golden_patch": None}


def _swapped(value: Record, number: int, preference: str) -> Record:
    swapped = {"response_a": value["response_b"], "response_b": value["response_a"], "preference": preference}
    rationale = "Nothing but the order asked for separates the two, and only one of them keeps it."
    return {**value, **swapped, "task_id": f"task-{number:08d}-again", "rationale": rationale}


def _duplicate(random: Random, number: int) -> list[bytes]:
    value = record(random, number)
    return [line(value), line(dict(reversed(value.items())))]


def _conflict(random: Random, number: int) -> list[bytes]:
    value = record(random, number)
    return [line(value), line({**value, "response_b": value["response_b"] + " Once more, otherwise."})]


def _repeated(random: Random, number: int) -> list[bytes]:
    value = _sided(random, number)
    return [line(value), line({**value, "ratings": {**value["ratings"], "style": 1}})]


def _candidates(random: Random, number: int) -> list[bytes]:
    value = _sided(random, number)
    return [line(value), line(_swapped(value, number, "B"))]


def _contradiction(random: Random, number: int) -> list[bytes]:
    value = _sided(random, number)
    return [line(value), line(_swapped(value, number, "A"))]


GROUPS: tuple[Group, ...] = (
    Group("duplicate", _duplicate, {"duplicate-record": 1}, rejected=1, held=0, per_million=1000),
    Group("conflict", _conflict, {"task-conflict": 2}, rejected=2, held=0),
    Group("repetition", _repeated, {"repeated-annotation": 2}, rejected=0, held=2),
    Group("candidates", _candidates, {"duplicate-candidates": 2}, rejected=0, held=2),
    Group(
        "contradiction",
        _contradiction,
        {"duplicate-candidates": 2, "contradictory-preference": 2},
        rejected=0,
        held=2,
    ),
)
