"""Small files, small functions."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

from source_tree import MODULES, ROOT, relative, tree

MOST_LINES, MOST_LINES_OF_A_FUNCTION = 400, 40


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_files() -> None:
    assert [relative(path) for path in MODULES if lines(path) > MOST_LINES] == []


def test_test_files() -> None:
    paths = sorted((ROOT / "tests").rglob("*.py"))
    assert [relative(path) for path in paths if lines(path) > MOST_LINES] == []
    # One folder of tests may import from another only because no two modules have the same name.
    names = [path.stem for path in paths if path.stem != "conftest"]
    assert len(names) == len(set(names))


def test_the_median_file() -> None:
    assert 50 <= median(lines(path) for path in MODULES) <= 110


def test_functions() -> None:
    long = [
        f"{relative(path)}: {node.name}"
        for path in MODULES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []
