"""Bounds on work that do not depend on the machine: so many calls of Python functions, and then no more."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any


class OutOfFuel(BaseException):
    """The work took more calls than it was given. No Exception, lest a library's `except Exception` catch it."""


@dataclass(slots=True)
class Fuel:
    """What is left to spend on one answer.

    `evaluations` counts nodes of expressions evaluated at a point, weighted by precision; `calls` those of Python
    functions in proofs, of which one step of a proof gets `calls_per_step` at most.
    """

    evaluations: int = 40_000
    calls: int = 2_000_000
    calls_per_step: int = 400_000

    def evaluate(self, nodes: int) -> bool:
        """Spend on evaluating; False where too little is left."""
        self.evaluations -= nodes
        return self.evaluations >= 0

    def run(self, work: Callable[[], Any]) -> Any:
        """What `work` returns. Raises OutOfFuel, inside it, once it has made the calls it may. Not to be nested."""
        left = granted = min(self.calls, self.calls_per_step)
        outermost = sys._getframe()

        def count(frame: FrameType, _event: str, _argument: object) -> None:
            # Called for each call of a Python function; as it returns nothing, not for the lines of that function.
            nonlocal left
            left -= 1
            if left < 0:
                _stop(frame.f_back, outermost)

        before = sys.gettrace()
        sys.settrace(count)
        try:
            found = work()
        finally:
            sys.settrace(before)
            self.calls -= granted - max(left, 0)
        if left < 0:  # raised where nobody could hear it, in a finalizer
            raise OutOfFuel
        return found


def _stop(frame: FrameType | None, outermost: FrameType) -> None:
    """Have each frame from here to the outermost one, not included, raise OutOfFuel at its next line.

    Raised in the called frame instead, it would be lost where that is a generator being closed, and tracing with it.
    """
    while frame is not None and frame is not outermost:
        frame.f_trace = _raise
        frame = frame.f_back


def _raise(_frame: FrameType, event: str, _argument: object) -> None:
    # Only where the frame goes on: a generator being closed sees an exception and a return, and loses what it raises.
    if event == "line":
        raise OutOfFuel
