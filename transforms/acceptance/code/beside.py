"""Does a text hold Python that is not among the judged blocks? Where it may, no gate passes on these alone.

What counts is what could matter to a gate: definitions, imports, loops and branches, doors of imports. Output, values
and calls that show a use do not, so that an answer may say what its code prints.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator, Sequence

from transforms.acceptance.code.bare import BEGINNING
from transforms.acceptance.code.blocks import Blocks
from transforms.acceptance.code.dependencies import unapproved
from transforms.acceptance.code.syntax import parse
from transforms.acceptance.values import CodeTerms

MOST_BLOCKS = 200
"""Blocks of one text; more are not looked into, and the text is held."""
_WEIGHTY = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.For, ast.AsyncFor),
    *(ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match, ast.AugAssign, ast.Lambda),
)
_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.|In \[\d+\]:|\.\.\.:)(?: |$)")
_ANY_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_MARKERS = " \t>*+-.)0123456789"
_TAG = re.compile(r"<(pre|code|script)\b[^<>]{0,200}>", re.IGNORECASE)


def holds_more(blocks: Blocks, others: Sequence[str], terms: CodeTerms) -> bool:
    """Whether there may be Python outside the judged blocks of a text, of whose fenced blocks `others` are the rest."""
    if len(blocks.fenced) + len(blocks.indented) > MOST_BLOCKS:
        return True
    if any(_begins_a_fence(line) or BEGINNING.match(line) for line in blocks.outside):
        return True
    if any(_begins_a_fence(line) for other in others for line in other.split("\n")):
        return True
    return any(_is_weighty(each, terms) for each in (*others, *blocks.indented, *_tagged("\n".join(blocks.outside))))


def _begins_a_fence(line: str) -> bool:
    """Whether a line, without what quotations and lists put before it, begins like a fence."""
    return line.lstrip(_MARKERS).startswith(("```", "~~~"))


def _tagged(text: str) -> Iterator[str]:
    """What stands in HTML elements for code."""
    lowered = text.lower()
    end = 0
    while tag := _TAG.search(text, end):
        end = lowered.find(f"</{tag[1].lower()}", tag.end())
        end = len(text) if end < 0 else end
        yield html.unescape(_ANY_TAG.sub("", text[tag.end() : end]))


def _is_weighty(text: str, terms: CodeTerms) -> bool:
    lines = text.split("\n")
    typed = [_PROMPT.sub("", line, count=1) for line in lines if _PROMPT.match(line)]
    shown = [line for line in lines if not _PROMPT.match(line)] if typed else lines
    return any(_says_much("\n".join(part), terms) for part in (typed, shown) if part)


def _says_much(text: str, terms: CodeTerms) -> bool:
    text = _dedented(text)
    tree = parse(text, terms.version)
    if isinstance(tree, ast.Module):
        return any(isinstance(node, _WEIGHTY) for node in ast.walk(tree)) or bool(unapproved(tree, terms))
    return not tree.invalid or any(BEGINNING.match(line) for line in text.split("\n"))


def _dedented(text: str) -> str:
    lines = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[margin:] for line in lines)
