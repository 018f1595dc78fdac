"""Constructs that the parser takes for every version although they came with one of them.

`ast.parse` refuses most constructs that are newer than the version it is asked for, and not these. Two are found by
neither: `:=` without parentheses in a set or an index (3.10), and an asynchronous comprehension within one that is not
(3.11).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from transforms.acceptance.code.syntax import Unreadable

_DECORATOR = (3, 9), "a decorator that is no dotted name or a call of one"
_ITERATED = (3, 9), "an unpacking without parentheses in the head of a loop"
_INDEX = (3, 11), "an unpacking in an index"
_PARAMETER = (3, 11), "an unpacking as the annotation of a parameter"


def newer_construct(tree: ast.Module, version: tuple[int, int]) -> Unreadable | None:
    """The first construct in a tree that the version does not have, by its line."""
    found = [(line, since, what) for line, (since, what) in _constructs(tree) if since > version]
    if not found:
        return None
    line, since, what = min(found)
    return Unreadable(True, f"{what}, which came with Python {since[0]}.{since[1]}", line)


def _constructs(tree: ast.Module) -> Iterator[tuple[int, tuple[tuple[int, int], str]]]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from ((each.lineno, _DECORATOR) for each in node.decorator_list if not _is_plain(each))
            case ast.For(iter=ast.Tuple() as listed) | ast.AsyncFor(iter=ast.Tuple() as listed) if _unpacks(listed):
                yield listed.lineno, _ITERATED
            case ast.Subscript(slice=ast.Tuple() as index) if _unpacks(index):
                yield index.lineno, _INDEX
            case ast.arg(annotation=ast.Starred()):
                yield node.lineno, _PARAMETER


def _is_plain(decorator: ast.expr) -> bool:
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    while isinstance(named, ast.Attribute):
        named = named.value
    return isinstance(named, ast.Name)


def _unpacks(listed: ast.Tuple) -> bool:
    """Whether a tuple without parentheses unpacks something. With them it would begin before its first element."""
    bare = bool(listed.elts) and (listed.lineno, listed.col_offset) == (
        listed.elts[0].lineno,
        listed.elts[0].col_offset,
    )
    return bare and any(isinstance(element, ast.Starred) for element in listed.elts)
