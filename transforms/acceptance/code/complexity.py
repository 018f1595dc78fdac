"""McCabe's cyclomatic complexity of each function, as `radon` counts it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version

from radon.visitors import ComplexityVisitor  # type: ignore[import-untyped]

_SCOPE = (
    "each def and async def, wherever it stands, by itself: methods, nested functions, functions of nested classes. "
    "Not counted: code of modules and of class bodies, decorators, defaults, annotations"
)
_COUNTING = (
    "1, and 1 for each if, elif, conditional expression, for, while, except, except*, else of a loop or try, "
    "comprehension, if in one, operand of and/or after the first, assert (nothing within it) and case (less one where "
    "a case takes anything; guards are not counted). What a lambda holds counts for the function it stands in, what a "
    "nested function or class holds does not"
)


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a piece of code, the line it begins at, and its complexity."""

    name: str
    line: int
    complexity: int


def analyser() -> Mapping[str, str]:
    """What measures complexity: name, version, which functions it looks at, and what it counts."""
    return {"name": "radon", "version": version("radon"), "scope": _SCOPE, "counting": _COUNTING}


def functions(tree: ast.Module) -> tuple[Function, ...]:
    """The functions of a tree from `syntax.parse`, in the order of their lines. The tree is left as it was.

    radon leaves out functions of classes in functions, and handlers of `except*`. So each function is measured by
    itself, from the inside out, and its body then taken away, so that none is measured twice.
    """
    found: list[Function] = []
    bodies: list[tuple[ast.FunctionDef | ast.AsyncFunctionDef, list[ast.stmt]]] = []
    stars: list[ast.TryStar] = []
    for node in reversed(list(ast.walk(tree))):
        if isinstance(node, ast.TryStar):
            stars.append(node)
            node.__class__ = ast.Try  # type: ignore[assignment]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(Function(node.name, node.lineno, _complexity(node)))
            bodies.append((node, node.body))
            node.body = [ast.Pass()]
    for function, body in bodies:
        function.body = body
    for star in stars:
        star.__class__ = ast.TryStar
    return tuple(sorted(found, key=lambda function: (function.line, function.name)))


def _complexity(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    visitor = ComplexityVisitor(off=False)
    visitor.visit(node)
    return int(visitor.functions[-1].complexity)
