"""What became of each test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from unittest import TestCase, TestResult

PASSED, FAILED, ERROR = "passed", "failed", "error"


class Outcomes(TestResult):
    """Test's name → outcome: an error for those that never ran, and for all that end while `is_lost` says so.

    A skipped test is an error, too: it was required, and did not pass.
    """

    def __init__(self, names: Sequence[str], is_lost: Callable[[], bool]) -> None:
        super().__init__()
        self.by_name = dict.fromkeys(names, ERROR)
        self._is_lost = is_lost
        # By identity, since equal cases may differ in their names; kept, so that no other takes their identity.
        self._cases: dict[int, tuple[TestCase, str]] = {}

    def name(self, case: TestCase, name: str) -> None:
        """Say which test a case is."""
        self._cases[id(case)] = case, name

    def _say(self, case: TestCase, outcome: str) -> None:
        if id(case) in self._cases:
            self.by_name[self._cases[id(case)][1]] = outcome

    def addSuccess(self, test: TestCase) -> None:
        """It passed, and all its subtests did."""
        self._say(test, PASSED)

    def addExpectedFailure(self, test: TestCase, err: Any) -> None:
        """It failed as its author expects."""
        self._say(test, PASSED)

    def addUnexpectedSuccess(self, test: TestCase) -> None:
        """It passed where its author expects it to fail."""
        self._say(test, FAILED)

    def addFailure(self, test: TestCase, err: Any) -> None:
        """What it asserts does not hold."""
        self._say(test, FAILED)

    def addError(self, test: TestCase, err: Any) -> None:
        """It ended by another exception."""
        self._say(test, ERROR)

    def addSkip(self, test: TestCase, reason: str) -> None:
        """It was not run."""
        self._say(test, ERROR)

    def addSubTest(self, test: TestCase, subtest: TestCase, err: Any) -> None:
        """A part of it ended, by an exception where there is one."""
        if err is not None:
            self._say(test, FAILED if issubclass(err[0], test.failureException) else ERROR)

    def stopTest(self, test: TestCase) -> None:
        """It ended, however it did."""
        super().stopTest(test)
        if self._is_lost():
            self._say(test, ERROR)
