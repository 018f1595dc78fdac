"""What a finding says of a broken keyword.

Messages are made of the keyword's value in the schema, which the campaign wrote, and of property names,
which the record may have chosen: of those only a few are shown, cut and escaped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from transforms.schema_engines.interface import FALSE_SCHEMA

_MAX_EXCERPT = 40
_MAX_PATTERN = 120
_MAX_OPTIONS = 8
_MAX_NAMES = 3

Schema = Mapping[str, Any]
Say = Callable[[Any, Schema, tuple[str, ...]], str]


def say(keyword: str, value: Any, schema: Schema, names: tuple[str, ...]) -> str:
    """Say what a record must be or has, given the keyword's value, the schema around it and the error's names."""
    return _SAY[keyword](value, schema, names)


def quoted(value: Any, bound: int = _MAX_EXCERPT) -> str:
    """Quote the first `bound` characters of a string with all escaped that cannot be printed; write JSON otherwise."""
    if isinstance(value, str):
        return repr(value[:bound]) + ("…" if len(value) > bound else "")
    text = json.dumps(value)
    return text if len(text) <= bound else text[:bound] + "…"


def several(values: Iterable[Any], bound: int) -> str:
    """Quote the first `bound` values and count the others."""
    shown = [quoted(value) for value in values]
    more = f" and {len(shown) - bound} more" if len(shown) > bound else ""
    return ", ".join(shown[:bound]) + more


def count(number: Any, noun: str) -> str:
    """Write a number of things: "1 item", "2 items", "2 properties"."""
    plural = noun.removesuffix("y") + "ies" if noun.endswith("y") else noun + "s"
    return f"{quoted(number)} {noun if number == 1 else plural}"


def _fixed(text: str) -> Say:
    return lambda value, schema, names: text


def _limit(text: str) -> Say:
    return lambda value, schema, names: f"must be {text} {quoted(value)}"


def _size(text: str, noun: str) -> Say:
    return lambda value, schema, names: f"must have {text} {count(value, noun)}"


def _names(text: str) -> Say:
    return lambda value, schema, names: f"{text} {several(names, _MAX_NAMES)}"


def _type(value: Any, schema: Schema, names: tuple[str, ...]) -> str:
    return f"must be of type {value if isinstance(value, str) else ' or '.join(value)}"


def _contains(value: Any, schema: Schema, names: tuple[str, ...]) -> str:
    least, most = schema.get("minContains", 1), schema.get("maxContains")
    bounds = f"at least {quoted(least)}" if most is None else f"from {quoted(least)} to {quoted(most)}"
    return f"must have {bounds} of the items that its schema asks for"


def _items(value: Any, schema: Schema, names: tuple[str, ...]) -> str:
    return f"must have at most {count(len(schema.get('prefixItems', ())), 'item')}"


_SAY: dict[str, Say] = {
    FALSE_SCHEMA: _fixed("is not allowed here"),
    "additionalProperties": _names("has unexpected properties:"),
    "anyOf": lambda value, schema, names: f"must match at least one of {count(len(value), 'alternative')}",
    "const": lambda value, schema, names: f"must be {quoted(value)}",
    "contains": _contains,
    "dependentRequired": lambda value, schema, names: f"is missing {quoted(names[0])}, which another property asks for",
    "enum": lambda value, schema, names: f"must be one of {several(value, _MAX_OPTIONS)}",
    "exclusiveMaximum": _limit("less than"),
    "exclusiveMinimum": _limit("greater than"),
    "format": lambda value, schema, names: f"must have the format {quoted(value)}",
    "items": _items,
    "maxItems": _size("at most", "item"),
    "maxLength": _size("at most", "character"),
    "maxProperties": _size("at most", "property"),
    "maximum": _limit("at most"),
    "minItems": _size("at least", "item"),
    "minLength": _size("at least", "character"),
    "minProperties": _size("at least", "property"),
    "minimum": _limit("at least"),
    "multipleOf": _limit("a multiple of"),
    "not": _fixed("must not match the schema under 'not'"),
    "oneOf": lambda value, schema, names: f"must match exactly one of {count(len(value), 'alternative')}",
    "pattern": lambda value, schema, names: f"must match the pattern {quoted(value, _MAX_PATTERN)}",
    "propertyNames": _names("has property names that are not allowed:"),
    "required": lambda value, schema, names: f"is missing {quoted(names[0])}",
    "type": _type,
    "unevaluatedItems": _fixed("has items that no part of its schema allows"),
    "unevaluatedProperties": _names("has properties that no part of its schema allows:"),
    "uniqueItems": _fixed("must not have two equal items"),
}
KEYWORDS = tuple(sorted(_SAY))
