"""What is run of a record: its pieces of code as one module for each text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from transforms.acceptance.code.extract import Snippet, code_sha256
from transforms.acceptance.code.syntax import NEWEST, parse


@dataclass(frozen=True, slots=True)
class Program:
    """The code of one text: its pieces one after the other, and the digest (hex) by which an execution names it."""

    text: str
    sha256: str


def programs(snippets: Iterable[Snippet]) -> tuple[Program, ...]:
    """A program for each text that holds snippets; two texts with the same code are one."""
    texts = [list(group) for _, group in groupby(snippets, key=lambda snippet: snippet.pointer)]
    found = (Program(joined([snippet.text for snippet in group]), code_sha256(group)) for group in texts)
    return tuple(dict.fromkeys(found))


def joined(pieces: Sequence[str]) -> str:
    """One piece as it stands; several as one module, each on lines of its own.

    Imports from `__future__` must stand at the beginning of a module: those of later pieces are moved there, and so
    hold for all pieces. A piece that cannot be parsed is left as it is.
    """
    if len(pieces) == 1:
        return pieces[0]
    first, *later = pieces
    moved = dict.fromkeys(ast.unparse(node) for piece in later for node in _head(piece)[1])
    module = [_after_docstring(first, moved), *map(_without_future, later)]
    return "".join(piece.removesuffix("\n") + "\n" for piece in module)


def _head(piece: str) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The docstring of a piece, if it has one, and the imports from `__future__` that follow."""
    read = parse(piece, NEWEST)
    body = read.body if isinstance(read, ast.Module) else []
    docstring = body[: ast.get_docstring(ast.Module(body, [])) is not None]
    return docstring, list(takewhile(_is_future, body[len(docstring) :]))


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _after_docstring(piece: str, statements: Iterable[str]) -> str:
    added = "; ".join(statements)
    docstring, _ = _head(piece)
    if not added or not docstring:
        return f"{added}\n{piece}" if added else piece
    data = piece.encode()
    _, end = _extent(data, docstring[0])
    return f"{data[:end].decode()}; {added}{data[end:].decode()}"


def _without_future(piece: str) -> str:
    data = piece.encode()
    for node in reversed(_head(piece)[1]):
        start, end = _extent(data, node)
        data = data[:start] + b"pass" + data[end:]
    return data.decode()


def _extent(data: bytes, node: ast.stmt) -> tuple[int, int]:
    """The offsets in bytes at which a statement begins and ends."""
    lines = data.splitlines(keepends=True)
    starts = [sum(map(len, lines[:line])) for line in (node.lineno - 1, (node.end_lineno or node.lineno) - 1)]
    return starts[0] + node.col_offset, starts[1] + (node.end_col_offset or 0)
