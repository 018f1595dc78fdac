"""Is a text a program of a Python version? What the parser of this interpreter says, within bounds.

`ast.parse` accepts the grammar of older versions on request (`feature_version`), but for the constructs in `newer`;
what only the compiler refuses, such as a `return` outside a function, is in `compiled`.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from dataclasses import dataclass
from functools import lru_cache

from transforms.rules.text import excerpt

OLDEST, NEWEST = (3, 8), sys.version_info[:2]
"""The versions that can be judged: no parser knows a grammar that is newer than itself."""
MOST_CHARACTERS = 64_000
DEEPEST = 100
"""Levels of a syntax tree. Of 17,000 files of released packages 99.9 % have at most 41, and all but one at most 99."""
SOURCE = "<record>"

# Joining a dotted name takes memory that is quadratic in its parts: 32,000 of them take a gigabyte.
_LONGEST_DOTTED_NAME = 500
_DOTTED = re.compile(r"(?:\.[\s\\]*[\w\x80-\U0010ffff]+[\s\\]*)+")
_LONGEST_MESSAGE = 80

# Parser and compiler warn of doubtful escapes and comparisons. That is no matter of ours, must not reach standard
# error, and must not become an error where a user asks for warnings as errors.
warnings.filterwarnings("ignore", module=re.escape(SOURCE))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a text has no syntax tree. `invalid`: it is no program; else it was not decided, being beyond a bound."""

    invalid: bool
    reason: str
    line: int | None = None

    def __str__(self) -> str:
        return self.reason if self.line is None else f"{self.reason} (line {self.line} of the code)"


TOO_DEEP = Unreadable(False, f"nested deeper than {DEEPEST} levels, which is beyond what is judged")


@lru_cache(maxsize=4)  # what is extracted is asked for again by the first gate
def parse(text: str, version: tuple[int, int]) -> ast.Module | Unreadable:
    """The syntax tree of a text in the grammar of a version from `OLDEST` to `NEWEST`. Nobody may change it.

    The same everywhere: the parser's own limits depend on how deep the calling code is, ours are reached long before.
    """
    if len(text) > MOST_CHARACTERS:
        return Unreadable(False, f"longer than {MOST_CHARACTERS} characters, which is beyond what is judged")
    if any(match[0].count(".") > _LONGEST_DOTTED_NAME for match in _DOTTED.finditer(text)):
        return Unreadable(False, f"a name of more than {_LONGEST_DOTTED_NAME} parts, which is beyond what is judged")
    try:
        tree = ast.parse(text, SOURCE, feature_version=version)
    except SyntaxError as error:
        return refused(error)
    except ValueError:  # a NUL, in some releases
        return Unreadable(True, "it holds a character that no program may hold")
    except (RecursionError, MemoryError, SystemError):  # the parser's stack is full, and how it says so
        return TOO_DEEP
    return TOO_DEEP if _deeper(tree, DEEPEST) else tree


def refused(error: SyntaxError) -> Unreadable:
    """What a syntax error says, its message cut: it may quote names of any length."""
    return Unreadable(True, excerpt(error.msg, _LONGEST_MESSAGE), error.lineno)


def _deeper(tree: ast.AST, levels: int) -> bool:
    level = [tree]
    while level and levels:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        levels -= 1
    return bool(level)
