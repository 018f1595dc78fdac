from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest
from code_subjects import PYTHON

from transforms.acceptance.code.extract import Snippet
from transforms.acceptance.code.linter import lint, linted, linter, unknown_rules

RULES = ("E", "F", "W")
LINTED = [
    ("", ()),
    ("x = 1", ()),  # the missing line feed at the end is not the contributor's
    ("import os\n", (("F401", 1),)),
    ("import os, sys\n", (("E401", 1), ("F401", 2))),
    ("x = y; z = y\n", (("E702", 1), ("F821", 2))),
    # what would silence the linter does not
    ("import os  # noqa\n", (("F401", 1),)),
    ("import os  # noqa: F401\n", (("F401", 1),)),
    ("# ruff: noqa\nimport os\n", (("F401", 1),)),
    ("# flake8: noqa\nimport os\n", (("F401", 1),)),
    ("x = 1;" * 10_000 + "\n", (("E501", 1), ("E702", 9999), ("E703", 1))),
    ("return 1\n", (("F706", 1),)),
]


@pytest.mark.parametrize(("program", "expected"), LINTED, ids=lambda value: repr(value)[:40])
def test_findings_are_counted_by_rule(program: str, expected: tuple[tuple[str, int], ...]) -> None:
    assert lint(program, RULES, (3, 11)) == expected


def test_rules_go_by_the_version() -> None:
    program = "from typing import List\nx: List[int] = []\n"
    assert lint(program, ("UP006",), (3, 8)) == ()
    assert lint(program, ("UP006",), (3, 9)) == (("UP006", 1),)


def test_the_environment_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUFF_OUTPUT_FORMAT", "full")
    monkeypatch.setenv("RUFF_NO_CACHE", "no")
    assert lint("import os  # of its own\n", RULES, (3, 11)) == (("F401", 1),)


def test_the_working_folder_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module there would be taken for the program's own, which rules about imports sort elsewhere."""
    program = "import os\n\nimport foo\nimport numpy\n\nprint(os, foo, numpy)\n"
    (tmp_path / "numpy").mkdir()
    (tmp_path / "ruff.toml").write_text("[lint]\nselect = []\n", encoding="utf-8")
    lint.cache_clear()
    before = lint(program, ("I", "F"), (3, 11))
    monkeypatch.chdir(tmp_path)
    lint.cache_clear()
    assert before == lint(program, ("I", "F"), (3, 11)) == ()


def test_a_crash_has_no_findings() -> None:
    assert lint("-" * 60_000 + "1\n", RULES, (3, 11)) is None


def test_rules_that_are_refused_are_a_fault_of_the_campaign() -> None:
    with pytest.raises(RuntimeError, match="the linter ended with 2"):
        lint("x = 1\n", ("NO1",), (3, 11))


def test_unknown_rules() -> None:
    assert unknown_rules(("E", "F401", "NO1", "PLR0915", "CPY001", "", "ANN101")) == ("NO1", "CPY001", "", "ANN101")
    assert unknown_rules(()) == ()


def test_findings_in_one_text_are_counted_together() -> None:
    snippets = [
        Snippet("/response_a", "import os\n", "1" * 64),
        Snippet("/response_a", "import os; import sys\n", "2" * 64),
        Snippet("/response_b", "x = 1\n", "3" * 64),
    ]
    assert linted(snippets, PYTHON) == {"/response_a": (("E702", 1), ("F401", 3)), "/response_b": ()}
    crash = Snippet("/response_b", "-" * 60_000 + "1\n", "4" * 64)
    assert linted([*snippets, crash], PYTHON) == {"/response_a": (("E702", 1), ("F401", 3)), "/response_b": None}


def test_the_linter_says_what_it_is() -> None:
    assert linter(("E", "F401")) == {"name": "ruff", "version": version("ruff"), "rules": "E,F401"}
