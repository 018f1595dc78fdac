"""Texts in a program that are run as code without a call that is given them: string annotations, and doctests."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transforms.acceptance.code.names import Names

_PROMPT = ">>>"


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is run as code: the line it is run at, what runs it, and the text.

    One that `may_fail` and is no program does nothing.
    """

    line: int
    runner: str
    text: str
    may_fail: bool = False


def texts_evaluated(nodes: Sequence[ast.AST], names: Names) -> Iterator[Text]:
    """String annotations, which `typing.get_type_hints` and others evaluate, and examples where doctest is imported."""
    tests = any(name.partition(".")[0] == "doctest" for found in names.imported.values() for name in found)
    for node in nodes:
        match node:
            case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.expr() as annotation):
                yield from _annotation(annotation)
            case (
                ast.FunctionDef(returns=ast.expr() as annotation)
                | ast.AsyncFunctionDef(returns=ast.expr() as annotation)
            ):
                yield from _annotation(annotation)
            case ast.Constant(value=str() as text) if tests and _PROMPT in text:
                yield from _examples(text, node.lineno)


def _annotation(annotation: ast.expr) -> Iterator[Text]:
    for node in ast.walk(annotation):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Text(node.lineno, "an annotation", node.value.strip(), may_fail=True)


def _examples(text: str, line: int) -> Iterator[Text]:
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return  # doctest refuses it too
    for example in examples:
        yield Text(line, "doctest", example.source, may_fail=True)
