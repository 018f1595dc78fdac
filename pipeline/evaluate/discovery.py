"""Which tests a suite has, found in its text: what must have passed is known before anything of it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from pipeline.evaluate.rooms.plan import SOLUTION

_PREFIX = "test"
_CASES = ("TestCase", "IsolatedAsyncioTestCase")
_MOST_TESTS, _MOST_NAME = 4096, 256

Functions = ast.FunctionDef | ast.AsyncFunctionDef


class Undiscoverable(Exception):
    """The tests cannot all be told from the text; the message says why."""


def discover(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The names of all tests: `folder/test_file.py::Class::test_method`, `folder/test_file.py::test_function`.

    Tests stand in files named `test*.py`: functions of that beginning at the top, and methods of that beginning in
    classes that derive from unittest's cases, directly or by classes of the same file. Raises Undiscoverable.
    """
    names = [f"{path}::{name}" for path, data in sorted(files.items()) for name in dict.fromkeys(_in_file(path, data))]
    if not names:
        raise Undiscoverable("holds no tests")
    if len(names) > _MOST_TESTS:
        raise Undiscoverable(f"has {len(names)} tests; {_MOST_TESTS} are allowed")
    if long := [name for name in names if len(name) > _MOST_NAME]:
        raise Undiscoverable(f"has a test whose name is longer than {_MOST_NAME} characters: {long[0][:60]}…")
    return tuple(names)


def _in_file(path: str, data: bytes) -> Iterator[str]:
    file = PurePosixPath(path)
    if file.suffix != ".py":
        return
    try:
        parsed = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Undiscoverable(f"{path} cannot be parsed: {type(error).__name__}") from error
    _refuse_all_names(path, parsed)
    if not file.name.startswith(_PREFIX):
        return
    if not all(part.isidentifier() for part in file.with_suffix("").parts):
        raise Undiscoverable(f"{path} has a name that cannot be imported")
    yield from _in_module(path, parsed.body)


def _in_module(path: str, body: list[ast.stmt]) -> Iterator[str]:
    classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
    for node in body:
        if isinstance(node, Functions) and node.name.startswith(_PREFIX):
            if isinstance(node, ast.AsyncFunctionDef):
                raise Undiscoverable(f"{path}::{node.name} is asynchronous: it needs an IsolatedAsyncioTestCase")
            yield node.name
        elif isinstance(node, ast.ClassDef) and classes[node.name] is node and _is_case(node, classes, set()):
            yield from (f"{node.name}::{name}" for name in _methods(node, classes))


def _refuse_all_names(path: str, parsed: ast.Module) -> None:
    """The code would say what its tests use: its own `sorted`, or its own `abs`."""
    for node in ast.walk(parsed):
        if isinstance(node, ast.ImportFrom) and node.module == SOLUTION and node.names[0].name == "*":
            raise Undiscoverable(f"{path} imports every name of the code; import those that are tested")


def _bases(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> Iterator[ast.ClassDef]:
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            yield classes[base.id]


def _is_case(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], seen: set[str]) -> bool:
    if node.name in seen:
        return False
    seen.add(node.name)
    named = (base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in node.bases)
    return any(name in _CASES for name in named) or any(_is_case(base, classes, seen) for base in _bases(node, classes))


def _methods(
    node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], seen: frozenset[str] = frozenset()
) -> Iterator[str]:
    """The names of a class's test methods, its bases' included, each possibly more than once."""
    if node.name in seen:
        return
    for base in _bases(node, classes):
        yield from _methods(base, classes, seen | {node.name})
    for part in node.body:
        if isinstance(part, Functions) and part.name.startswith(_PREFIX):
            yield part.name
