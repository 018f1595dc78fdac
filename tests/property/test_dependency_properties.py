"""A program that passes the gate for dependencies imports nothing else, by what a tracing importer sees of it."""

from __future__ import annotations

import ast
import builtins
from types import SimpleNamespace
from typing import Any

import pytest
from code_subjects import PYTHON
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.acceptance.code.compiled import compile_fault
from transforms.acceptance.code.complexity import functions
from transforms.acceptance.code.dependencies import unapproved
from transforms.acceptance.code.extract import Found, find_code
from transforms.acceptance.code.imports import is_approved
from transforms.acceptance.code.syntax import parse

FEW = settings(max_examples=300, deadline=None)
MODULES = st.sampled_from(
    ["json", "os.path", "numpy", "numpy.linalg", "requests", "pandas.io", "google.cloud.storage", "google.cloud", "_io"]
)
WAYS = st.sampled_from(
    [
        "import M", "import M as x", "from M import y", "from M import y as z, w", "__import__('M')",
        "__import__('M', fromlist=['y'])", "f = __import__\nf('M')", "n = 'M'\n__import__(n)", "exec('import M')",
        "exec('exec(\"import M\")')", "eval('__import__(\"M\")')", "import importlib as i\ni.import_module('M')",
        "from importlib import import_module as load\nload('M')", "import importlib as i\ni.import_module(name='M')",
        "import importlib as i\ngetattr(i, 'import_module')('M')", "import sys\nsys.modules['M']",
        "import importlib as i\ngetattr(i, 'import_' + 'module')('M')", "import sys as s\ns.modules.get('M')",
        "import sys\nm = sys.modules\nm['M']", "import builtins as b\nb.exec('import M')",
        "import builtins as b\nvars(b)['exec']('import M')", "import builtins as b\nc = b\nc.exec('import M')",
        "import json as b, builtins as b\nb.exec('import M')", "from builtins import exec as e\ne('import M')",
        "__builtins__['__import__']('M')", "globals()['__builtins__']['__import__']('M')",
        "list(map(__import__, ['M']))", "import os\nos.sys.modules['M']", "(lambda g: g('import M'))(exec)",
        "exec(compile('import M', 'f', 'exec'))", "c = compile('import M', 'f', 'exec')\nexec(c)",
    ]
)  # fmt: skip
FRAMES = st.sampled_from(
    ["if True:\n{}", "try:\n{}\nfinally:\n  pass", "def f():\n{}\nf()", "class C:\n{}", "for _ in [1]:\n{}", "{}"]
)


def _framed(frame: str, body: str) -> str:
    return body if frame == "{}" else frame.replace("{}", "\n".join(f"  {line}" for line in body.splitlines()))


PROGRAMS = st.recursive(
    st.builds(lambda way, module: way.replace("M", module), WAYS, MODULES),
    lambda inner: st.builds(_framed, FRAMES, inner) | st.lists(inner, min_size=1, max_size=3).map("\n".join),
    max_leaves=5,
)


class Module:
    """A stand-in for a module, in which there is everything."""

    def __getattr__(self, name: str) -> object:
        return Module()


class Loaded(dict[str, Any]):
    """`sys.modules` that tells what is looked up in it."""

    def __init__(self, seen: list[str]) -> None:
        self.seen = seen

    def __missing__(self, name: str) -> object:
        self.seen.append(name)
        return Module()

    def get(self, name: str, default: object = None) -> Any:
        return self[name]


def traced(program: str) -> list[str]:
    """What a program of the above imports when it runs. Nothing is loaded: it gets stand-ins."""
    seen: list[str] = []
    given = dict(vars(builtins))
    scope: dict[str, Any] = {"__builtins__": given, "__name__": "program"}

    def load(name: str, *_: object, **__: object) -> object:
        seen.append(name)
        system = SimpleNamespace(modules=Loaded(seen))
        stand_ins: dict[str, object] = {
            "builtins": SimpleNamespace(**given),
            "importlib": SimpleNamespace(import_module=load),
            "sys": system,
            "os": SimpleNamespace(sys=system, path=Module()),
        }
        return stand_ins.get(name, Module())

    given.update(
        __import__=load,
        exec=lambda code: exec(code, scope),
        eval=lambda code: eval(code, scope),
    )
    exec(program, scope)
    return seen


@FEW
@given(PROGRAMS)
def test_what_passes_imports_nothing_else(program: str) -> None:
    tree = parse(program, PYTHON.version)
    assert isinstance(tree, ast.Module)
    imported = traced(program)
    assert imported
    if unapproved(tree, PYTHON) == ():
        assert [name for name in imported if not is_approved(name, PYTHON)] == []


@FEW
@given(PROGRAMS)
def test_the_gates_leave_a_tree_as_it_was(program: str) -> None:
    program += "\ndef g(x):\n  try:\n    return 1 + 2 * 3\n  finally:\n    x()\ntry: x\nexcept* E: y"
    tree = parse(program, PYTHON.version)
    assert isinstance(tree, ast.Module)
    before = ast.dump(tree, include_attributes=True)
    first = unapproved(tree, PYTHON), functions(tree), compile_fault(tree)
    assert ast.dump(tree, include_attributes=True) == before
    assert (unapproved(tree, PYTHON), functions(tree), compile_fault(tree)) == first


PIECES = st.sampled_from(
    [
        "```", "~~~", "```python\n", "```text\n", "```ipython\n", "\n", "\n```\n", "> ", ">" * 25, "- ", "1. ", "    ",
        ">>> ", "... ", "In [1]: ", "import requests", "def f():", "exec(x)", "x = 1", "<pre>", "<code>", "</pre>",
        "&lt;", "\r", "\t", "\0", "\u2028", "Words.", "class C:\n", "@a", "'''",
    ]
)  # fmt: skip


@FEW
@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=100))
def test_the_same_is_found_in_any_text_again(text: str) -> None:
    first = find_code(text, PYTHON)
    parse.cache_clear()
    assert find_code(text, PYTHON) == first
    assert not first.more or first.pieces


BLOCK = "```python\nx = 1\n```\n"
HUGE = {
    "blocks": BLOCK * 5_000,
    "unlabelled": BLOCK + "```\nx\n```\n" * 10_000,
    "quotations": BLOCK + ">" * 100_000,
    "quoted-fences": BLOCK + (">" * 19 + "```python\n") * 2_000,
    "lists": BLOCK + "".join("  " * depth + "- a\n" for depth in range(300)),
    "spaces": BLOCK + " " * 100_000,
    "tags": BLOCK + "<pre>" * 20_000 + "<code " * 20_000,
    "import": BLOCK + "import " + "a.b, " * 20_000,
    "prompts": BLOCK + "```\n" + ">>> f(\n" * 10_000 + "```",
    "decorator": BLOCK + "@" + "a." * 50_000 + "!",
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_huge_texts_have_an_answer(text: str) -> None:
    found = find_code(text, PYTHON)
    assert isinstance(found, Found)
    assert found.pieces[0] == "x = 1\n"


CHAIN = "a" + ".b().c" * 30
DEEP = {
    "chains": f"x = {CHAIN}\n" * 300,
    "getattr": "import sys\n" + "getattr(" * 40 + "sys" + ", 'x')" * 40,
    "items": "import sys\nsys" + "['x']" * 90,
    "nested-texts": "x = 1",
    "parameters": "".join(" " * depth + "def f(exec):\n" for depth in range(45)) + " " * 45 + "exec(x)",
}
for _ in range(8):
    DEEP["nested-texts"] = f"exec({DEEP['nested-texts']!r})"


@pytest.mark.parametrize("program", DEEP.values(), ids=DEEP)
def test_deep_programs_have_an_answer(program: str) -> None:
    tree = parse(program, PYTHON.version)
    assert isinstance(tree, ast.Module)
    assert unapproved(tree, PYTHON) == unapproved(tree, PYTHON)
