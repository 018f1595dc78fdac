"""The room of the tests: they run here, and what they call as `solution` runs in the other room.

What they print goes to standard error. Standard output is the report, a JSON object a line: first that the room is
entered, at the end what became of the tests.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any, BinaryIO

from pipeline.evaluate.rooms.loading import load
from pipeline.evaluate.rooms.outcomes import PASSED, Outcomes
from pipeline.evaluate.rooms.peer import Line, Peer
from pipeline.evaluate.rooms.plan import SOLUTION, enter, private, read_plan
from pipeline.evaluate.rooms.remote import LENT
from pipeline.evaluate.rooms.values import FUNCTIONS, TYPES


class Solution(ModuleType):
    """The candidate's module, as the tests import it."""

    def __init__(self, module: Any) -> None:
        super().__init__(SOLUTION)
        self.__dict__["_assay_module"] = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_assay_module"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_assay_module"], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self.__dict__["_assay_module"], name)


def _say(report: BinaryIO, **members: Any) -> None:
    report.write(json.dumps(members).encode() + b"\n")
    report.flush()


def _run(line: Line, tests: Sequence[str]) -> tuple[Outcomes, list[str]]:
    """Load the candidate's module, then the tests, and run them."""
    peer = Peer(line, LENT, sends=FUNCTIONS, takes=TYPES)
    outcomes = Outcomes(tests, lambda: peer.lost)
    try:
        loaded = line.receive()
        sys.modules[SOLUTION] = Solution(peer.read_object(loaded["module"]))
    except Exception:
        # The code cannot be loaded.
        return outcomes, []
    suites, others = load(tests, outcomes)
    for suite in suites:
        # What a fixture of a class lets through would end the others as well.
        with suppress(BaseException):
            suite.run(outcomes)
    return outcomes, others


def main() -> int:
    """Run the tests; 0 where all passed, else 1."""
    channel, output = private(0), os.dup(1)
    os.dup2(2, 1)
    plan = read_plan()
    with (
        os.fdopen(channel, "rb") as reader,
        os.fdopen(os.dup(channel), "wb") as writer,
        os.fdopen(output, "wb") as report,
    ):
        enter(plan)
        line = Line(reader, writer)
        _say(report, entered=True)
        try:
            line.receive()
        except Exception:
            return 1
        _say(report, candidate_entered=True)
        line.send({"begin": True})
        warnings.filterwarnings("error", message=".*return a value that is not None.*")
        outcomes, others = _run(line, plan.tests)
        _say(report, outcomes=outcomes.by_name, others=others)
    return 0 if set(outcomes.by_name.values()) == {PASSED} else 1


if __name__ == "__main__":
    sys.exit(main())
