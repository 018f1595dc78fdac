"""The standings of a criterion: one row for each input and check, which the schema leaves open."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from transforms.baselines.stated import agrees, is_count, is_number, shown
from transforms.parsing.json_reference import pointer
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext

STANDINGS_SHAPE = Code(
    "standings-shape",
    Stage.RULES,
    Severity.REJECT,
    "A standings block is not made as mavai-explore-1 defines it: rows with their input, check and counts, a fraction "
    "that fits the counts, excerpts of what was observed that do not outnumber the trials.",
    "a row without `optional`, or standings with an empty `rows`",
    "Write the block as the exploration artefact does, or leave it out.",
)
CODES: tuple[Code, ...] = (STANDINGS_SHAPE,)

_LONGEST = 256
_SLACK = re.compile(r"[0-9]+%?")
_TALLIES = ("passed", "failed", "skipped")
_Fault = tuple[tuple[str | int, ...], str]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_check(value: Any) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= _LONGEST


def _is_excerpt(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool)


_Test = tuple[Callable[[Any], bool], str]
_COUNT = (is_count, "must be an integer from 0")
_TEXT = (_is_text, "must be a text")
_TRUTH = (_is_truth, "must be true or false")
_ROW: dict[str, _Test] = {
    "inputIndex": _COUNT,
    "check": (_is_check, f"must be a text of 1 to {_LONGEST} characters"),
    "optional": _TRUTH,
    "passed": _COUNT,
    "failed": _COUNT,
    "skipped": _COUNT,
}
_ROW_OPTIONAL: dict[str, _Test] = {
    "path": _TEXT,
    "form": _TEXT,
    "expected": _TEXT,
    "elided": _COUNT,
    "provenance": (lambda value: value in ("criterion", "input"), 'must be "criterion" or "input"'),
    "observed": (lambda value: isinstance(value, list), "must be an array"),
}
_OBSERVED: dict[str, _Test] = {
    "excerpt": (_is_excerpt, f"must be a text of at most {_LONGEST} characters"),
    "count": (lambda value: is_count(value) and value >= 1, "must be an integer from 1"),
    "held": _TRUTH,
}


def _check_standings(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for name, criterion in value["criteria"].items():
        for path, message in _faults(criterion["standings"]) if "standings" in criterion else ():
            yield Finding(STANDINGS_SHAPE.code, message, pointer(("criteria", name, "standings", *path)))


def _faults(standings: Json) -> Iterator[_Fault]:
    slack = standings.get("optionalSlack", "0")
    if not isinstance(slack, str) or not _SLACK.fullmatch(slack):
        yield ("optionalSlack",), "must be a text of digits, with % after them or not"
    rows = standings.get("rows")
    if not isinstance(rows, list) or not rows:
        yield ("rows",) if "rows" in standings else (), "must have rows, at least one"
        return
    for place, row in enumerate(rows):
        for path, message in _row_faults(row):
            yield ("rows", place, *path), message


def _row_faults(row: Any) -> Iterator[_Fault]:
    if not isinstance(row, dict):
        yield (), "must be an object"
        return
    broken = [*_required(row, _ROW), *_optional(row, _ROW_OPTIONAL)]
    yield from broken
    if broken:
        return  # what follows counts on these
    trials = sum(int(row[name]) for name in _TALLIES)
    yield from _fraction_fault(row, trials)
    yield from _observed_faults(row.get("observed", ()), trials)


def _fraction_fault(row: Json, trials: int) -> Iterator[_Fault]:
    """A row without trials has no fraction: there 0, null and nothing will do."""
    stated: Any = row.get("observedFraction")
    passed = int(row["passed"])
    if trials == 0:
        if stated is not None and not (is_number(stated) and stated == 0):
            yield ("observedFraction",), "must be 0, null or absent where nothing was counted"
    elif "observedFraction" not in row:
        yield (), "is missing observedFraction"
    elif not is_number(stated):
        yield ("observedFraction",), "must be a number"
    elif not agrees(stated, Fraction(passed, trials)):
        counts = f"{shown(passed)}/{shown(trials)}"
        yield ("observedFraction",), f"{counts} is {passed / trials:.6f}, not {shown(stated)}"


def _observed_faults(observed: Any, trials: int) -> Iterator[_Fault]:
    counted, broken = 0, False
    for place, sample in enumerate(observed):
        if not isinstance(sample, dict):
            yield ("observed", place), "must be an object"
            broken = True
            continue
        for path, message in _required(sample, _OBSERVED):
            yield ("observed", place, *path), message
            broken = True
        counted += 0 if broken else int(sample["count"])
    if not broken and counted > trials:
        yield ("observed",), f"the counts sum to {shown(counted)}, the row has {shown(trials)} trials"


def _required(value: Json, tests: dict[str, _Test]) -> Iterator[_Fault]:
    for name in tests:
        if name not in value:
            yield (), f"is missing {name}"
    yield from _optional(value, tests)


def _optional(value: Json, tests: dict[str, _Test]) -> Iterator[_Fault]:
    for name, (holds, message) in tests.items():
        if name in value and not holds(value[name]):
            yield (name,), message


RULES: tuple[Rule, ...] = (Rule((STANDINGS_SHAPE,), _check_standings),)
