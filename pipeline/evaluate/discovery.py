"""Which tests a suite has, found in its text: what must have passed is known before anything of it runs."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from pipeline.evaluate.rooms.plan import SOLUTION

_PREFIX = "test"
_CASES = frozenset({"TestCase", "IsolatedAsyncioTestCase"})
_LOADED = (".py", ".pyc", ".so")
# The harness imports from the first; of `test` it needs nothing, and a suite of one file may well have that name.
_TAKEN = frozenset({"pipeline"}) | sys.stdlib_module_names - {"test"}
_MOST_TESTS, _MOST_NAME = 4096, 256

Functions = ast.FunctionDef | ast.AsyncFunctionDef


class Undiscoverable(Exception):
    """The tests cannot all be told from the text; the message says why."""


def discover(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The names of all tests: `folder/test_file.py::Class::test_method`, `folder/test_file.py::test_function`.

    Tests stand in files named `test*.py`: functions of that beginning at the top, and methods of that beginning in
    classes that derive from unittest's cases, by whatever name the file imports these, or from such classes of the
    same file. Raises Undiscoverable.
    """
    _refuse_taken_names(files)
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
    cases = _names_of_cases(body) - classes.keys()
    for node in body:
        if isinstance(node, Functions) and node.name.startswith(_PREFIX):
            if isinstance(node, ast.AsyncFunctionDef):
                raise Undiscoverable(f"{path}::{node.name} is asynchronous: it needs an IsolatedAsyncioTestCase")
            yield node.name
        elif isinstance(node, ast.ClassDef) and classes[node.name] is node:
            ancestry = _ancestry(node, classes)
            if any(_last_name(base) in cases for each in ancestry for base in each.bases):
                yield from (f"{node.name}::{name}" for name in _methods(ancestry))


def _refuse_taken_names(files: Mapping[str, bytes]) -> None:
    """The harness would import the suite's file for its own, or the suite another for its file."""
    for path in map(PurePosixPath, sorted(files)):
        name = path.parts[0].partition(".")[0]
        hidden = name == "test" and len(path.parts) > 1 and "test/__init__.py" not in files
        if path.suffix in _LOADED and (name in _TAKEN or hidden):
            raise Undiscoverable(f"{path} cannot be imported: there is another module {name!r}")


def _names_of_cases(body: list[ast.stmt]) -> frozenset[str]:
    """What the file calls unittest's cases."""
    names = set(_CASES)
    for node in body:
        if isinstance(node, ast.ImportFrom):
            names.update(name.asname for name in node.names if name.asname and name.name in _CASES)
        elif isinstance(node, ast.Assign) and _last_name(node.value) in names:
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return frozenset(names)


def _last_name(node: ast.expr) -> str:
    """`c` of `a.b.c` and of `c`; empty for any other expression."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _refuse_all_names(path: str, parsed: ast.Module) -> None:
    """The code would say what its tests use: its own `sorted`, or its own `abs`."""
    for node in ast.walk(parsed):
        if isinstance(node, ast.ImportFrom) and node.module == SOLUTION and node.names[0].name == "*":
            raise Undiscoverable(f"{path} imports every name of the code; import those that are tested")


def _ancestry(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> list[ast.ClassDef]:
    """The class and those of the file that it derives from, bases before what derives from them, each once."""
    found: dict[str, ast.ClassDef] = {}
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.name not in found:
            found[each.name] = each
            waiting += [classes[base.id] for base in each.bases if isinstance(base, ast.Name) and base.id in classes]
    return list(reversed(found.values()))


def _methods(ancestry: Iterable[ast.ClassDef]) -> Iterator[str]:
    """The names of the test methods of these classes, each possibly more than once."""
    parts = (part for each in ancestry for part in each.body)
    return (part.name for part in parts if isinstance(part, Functions) and part.name.startswith(_PREFIX))
