"""Strict YAML: the documents that are JSON in other clothes, with the limits of the JSON reader.

libyaml's parser gives events; nothing of PyYAML's composer, resolver or constructor is used, for they expand
aliases, recurse, keep the last of equal keys and retype text. What is accepted: `docs/yaml.md`.
"""

from __future__ import annotations

import re
from typing import Any

from yaml.cyaml import CParser  # type: ignore[import-untyped]
from yaml.error import MarkedYAMLError, YAMLError  # type: ignore[import-untyped]
from yaml.events import (  # type: ignore[import-untyped]
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from transforms.parsing import yaml_scalars, yaml_tree
from transforms.parsing.exact_numbers import Exact
from transforms.parsing.json_reference import (
    BYTE_ORDER_MARK,
    DUPLICATE_KEY,
    INVALID_UTF8,
    LONE_SURROGATE,
    NESTING_TOO_DEEP,
    NON_FINITE_NUMBER,
    NOT_AN_OBJECT,
    NUMBER_OUT_OF_RANGE,
    decoded,
    no_object,
)
from transforms.parsing.json_strict import Parsed
from transforms.parsing.yaml_surrogates import Masked, NoStandIn, mask
from transforms.parsing.yaml_tree import Tree
from transforms.records import Code, Finding, Severity, Stage
from transforms.shards.lines import RECORD_TOO_LARGE

YAML_CHARACTER = Code(
    "yaml-character",
    Stage.PARSING,
    Severity.REJECT,
    "The text holds a character that YAML forbids, or one that is a line break or nothing at all to some "
    "readers and text to others (U+0085, U+2028, U+2029, U+FEFF).",
    "the byte 07 (bell) in a reason, or U+2028 as it stands between double quotes",
    'Write the character as an escape in a double-quoted scalar: "\\u2028".',
)
YAML_DIRECTIVE = Code(
    "yaml-directive",
    Stage.PARSING,
    Severity.REJECT,
    "The text starts with a YAML directive, which can change what the document means.",
    "%YAML 1.1 or %TAG ! tag:example.org,2026:",
    "Remove the lines that start with %.",
)
INVALID_YAML = Code(
    "invalid-yaml",
    Stage.PARSING,
    Severity.REJECT,
    "The text is not YAML: the parser stops at a character or indentation that the grammar does not allow.",
    "criteria: [a, b with no closing bracket",
    "Write documents with a YAML or JSON library; do not assemble them from strings.",
)
MULTIPLE_DOCUMENTS = Code(
    "multiple-documents",
    Stage.PARSING,
    Severity.REJECT,
    "A second YAML document, or a directive, follows the first: which of them is the record is undecided.",
    "a line --- after the last member",
    "Write one document a file.",
)
CODES: tuple[Code, ...] = (
    YAML_CHARACTER,
    YAML_DIRECTIVE,
    INVALID_YAML,
    MULTIPLE_DOCUMENTS,
    *yaml_tree.CODES,
    *yaml_scalars.CODES,
)

# The order is part of the contract: a document has at most one of these, the first that applies.
PRECEDENCE: tuple[Code, ...] = (
    RECORD_TOO_LARGE,
    INVALID_UTF8,
    BYTE_ORDER_MARK,
    YAML_CHARACTER,
    YAML_DIRECTIVE,
    NESTING_TOO_DEEP,
    INVALID_YAML,
    MULTIPLE_DOCUMENTS,
    *yaml_tree.CODES,
    LONE_SURROGATE,
    DUPLICATE_KEY,
    NON_FINITE_NUMBER,
    NUMBER_OUT_OF_RANGE,
    *yaml_scalars.CODES,
    NOT_AN_OBJECT,
)

# All that libyaml refuses; the characters that it takes for line breaks, as YAML 1.1 does and 1.2 does not; and
# the byte order mark, which it skips at the start of a line.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# libyaml's time grows with the square of the directives, so it must not see any.
_DIRECTIVE = re.compile(r"(?:(?:\.\.\.)?[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*+%")
_TOO_DEEP_FOR_LIBYAML = "exceeded maximum nesting depth"


def read_yaml(data: bytes, max_depth: int, max_bytes: int, *, exact: Exact | None = None) -> Parsed | Finding:
    """Read one document, an object, to the values that JSON has.

    `max_depth` (1 to 200) bounds nested arrays and objects, the document itself being at depth 1; `max_bytes`
    bounds `data`. ValueError where `max_depth` is not within its range. A document has at most one
    finding, the first that applies in the order of `PRECEDENCE`. With `exact` (see
    `exact_numbers`), numbers that have a fraction or an exponent come as `decimal.Decimal`, otherwise as float.
    """
    if not 1 <= max_depth <= 200:
        raise ValueError(f"max_depth must be from 1 to 200, not {max_depth}")
    masked = _readable(data, max_bytes)
    if isinstance(masked, Finding):
        return masked
    tree = Tree(masked.stand_in, exact)
    try:
        fault = _build(tree, masked.text, max_depth)
    except YAMLError as error:
        fault = _syntax(error, masked, max_depth)
    if fault is not None:
        return fault
    for row in PRECEDENCE:
        if row.code in tree.faults:
            return tree.faults[row.code]
    return Parsed(tree.root, tree.plain) if isinstance(tree.root, dict) else no_object(tree.root)


def _readable(data: bytes, max_bytes: int) -> Masked | Finding:
    """Decode what the parser can be given at all."""
    if len(data) > max_bytes:
        return Finding(RECORD_TOO_LARGE.code, f"{len(data)} bytes, the campaign allows {max_bytes}")
    text = decoded(data)
    if isinstance(text, Finding):
        return text
    forbidden = _FORBIDDEN.search(text)
    if forbidden is not None:
        where = _position(text, forbidden.start())
        return Finding(YAML_CHARACTER.code, f"the character U+{ord(forbidden[0]):04X} at {where}")
    directive = _DIRECTIVE.match(text)
    if directive is not None:
        return Finding(YAML_DIRECTIVE.code, f"a directive at {_position(text, directive.end() - 1)}")
    try:
        return mask(text)
    except NoStandIn:
        return Finding(YAML_CHARACTER.code, "escaped surrogates beside every private-use character there is")


def _build(tree: Tree, text: str, max_depth: int) -> Finding | None:
    """Feed the events of the text to the tree; a finding ends it, YAMLError comes from the parser."""
    parser = CParser(text)
    documents = 0
    while (event := parser.get_event()) is not None:
        kind = type(event)
        if kind is ScalarEvent:
            tree.scalar(event)
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            tree.begin({} if kind is MappingStartEvent else [], event)
            if tree.depth > max_depth:
                return Finding(NESTING_TOO_DEEP.code, f"nested deeper than {max_depth} at {_place(event.start_mark)}")
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            tree.end()
        elif kind is AliasEvent:
            tree.alias(event)
        elif kind is DocumentStartEvent:
            documents += 1
            if documents > 1:
                message = f"a second document starts at {_place(event.start_mark)}"
                return Finding(MULTIPLE_DOCUMENTS.code, message)
        elif kind is DocumentEndEvent and _DIRECTIVE.match(text, event.end_mark.index):
            message = f"a directive follows the document that ends at {_place(event.end_mark)}"
            return Finding(MULTIPLE_DOCUMENTS.code, message)
    return None


def _syntax(error: YAMLError, masked: Masked, max_depth: int) -> Finding:
    """Say where the parser stopped and why: in libyaml's fixed words, and with one character of the text."""
    if not isinstance(error, MarkedYAMLError) or error.problem_mark is None:
        return Finding(INVALID_YAML.code, "the parser refuses the text")
    mark = error.problem_mark
    if error.problem == _TOO_DEEP_FOR_LIBYAML:
        # The parser looks ahead of its events; its own bound is far beyond any that a campaign may set.
        return Finding(NESTING_TOO_DEEP.code, f"nested deeper than {max_depth} before {_place(mark)}")
    why = " ".join(part for part in (error.problem, error.context) if part)
    if mark.index >= len(masked.text):
        return Finding(INVALID_YAML.code, f"{why} at the end of the text")
    found = masked.text[mark.index]
    found = "\\" if found == masked.stand_in else found
    return Finding(INVALID_YAML.code, f"{why} at {_place(mark)}: found {found!r}")


def _place(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"


def _position(text: str, index: int) -> str:
    """Write the 1-based line and column, in characters, of an index; lines end as YAML says, at CRLF, LF or CR."""
    before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
    return f"line {before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"
