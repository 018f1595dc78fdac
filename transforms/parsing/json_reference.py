"""Strict JSON on the standard library alone: slow, plain, and the one that says what is wrong and where.

It explains what the fast path refuses, and serves the tests as the judge of what must be accepted. Where
`json.JSONDecoder` is laxer than RFC 8259 (NaN, lone surrogates, duplicate keys, huge numbers, recursion)
it is fenced in: scanned for depth first, hooked while it decodes, its result walked afterwards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import isinf
from types import NoneType
from typing import Any

from transforms.parsing.exact_numbers import Exact, exact_number
from transforms.parsing.walk import LARGEST_INTEGER
from transforms.records import Code, Finding, Json, Severity, Stage

INVALID_UTF8 = Code(
    "invalid-utf8",
    Stage.PARSING,
    Severity.REJECT,
    "The record is not well-formed UTF-8; overlong forms and encoded surrogates are not either.",
    "the bytes 63 61 66 E9, the word café in Latin-1",
    "Export as UTF-8; do not convert with a setting that keeps or replaces invalid bytes.",
)
BYTE_ORDER_MARK = Code(
    "byte-order-mark",
    Stage.PARSING,
    Severity.REJECT,
    "The record starts with U+FEFF, which RFC 8259 forbids in transmitted JSON.",
    'the bytes EF BB BF before {"task_id": "t-1"}',
    "Write UTF-8 without a byte order mark (in Python utf-8, not utf-8-sig).",
)
NESTING_TOO_DEEP = Code(
    "nesting-too-deep",
    Stage.PARSING,
    Severity.REJECT,
    "Arrays and objects are nested deeper than the campaign's max_depth; brackets within strings do not count.",
    "[[[[1]]]] where max_depth is 3",
    "Flatten the record, or raise max_depth in the campaign manifest if such records are expected.",
)
INVALID_JSON = Code(
    "invalid-json",
    Stage.PARSING,
    Severity.REJECT,
    "The record is not one JSON value as RFC 8259 defines it, or something follows that value.",
    '{"preference": "A",} with a comma before the closing brace',
    "Write each record with a JSON library, one per line; do not assemble JSON from strings.",
)
LONE_SURROGATE = Code(
    "lone-surrogate",
    Stage.PARSING,
    Severity.REJECT,
    "A string or key holds an escaped surrogate without its partner: such text has no UTF-8 form.",
    '{"rationale": "fine \\ud83d"}, half of an emoji',
    "Cut text between characters, not between UTF-16 units, before exporting it.",
)
DUPLICATE_KEY = Code(
    "duplicate-key",
    Stage.PARSING,
    Severity.REJECT,
    "One object has the same key twice, compared after unescaping; readers disagree on which value counts.",
    '{"preference": "A", "\\u0070reference": "B"}',
    "Write each key once; find out in the exporter which of the values was meant.",
)
NON_FINITE_NUMBER = Code(
    "non-finite-number",
    Stage.PARSING,
    Severity.REJECT,
    "NaN, Infinity or -Infinity, which JSON does not have, or a number that overflows a double.",
    '{"score": NaN} or {"score": 1e400}',
    "Leave the number out or write null if the schema allows it; in Python export with allow_nan=False.",
)
NUMBER_OUT_OF_RANGE = Code(
    "number-out-of-range",
    Stage.PARSING,
    Severity.REJECT,
    "An integer beyond ±(2^53 − 1), which other readers would change, or a number of thousands of digits; in a "
    "baseline also one that is no integer, or not zero, and becomes so as a double; in a review, an adjudication or a "
    "rubric also one of over 50 digits without an exponent.",
    '{"end": 9007199254740993}; in a baseline samplesExecuted: 9.9999999999999999999, which becomes 10',
    "Write large identifiers as strings; correct the number if it was not meant.",
)
NOT_AN_OBJECT = Code(
    "not-an-object",
    Stage.PARSING,
    Severity.REJECT,
    "The record is a JSON value, but no object.",
    '["t-1", "A"]',
    "Write one JSON object per line, not an array of records nor a bare value.",
)

# The order is part of the contract: a record has at most one of these, the first that applies.
CODES: tuple[Code, ...] = (
    INVALID_UTF8,
    BYTE_ORDER_MARK,
    NESTING_TOO_DEEP,
    INVALID_JSON,
    LONE_SURROGATE,
    DUPLICATE_KEY,
    NON_FINITE_NUMBER,
    NUMBER_OUT_OF_RANGE,
    NOT_AN_OBJECT,
)

_MAX_POINTER = 256
_MAX_EXCERPT = 40
# The fast reader refuses numbers with more digits than this before the point, whatever their exponent.
MAX_DIGITS = 4300
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_KINDS: dict[type, str] = {
    NoneType: "null",
    bool: "a boolean",
    str: "a string",
    list: "an array",
}

_Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class _BadNumber:
    """Stands in the decoded value for a number that is refused: its text, and what it fails."""

    code: Code
    text: str
    failing: str


class _Members(list[tuple[str, Any]]):
    """The members of an object with a duplicate key, in the order of the text."""


def parse_reference(data: bytes, max_depth: int) -> Json | Finding:
    """Read one record, a JSON object; the finding is the first that applies in the order of `CODES`.

    `max_depth` is as in `json_strict.parse`; ValueError where it is not within 1 to 200.
    """
    value = loads_reference(data, max_depth)
    return value if isinstance(value, dict | Finding) else no_object(value)


def loads_reference(data: bytes, max_depth: int) -> Any | Finding:
    """Read any JSON value; see `parse_reference`."""
    if not 1 <= max_depth <= 200:
        raise ValueError(f"max_depth must be from 1 to 200, not {max_depth}")
    text = decoded(data)
    if isinstance(text, Finding):
        return text
    too_deep = _too_deep(text, max_depth)
    if too_deep is not None:
        message = f"nested deeper than {max_depth} at {_position(text, too_deep)}"
        return Finding(NESTING_TOO_DEEP.code, message)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return Finding(INVALID_JSON.code, _syntax_message(text, error))
    faults = _faults(value)
    return next((faults[row.code] for row in CODES if row.code in faults), value)


def parse_exact(data: bytes, exact: Exact = exact_number) -> Json | Finding:
    """Read a record once more that was accepted: numbers that have a fraction or an exponent come as `Decimal`.

    They have the digits as written. One that `exact` (see `exact_numbers`) refuses is `number-out-of-range`.
    """
    refused: list[_BadNumber] = []

    def read(text: str) -> Decimal | _BadNumber:
        number = exact(text)
        if isinstance(number, Decimal):
            return number
        refused.append(_BadNumber(NUMBER_OUT_OF_RANGE, text, number))
        return refused[-1]

    value: Json = json.loads(data.decode(), parse_float=read)
    return _faults(value)[NUMBER_OUT_OF_RANGE.code] if refused else value


def decoded(data: bytes) -> str | Finding:
    """The text of a record, which is UTF-8 without a byte order mark."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return Finding(INVALID_UTF8.code, f"not UTF-8 at byte {error.start + 1}: {error.reason}")
    if text.startswith("\ufeff"):
        return Finding(BYTE_ORDER_MARK.code, "a byte order mark (U+FEFF) stands before the value")
    return text


def no_object(value: Any) -> Finding:
    """The finding for a record that is another JSON value."""
    return Finding(NOT_AN_OBJECT.code, f"an object is required, not {_KINDS.get(type(value), 'a number')}")


def pointer(path: Iterable[str | int]) -> str:
    r"""Write a path of keys and indices as a JSON Pointer (RFC 6901) of at most 256 characters.

    A longer one is cut to its longest ancestor that fits. A lone surrogate, which has no UTF-8 form, is
    written as its escape (`\ud800`).
    """
    written = ""
    for step in path:
        token = str(step).replace("~", "~0").replace("/", "~1")
        longer = f"{written}/{token.encode('utf-8', 'backslashreplace').decode('utf-8')}"
        if len(longer) > _MAX_POINTER:
            break
        written = longer
    return written


def _too_deep(text: str, max_depth: int) -> int | None:
    """Find the first bracket, outside of strings, that opens a level beyond `max_depth`.

    Runs before the decoder, which recurses; so it must make sense of text that is not JSON too.
    """
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        first = text[match.start()]
        if first in "[{":
            depth += 1
            if depth > max_depth:
                return match.start()
        elif first in "]}":
            depth -= 1
    return None


def _object(pairs: list[tuple[str, Any]]) -> Json | _Members:
    members = dict(pairs)
    return members if len(members) == len(pairs) else _Members(pairs)


def _integer(text: str) -> int | _BadNumber:
    # int() sees sixteen digits and a sign at most: its time grows with the square of the digits.
    if len(text) <= 17 and abs(int(text)) <= LARGEST_INTEGER:
        return int(text)
    return _BadNumber(NUMBER_OUT_OF_RANGE, text, "is an integer beyond ±(2^53 − 1)")


def _real(text: str) -> float | _BadNumber:
    number = float(text)
    if isinf(number):
        return _BadNumber(NON_FINITE_NUMBER, text, "overflows a double")
    if len(text) > MAX_DIGITS and len(re.split("[.eE]", text, maxsplit=1)[0].lstrip("-")) > MAX_DIGITS:
        return _BadNumber(NUMBER_OUT_OF_RANGE, text, f"has over {MAX_DIGITS} digits before the point")
    return number


def _constant(text: str) -> _BadNumber:
    return _BadNumber(NON_FINITE_NUMBER, text, "is not a JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_real, parse_constant=_constant, strict=True
)


def _faults(value: Any) -> dict[str, Finding]:
    """Find the first fault of each code in a decoded value, in the order of the text."""
    faults: dict[str, Finding] = {}
    # A stack of iterators, not recursion: the caller's own stack may be deep already.
    root: tuple[Any, _Path, bool] = (value, (), False)
    open_values = [iter([root])]
    while open_values:
        entry = next(open_values[-1], None)
        if entry is None:
            open_values.pop()
            continue
        value, path, repeated = entry
        for code, message in _judged(value, path, repeated):
            if code.code not in faults:
                faults[code.code] = Finding(code.code, message, pointer(path))
        open_values.append(_inside(value, path))
    return faults


def _inside(value: Any, path: _Path) -> Iterator[tuple[Any, _Path, bool]]:
    """Give what an array or object holds: each value, its path, and whether its key was there before."""
    if isinstance(value, dict | _Members):
        seen: set[str] = set()
        for key, member in value.items() if isinstance(value, dict) else value:
            yield member, (*path, key), key in seen
            seen.add(key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield item, (*path, index), False


def _judged(value: Any, path: _Path, repeated: bool) -> Iterator[tuple[Code, str]]:
    """Say what is wrong with one value or with the key it stands under."""
    key = path[-1] if path else None
    if repeated:
        yield DUPLICATE_KEY, f"the key {excerpt(str(key))} appears more than once in one object"
    if isinstance(key, str) and _SURROGATE.search(key):
        yield LONE_SURROGATE, f"the key {excerpt(key)} holds a lone surrogate"
    if isinstance(value, str) and _SURROGATE.search(value):
        yield LONE_SURROGATE, "the string holds a lone surrogate"
    if isinstance(value, _BadNumber):
        yield value.code, f"{excerpt(value.text)} {value.failing}"


def _syntax_message(text: str, error: json.JSONDecodeError) -> str:
    """Say what the decoder met; of the text itself show one character, for it may be confidential."""
    found = repr(text[error.pos]) if error.pos < len(text) else "the end of the text"
    return f"{error.msg.removesuffix(' at')} at {_position(text, error.pos)}: found {found}"


def _position(text: str, index: int) -> str:
    """Write the 1-based column, in characters, of an index, with its line where the text has several."""
    line, column = text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)
    return f"line {line}, column {column}" if "\n" in text else f"column {column}"


def excerpt(text: str) -> str:
    """Quote the beginning of a key, number or scalar; escapes whatever cannot be printed or encoded."""
    return repr(text[:_MAX_EXCERPT]) + ("…" if len(text) > _MAX_EXCERPT else "")
