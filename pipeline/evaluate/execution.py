"""A task's tests over a candidate's code: two rooms, and what is believed of what comes out of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.evaluate.pair import Ended, run_pair
from pipeline.evaluate.rooms.outcomes import ERROR, FAILED, PASSED
from pipeline.evaluate.rooms.plan import SOLUTION
from pipeline.evaluate.sandbox import CODE, ROOM, SUITE, Room, Sandbox
from pipeline.evaluate.suites import LoadedSuite
from pipeline.exits import Exit, RunError
from transforms.records import Json

_PACKAGE = "pipeline.evaluate.rooms"
_OUTCOMES = frozenset((PASSED, FAILED, ERROR))
_MOST_FAILED = 256


@dataclass(frozen=True, slots=True)
class Result:
    """How the tests ended: their exit status, None where they were killed or said nothing; and the numbers.

    `failed` are the first 256 names of those that failed, by name; `errors` counts those that did not end, those that
    were skipped, and all of them where the run did not come to its end.
    """

    exit_status: int | None
    timed_out: bool
    passed: int
    failed: tuple[str, ...]
    errors: int


def execute(sandbox: Sandbox, program: str, suite: LoadedSuite, timeout_seconds: int) -> Result:
    """Run the suite over a program.

    Raises RunError where the rooms do not open, or where the suite has other tests than its text says.
    """
    candidate = Room({**harness(), CODE / f"{SOLUTION}.py": program.encode()}, (CODE,), f"{_PACKAGE}.candidate")
    files = {SUITE / path: data for path, data in suite.files.items()}
    tests = Room({**harness(), **files}, (SUITE,), f"{_PACKAGE}.tests", suite.tests)
    ended = run_pair(sandbox, candidate, tests, timeout_seconds)
    said = list(_said(ended.report))
    _opened(said, ended)
    return _result(said, ended, suite)


@cache
def harness() -> dict[Path, bytes]:
    """What both rooms run, by its path inside."""
    sources = sorted((Path(__file__).parent / "rooms").glob("*.py"))
    return {ROOM / _PACKAGE.replace(".", "/") / path.name: path.read_bytes() for path in sources}


def _said(report: bytes) -> Iterator[Json]:
    """The lines of a report, as far as they are objects."""
    for line in report.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            yield value


def _opened(said: Iterable[Json], ended: Ended) -> None:
    """Raise RunError unless our own code came to run in both rooms: that they did not open says nothing of theirs."""
    members = {name for line in said for name in line}
    for name, printed in (("entered", ended.said[1]), ("candidate_entered", ended.said[0])):
        if name not in members:
            words = printed.decode(errors="replace").strip().splitlines()
            why = words[-1] if words else "no room opened in time" if ended.timed_out else "it said nothing"
            raise RunError(Exit.INTEGRITY, f"the sandbox does not open: {why}")


def _result(said: Iterable[Json], ended: Ended, suite: LoadedSuite) -> Result:
    last = next((line for line in said if "outcomes" in line), None)
    if last and (others := last.get("others")):
        raise RunError(Exit.USAGE, f"tests that cannot be told from the suite's text: {_listed(others)}")
    if ended.timed_out or ended.exit_status is None or not last or not _is_whole(last["outcomes"], suite):
        return Result(None, ended.timed_out, 0, (), len(suite.tests))
    outcomes = last["outcomes"]
    counts = {outcome: [name for name in suite.tests if outcomes[name] == outcome] for outcome in _OUTCOMES}
    status = 0 if len(counts[PASSED]) == len(suite.tests) else 1
    return Result(status, False, len(counts[PASSED]), tuple(sorted(counts[FAILED])[:_MOST_FAILED]), len(counts[ERROR]))


def _is_whole(outcomes: Any, suite: LoadedSuite) -> bool:
    """Whether every test that the suite's text has, and no other, has an outcome."""
    if not isinstance(outcomes, dict) or outcomes.keys() != set(suite.tests):
        return False
    return all(isinstance(outcome, str) and outcome in _OUTCOMES for outcome in outcomes.values())


def _listed(names: Any) -> str:
    return ", ".join(map(str, names[:3])) if isinstance(names, list) else "malformed"
