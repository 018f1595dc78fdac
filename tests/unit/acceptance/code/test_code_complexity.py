from __future__ import annotations

import ast
from importlib.metadata import version

import pytest

from transforms.acceptance.code.complexity import Function, analyser, functions
from transforms.acceptance.code.syntax import parse


def measured(text: str) -> tuple[Function, ...]:
    tree = parse(text, (3, 11))
    assert isinstance(tree, ast.Module)
    return functions(tree)


# The body of a function of two parameters, and its complexity.
COUNTED = [
    ("pass", 1),
    ("return a", 1),
    ("if a: pass", 2),
    ("if a: pass\n else: pass", 2),
    ("if a: pass\n elif b: pass\n else: pass", 3),
    ("return 1 if a else 2", 2),
    ("for x in a: pass", 2),
    ("for x in a: pass\n else: pass", 3),
    ("while a: pass", 2),
    ("while a: pass\n else: pass", 3),
    ("with a, b: pass", 1),
    ("try: pass\n finally: pass", 1),
    ("try: pass\n except A: pass\n except B: pass", 3),
    ("try: pass\n except A: pass\n else: pass", 3),
    ("try: pass\n except* A: pass\n except* B: pass", 3),
    ("return a and b", 2),
    ("return a and b or a and b", 4),
    ("return [x for x in a]", 2),
    ("return {x for x in a if x if b}", 4),
    ("return (x for x in a for y in b)", 3),
    ("assert a", 2),
    ("assert a and b", 2),
    ("match a:\n  case 1: pass\n  case 2: pass", 3),
    ("match a:\n  case 1: pass\n  case _: pass", 2),
    ("match a:\n  case 1 if b: pass\n  case 2 | 3: pass", 3),
    ("return lambda x: x if a else b", 2),
    ("def g(x):\n  if x: pass\n return g", 1),
    ("class C:\n  if a: pass\n  def m(self):\n   if a: pass", 1),
    ("if (\n a\n and b\n ): pass", 3),
    ("return f'{a if b else a}'", 2),
    ("raise a", 1),
    ("break_ = a", 1),
]


@pytest.mark.parametrize(("body", "complexity"), COUNTED)
@pytest.mark.parametrize("head", ["def f(a, b):", "async def f(a, b):"])
def test_what_counts(head: str, body: str, complexity: int) -> None:
    assert Function("f", 1, complexity) in measured(f"{head}\n {body}\n")


SCOPE = [
    ("", []),
    ("if a:\n pass\nfor x in y: pass\n", []),
    ("f = lambda x: 1 if x else 2\n", []),
    ("class C:\n if a: pass\n", []),
    ("def f(): return 1 if a else 2\ndef g(): pass\n", [("f", 1, 2), ("g", 2, 1)]),
    ("def f(a):\n if a: pass\ndef f(a): pass\n", [("f", 1, 2), ("f", 3, 1)]),
    (
        "def f(a):\n def g(b):\n  if b: pass\n  def h(): return b or a\n if a or b: pass\n",
        [("f", 1, 3), ("g", 2, 2), ("h", 4, 2)],
    ),
    (
        "class C:\n def m(self):\n  if self: pass\n async def n(self):\n  async for x in y: pass\n",
        [("m", 2, 2), ("n", 4, 2)],
    ),
    ("class A:\n class B:\n  def m(self):\n   if self: pass\n", [("m", 3, 2)]),
    ("def f(a):\n class C:\n  def m(self):\n   if a: pass\n return C\n", [("f", 1, 1), ("m", 3, 2)]),
    ("if a:\n def f(a):\n  if a: pass\n", [("f", 2, 2)]),
    ("match a:\n case 1:\n  def f(a):\n   if a: pass\n", [("f", 3, 2)]),
    ("try:\n pass\nexcept* E:\n def f(a):\n  try: pass\n  except* E: pass\n", [("f", 4, 2)]),
    ("@d(lambda x: 1 if x else 2)\ndef f(a=1 if b else 2, *c: x or y) -> (x or y):\n pass\n", [("f", 2, 1)]),
]


@pytest.mark.parametrize(("text", "expected"), SCOPE, ids=lambda value: repr(value)[:40])
def test_which_functions_are_measured(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert measured(text) == tuple(Function(*each) for each in expected)


def test_nested_functions_are_measured_once_each() -> None:
    nested = "".join(f"{' ' * level}def f{level}():\n" for level in range(90)) + " " * 90 + "a;" * 20_000
    assert measured(nested) == tuple(Function(f"f{level}", level + 1, 1) for level in range(90))


def test_the_analyser_says_what_it_is() -> None:
    said = analyser()
    assert list(said) == ["name", "version", "scope", "counting"]
    assert (said["name"], said["version"]) == ("radon", version("radon"))
    assert said["version"].startswith("6.0.")
