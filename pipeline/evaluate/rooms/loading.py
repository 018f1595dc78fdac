"""From the names of tests to the cases that run them, inside the room of the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import groupby
from pathlib import PurePosixPath
from types import FunctionType, ModuleType
from typing import Any
from unittest import FunctionTestCase, TestCase, TestSuite, defaultTestLoader

from pipeline.evaluate.rooms.outcomes import Outcomes


def module_of(file: str) -> str:
    """The name that a suite's file is imported by."""
    return ".".join(PurePosixPath(file).with_suffix("").parts)


def load(names: Sequence[str], outcomes: Outcomes) -> tuple[list[TestSuite], list[str]]:
    """The cases of all files that can be loaded, and the names of tests that these hold beyond `names`.

    A name is `folder/test_file.py::Class::test_method` or `folder/test_file.py::test_function`.
    """
    suites, others = [], []
    for file, group in groupby(names, key=lambda name: name.partition("::")[0]):
        planned = list(group)
        try:
            module = import_module(module_of(file))
            suites.append(TestSuite(_cases(module, planned, outcomes)))
        except BaseException:
            # Its tests stay errors.
            continue
        others += sorted({f"{file}::{name}" for name in _present(module)}.difference(names))
    return suites, others


def _cases(module: ModuleType, names: Sequence[str], outcomes: Outcomes) -> Iterator[TestCase]:
    # Of this module, so that its fixtures are run.
    of_function = type("Function", (FunctionTestCase,), {"__module__": module.__name__})
    for name in names:
        owner, _, test = name.partition("::")[2].rpartition("::")
        case = getattr(module, owner)(test) if owner else of_function(_told_nothing(getattr(module, test)))
        outcomes.name(case, name)
        yield case


def _told_nothing(function: Callable[[], Any]) -> Callable[[], None]:
    """The test; one that returns something, such as a coroutine, may not have run."""

    def run() -> None:
        if function() is not None:
            raise TypeError("a test returns nothing")

    return run


def _present(module: ModuleType) -> Iterator[str]:
    """The tests that the loaded module has, as unittest finds them, and functions beside them."""
    for name, value in vars(module).items():
        if isinstance(value, type) and issubclass(value, TestCase):
            yield from (f"{name}::{test}" for test in defaultTestLoader.getTestCaseNames(value))
        elif isinstance(value, FunctionType) and name.startswith("test"):
            yield name
