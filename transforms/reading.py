"""From a record's bytes to its value, in whatever notation it is written."""

from __future__ import annotations

from dataclasses import dataclass

from transforms.parsing.exact_numbers import as_doubles, bounded_number, exact_number
from transforms.parsing.json_reference import NESTING_TOO_DEEP, parse_exact
from transforms.parsing.json_strict import parse
from transforms.parsing.walk import walk
from transforms.parsing.yaml_strict import read_yaml
from transforms.records import Finding, Json, Line, Syntax
from transforms.terms import Limits

_DOCUMENT = {"document"}


@dataclass(frozen=True, slots=True)
class Read:
    """A record as read: `value` is what JSON makes of it, and what its schema and its columns are about.

    `exact` is the same for rules: numbers that have a fraction or an exponent are `Decimal`s there, with the digits in
    which they were written, throughout a document and in the scores of a review. `text` is the text of a document that
    is more than its value, None where there is none. `plain` as in `digests.canonical_json`.
    """

    value: Json
    plain: bool
    exact: Json
    text: bytes | None = None


def read_record(line: Line, limits: Limits) -> Read | Finding:
    """Read a record that is its value and nothing else."""
    if line.syntax is Syntax.YAML:
        parsed = read_yaml(line.data, limits.max_depth, limits.max_record_bytes)
    else:
        parsed = parse(line.data, limits.max_depth)
    return parsed if isinstance(parsed, Finding) else Read(parsed.value, parsed.plain, parsed.value)


def read_made(value: Json, version: str, limits: Limits) -> Read | Finding:
    """A record of `version` that was made of a sound one, as if it had been read: it may only nest too deep."""
    plain = walk(value, limits.max_depth)
    if plain is None:
        message = f"the record nests deeper than {limits.max_depth} once it is {version}"
        return Finding(NESTING_TOO_DEEP.code, message)
    return Read(value, plain, value)


def read_scored(line: Line, limits: Limits) -> Read | Finding:
    """Read a record that is its value, and whose `scores` are weighed with the digits in which they are written.

    A number that has a fraction or an exponent and over 50 digits is `number-out-of-range`. All other numbers are those
    that the schema sees: they are counted, not weighed.
    """
    if line.syntax is Syntax.YAML:
        written = read_yaml(line.data, limits.max_depth, limits.max_record_bytes, exact=bounded_number)
        if isinstance(written, Finding):
            return written
        value, plain, exact = as_doubles(written.value), written.plain, written.value
    else:
        parsed = parse(line.data, limits.max_depth)
        if isinstance(parsed, Finding):
            return parsed
        value, plain = parsed.value, parsed.plain
        again = value if plain else parse_exact(line.data, bounded_number)
        if isinstance(again, Finding):
            return again
        exact = again
    return Read(value, plain, value | {"scores": exact["scores"]} if "scores" in value else value)


def read_document(line: Line, limits: Limits) -> Read | Finding:
    """Read a record that is a document: YAML text, a JSON object, or a JSON object whose one member `document` is
    the text of either.

    Findings in such a member are placed within the document. A number of which a double says that it is an integer, or
    zero, and that is not as it is written, is `number-out-of-range`: schema and rules would judge two numbers.
    """
    if line.syntax is Syntax.YAML:
        return _read_text(line.data, limits)
    parsed = parse(line.data, limits.max_depth)
    if isinstance(parsed, Finding):
        return parsed
    text = parsed.value.get("document")
    if isinstance(text, str) and parsed.value.keys() == _DOCUMENT:
        return _read_text(text.encode(), limits)
    exact = parsed.value if parsed.plain else parse_exact(line.data)
    return exact if isinstance(exact, Finding) else Read(parsed.value, parsed.plain, exact)


def _read_text(text: bytes, limits: Limits) -> Read | Finding:
    parsed = read_yaml(text, limits.max_depth, limits.max_record_bytes, exact=exact_number)
    if isinstance(parsed, Finding):
        return parsed
    return Read(as_doubles(parsed.value), parsed.plain, parsed.value, text)
