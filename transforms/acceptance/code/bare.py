"""Is a text without fences code as a whole, or prose? In doubt it is not code, so that prose is no syntax error.

It is code where it parses and has a statement that prose hardly comes to: any but an expression ("O(n)"), an annotation
("Answer: yes"), and a keyword with at most an expression after it ("pass", "return it"). Where it does not parse it is
broken code if its first line is the beginning of a definition or an import, written out as Python has it, and no later
line at the margin reads like a sentence.
"""

from __future__ import annotations

import ast
import re
from keyword import iskeyword

from transforms.acceptance.code.syntax import Unreadable

_SAYS_NOTHING = (
    *(ast.Expr, ast.Pass, ast.Break, ast.Continue, ast.Return, ast.Raise),
    *(ast.Global, ast.Nonlocal, ast.Delete, ast.Assert),
)
_NAMES = r"\w+(\.\w+)*( as \w+)?"
BEGINNING = re.compile(
    r"(async )?def \w+ ?\("
    r"|class \w+ ?(\(|:\s*(#.*)?$)"
    rf"|import {_NAMES}( ?, ?{_NAMES})*;?\s*(#.*)?$"
    r"|from \.*\w*(\.\w+)* import [\w(*]"
    r"|@\w+(\.\w+)*(\(.*)?$"
)
"""The beginning of a definition or an import, written out as Python has it."""
_LINE_END = re.compile(r"\r\n?|\n")
_APOSTROPHES = str.maketrans("", "", "'’")


def is_program(tree: ast.Module) -> bool:
    """Whether what a text says as a program is more than prose could."""
    return any(_says_something(statement) for statement in tree.body)


def is_broken_program(text: str, fault: Unreadable) -> bool:
    """Whether a text that does not parse is plainly meant as a program."""
    lines = [line for line in _LINE_END.split(text) if line.strip() and not line.lstrip().startswith("#")]
    if not lines or not BEGINNING.match(lines[0]):
        return False
    return not fault.invalid or not any(_reads_like_prose(line) for line in lines[1:])


def _says_something(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AnnAssign):
        return statement.value is not None
    return not isinstance(statement, _SAYS_NOTHING)


def _reads_like_prose(line: str) -> bool:
    """Whether a line at the margin has three words in a row, none a keyword: no program puts names side by side."""
    if line[0].isspace():
        return False
    words = line.partition("#")[0].split(" ")
    windows = zip(words, words[1:], (word.rstrip(".,;:!?") for word in words[2:]), strict=False)
    return any(all(map(_is_word, window)) for window in windows)


def _is_word(text: str) -> bool:
    return text.translate(_APOSTROPHES).isalpha() and not iskeyword(text)
