"""Runs code and tests as `assay evaluate code` does, in rooms of the real bubblewrap."""

from __future__ import annotations

import shutil
from functools import cache

import pytest

from pipeline.evaluate.discovery import discover
from pipeline.evaluate.execution import Result, execute
from pipeline.evaluate.sandbox import Sandbox, sandbox_with
from pipeline.evaluate.suites import LoadedSuite

NEEDS_BUBBLEWRAP = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="THE SANDBOX IS NOT TESTED: there is no bwrap; install bubblewrap"
)
SECONDS = 20

FILE = "test_it.py"
DOUBLING = """
from unittest import TestCase
import solution

class Doubling(TestCase):
    def test_large(self):
        self.assertEqual(solution.double(40), 80)

    def test_small(self):
        self.assertEqual(solution.double(2), 4)
"""
LARGE, SMALL = f"{FILE}::Doubling::test_large", f"{FILE}::Doubling::test_small"
HONEST = "def double(number):\n    return 2 * number\n"

PASSED = Result(0, False, 2, (), 0)
WRONG = Result(1, False, 0, (LARGE, SMALL), 0)
BROKEN = Result(1, False, 0, (), 2)
KILLED = Result(None, False, 0, (), 2)
TIMED_OUT = Result(None, True, 0, (), 2)


@cache
def sandbox() -> Sandbox:
    return sandbox_with()


def suite(**files: str) -> LoadedSuite:
    """The suite of these files, by their names without suffix."""
    data = {f"{name}.py": text.encode() for name, text in files.items()}
    return LoadedSuite(data, "", discover(data))


def ran(code: str, tests: str = DOUBLING, seconds: int = SECONDS) -> Result:
    """How the tests end over the code."""
    return execute(sandbox(), code, suite(test_it=tests), seconds)
