"""Does a campaign's own schema still promise what the rules of its kind take for granted?

Rules test no types and no bounds. So wherever the kind's shipped schema requires a member, narrows its type or
bounds its value, the campaign's schema must do so too, at least as strictly; it may say more, and name more members.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

Schema = dict[str, Any]

# How the campaign's value of a keyword must stand to the shipped one.
_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    **dict.fromkeys(("minimum", "minLength", "minItems"), operator.ge),
    **dict.fromkeys(("maximum", "maxLength", "maxItems"), operator.le),
    **dict.fromkeys(("pattern", "const", "additionalProperties", "uniqueItems", "if", "then", "else"), operator.eq),
}
# Members whose list a campaign may lengthen: records of a domain that the rules do not know count as private.
_OPEN_LISTS = ("domain",)


def misfits(schema: Any, shipped: Schema, path: str = "") -> Iterator[str]:
    """Where `schema` promises less than `shipped`: places written like `messages[].role`, with what is missing."""
    here = path or "the record"
    if not isinstance(schema, dict):
        yield f"{here} has no schema of its own"
        return
    wanted, given = _types(shipped), _types(schema)
    if wanted and not (given and all(_within(kind, wanted) for kind in given)):
        yield f"{here} must be of type {' or '.join(sorted(wanted))}, stated by `type`, `enum` or `const`"
        return
    yield from _bounds(schema, shipped, here)
    for name in shipped.get("required", ()):
        if name not in schema.get("required", ()):
            yield f"{here} must require {name!r}"
    for name, member in shipped.get("properties", {}).items():
        yield from misfits(schema.get("properties", {}).get(name), member, f"{path}.{name}" if path else name)
    for branch in shipped.get("allOf", ()):
        if branch not in schema.get("allOf", ()):
            yield f"{here} must keep the conditions that the shipped schema has under `allOf`"
            break
    if isinstance(shipped.get("items"), dict):
        yield from misfits(schema.get("items"), shipped["items"], f"{path}[]")


def _bounds(schema: Schema, shipped: Schema, here: str) -> Iterator[str]:
    for keyword, holds in _BOUNDS.items():
        # Each version of a kind declares its own.
        if keyword not in shipped or (keyword == "const" and here == "schema_version"):
            continue
        if keyword not in schema or not holds(schema[keyword], shipped[keyword]):
            yield f"{here} must keep `{keyword}` at least as strict as the shipped schema"
    listed = schema.get("enum", [schema.get("const")])
    if "enum" in shipped and here not in _OPEN_LISTS and not set(map(repr, listed)) <= set(map(repr, shipped["enum"])):
        yield f"{here} must list no other values than the shipped schema"


def _types(schema: Schema) -> set[str]:
    """The JSON types that a schema allows by `type`, `enum` or `const`; empty where it does not say."""
    if "type" in schema:
        kinds = schema["type"]
        return {kinds} if isinstance(kinds, str) else set(kinds)
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    return {_type_of(value) for value in values}


def _type_of(value: Any) -> str:
    # bool before int: in Python a bool is an int.
    for kind, name in ((bool, "boolean"), (str, "string"), (int, "integer"), (float, "number"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "object"


def _within(kind: str, wanted: set[str]) -> bool:
    return kind in wanted or (kind == "integer" and "number" in wanted)
