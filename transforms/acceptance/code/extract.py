"""Which code of a pairwise record is judged: that of the golden patch, else of the preferred candidate; both for a tie.

In a text, code is what stands in fenced code blocks (CommonMark 0.31, section 4.5; in lists and quotations too), or,
without any, the text as a whole where `bare` takes it for code. docs/code-gates.md has the rules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt

from transforms.acceptance.code.bare import is_broken_program, is_program
from transforms.acceptance.code.syntax import NEWEST, OLDEST, Unreadable, parse
from transforms.acceptance.values import CodeTerms
from transforms.digests import sha256_hex
from transforms.records import Json

PYTHON = "python"
_ALIASES = {PYTHON: frozenset({PYTHON, "python3", "py", "py3"})}
_GATED = {"A": ("response_a",), "B": ("response_b",), "tie": ("response_a", "response_b"), "neither": ()}
# Blocks only, and without HTML blocks, so that a fence right under a tag is one: no code goes unseen.
_MARKDOWN = MarkdownIt("zero").enable(["fence", "code", "list", "blockquote"]).disable("inline")
# The first word, without what highlighters add to it: "{.python .numbered}", "python:main.py", "python title=…".
_LABEL = re.compile(r"[\s{.]*([^\s{}.,:;=]+)")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of code: the JSON Pointer of the text it stands in, the code, the SHA-256 (hex) of its UTF-8 bytes."""

    pointer: str
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Gated:
    """The code that is judged, in the order in which it stands, and the pointers of gated texts that hold none."""

    snippets: tuple[Snippet, ...]
    without: tuple[str, ...]


def extract(value: Json, terms: CodeTerms) -> Gated:
    """The code of a valid pairwise record that gates judge."""
    fields = ("golden_patch",) if value["golden_patch"] is not None else _GATED[value["preference"]]
    found = {f"/{field}": code_in(value[field], terms) for field in fields}
    snippets = tuple(
        Snippet(pointer, text, sha256_hex(text.encode())) for pointer, texts in found.items() for text in texts
    )
    return Gated(snippets, tuple(pointer for pointer, texts in found.items() if not texts))


@lru_cache(maxsize=16)  # each gate asks anew
def code_in(text: str, terms: CodeTerms) -> tuple[str, ...]:
    """The pieces of code in a text, in the terms' language; lines of a block end in a line feed.

    None in a text that parses although it has fences: they stand in a string of it, and which of the two is meant
    cannot be told.
    """
    python = terms.language == PYTHON
    read = parse(text, min(max(terms.version, OLDEST), NEWEST)) if python else None
    program = isinstance(read, ast.Module) and is_program(read)
    blocks = _blocks(text)
    if blocks and not program:
        return tuple(block for block in _of_language(blocks, terms.language) if not python or _has_statement(block))
    broken = isinstance(read, Unreadable) and is_broken_program(text, read)
    return (text,) if (program or broken) and not blocks else ()


def code_sha256(snippets: Sequence[Snippet]) -> str:
    """The digest by which an execution names the code it ran.

    One snippet's own; for several the SHA-256 over their digests in hexadecimal, each with a line feed after it.
    """
    if len(snippets) == 1:
        return snippets[0].sha256
    return sha256_hex("".join(f"{snippet.sha256}\n" for snippet in snippets).encode())


def _blocks(text: str) -> list[tuple[str, str]]:
    """The label and the content of each fenced code block; the label in lower case, "" where there is none."""
    if "```" not in text and "~~~" not in text:
        return []
    fences = [token for token in _MARKDOWN.parse(text) if token.type == "fence"]
    labels = [_LABEL.match(token.info) for token in fences]
    return [(label[1].lower() if label else "", token.content) for label, token in zip(labels, fences, strict=True)]


def _of_language(blocks: Sequence[tuple[str, str]], language: str) -> tuple[str, ...]:
    """The blocks labelled as the language; those without a label where no block has one."""
    names = _ALIASES.get(language, frozenset({language})) if any(label for label, _ in blocks) else {""}
    return tuple(content for label, content in blocks if label in names and content.strip())


def _has_statement(block: str) -> bool:
    """Whether a block of Python is more than comments, and no transcript of a console."""
    lines = [line.lstrip() for line in block.split("\n")]
    stated = [line for line in lines if line and not line.startswith("#")]
    return bool(stated) and not stated[0].startswith(">>>")
