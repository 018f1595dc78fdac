"""Which code of a pairwise record is judged: that of the golden patch, else of the preferred candidate; both for a tie.

In a text, code is what stands in fenced code blocks (CommonMark 0.31, section 4.5; in lists and quotations too), or,
without any, the text as a whole where `bare` takes it for code. docs/code-gates.md has the rules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from transforms.acceptance.code.bare import is_broken_program, is_program
from transforms.acceptance.code.beside import holds_more
from transforms.acceptance.code.blocks import blocks_in
from transforms.acceptance.code.syntax import NEWEST, OLDEST, Unreadable, parse
from transforms.acceptance.values import CodeTerms
from transforms.digests import sha256_hex
from transforms.records import Json

PYTHON = "python"
# "python-3", "py3", "python3.11" (the label ends at the point); dialects are Python where they parse.
_PYTHON = re.compile(r"(?:python|py)[-_]?[23]?\Z")
_DIALECTS = frozenset({"ipython", "ipython3", "jupyter", "notebook", "pyi", "sage", "cython", "pyx", "pytest"})
_GATED = {"A": ("response_a",), "B": ("response_b",), "tie": ("response_a", "response_b"), "neither": ()}


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of code: the JSON Pointer of the text it stands in, the code, the SHA-256 (hex) of its UTF-8 bytes."""

    pointer: str
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Found:
    """The pieces of code in a text, and whether it may hold `more` code that is not among them."""

    pieces: tuple[str, ...]
    more: bool = False


@dataclass(frozen=True, slots=True)
class Gated:
    """The code that is judged, in the order in which it stands, and the pointers of gated texts that hold none.

    `beside` are the pointers of those that may hold other code beside what is judged.
    """

    snippets: tuple[Snippet, ...]
    without: tuple[str, ...]
    beside: tuple[str, ...] = ()


def extract(value: Json, terms: CodeTerms) -> Gated:
    """The code of a valid pairwise record that gates judge."""
    fields = ("golden_patch",) if value["golden_patch"] is not None else _GATED[value["preference"]]
    return _extract(tuple((f"/{field}", value[field]) for field in fields), terms)


@lru_cache(maxsize=4)  # each gate asks anew
def _extract(texts: tuple[tuple[str, str], ...], terms: CodeTerms) -> Gated:
    found = {pointer: find_code(text, terms) for pointer, text in texts}
    snippets = tuple(
        Snippet(pointer, piece, sha256_hex(piece.encode())) for pointer, each in found.items() for piece in each.pieces
    )
    without = tuple(pointer for pointer, each in found.items() if not each.pieces)
    return Gated(snippets, without, tuple(pointer for pointer, each in found.items() if each.pieces and each.more))


def find_code(text: str, terms: CodeTerms) -> Found:
    """The code in a text, in the terms' language; lines of a block end in a line feed.

    There is none in a text that parses although it has fences: they stand in a string of it, and which of the two is
    meant cannot be told.
    """
    python = terms.language == PYTHON
    read = parse(text, _readable(terms)) if python else None
    program = isinstance(read, ast.Module) and is_program(read)
    blocks = blocks_in(text)
    if not blocks.fenced:
        broken = isinstance(read, Unreadable) and is_broken_program(text, read)
        return Found((text,) if program or broken else ())
    if program:
        return Found(())
    labelled = any(label for label, _ in blocks.fenced)
    pieces: list[str] = []
    others: list[str] = []
    for label, content in blocks.fenced:
        (pieces if _is_judged(label, content, labelled, terms) else others).append(content)
    if not python or not pieces:
        return Found(tuple(pieces))
    return Found(tuple(pieces), holds_more(blocks, others, replace(terms, version=_readable(terms))))


def _readable(terms: CodeTerms) -> tuple[int, int]:
    return min(max(terms.version, OLDEST), NEWEST)


def code_sha256(snippets: Sequence[Snippet]) -> str:
    """The digest by which an execution names the code it ran.

    One snippet's own; for several the SHA-256 over their digests in hexadecimal, each with a line feed after it.
    """
    if len(snippets) == 1:
        return snippets[0].sha256
    return sha256_hex("".join(f"{snippet.sha256}\n" for snippet in snippets).encode())


def _is_judged(label: str, content: str, labelled: bool, terms: CodeTerms) -> bool:
    """Whether a block is judged: labelled as the language, or without a label where no block has one."""
    if not content.strip():
        return False
    if terms.language != PYTHON:
        return label == (terms.language if labelled else "")
    if label in _DIALECTS:
        meant = isinstance(parse(content, _readable(terms)), ast.Module)
    else:
        meant = bool(_PYTHON.match(label)) if labelled else True
    return meant and _has_statement(content)


def _has_statement(block: str) -> bool:
    """Whether a block of Python is more than comments, and no transcript of a console."""
    lines = [line.lstrip() for line in block.split("\n")]
    stated = [line for line in lines if line and not line.startswith("#")]
    return bool(stated) and not stated[0].startswith(">>>")
