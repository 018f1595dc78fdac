"""Does a campaign's own schema still promise what the rules of its kind take for granted?

Rules test no types and no bounds. So wherever the kind's shipped schema requires a member, narrows its type or
bounds its value or its name, the campaign's schema must do so too, at least as strictly; it may say more, name more
members, and forbid those that are not required. What it says by other means than the shipped schema's own keywords and
`$ref` does not count.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from transforms.columns.subschemas import Subschema, root
from transforms.schema_engines.applicators import LISTED, NAMED, SINGLE, subschemas

Schema = dict[str, Any]
# Pairs of schemas that a comparison stands inside of, by identity: references may lead back to them.
_Entered = frozenset[tuple[int, int]]

# How the campaign's value of a keyword must stand to the shipped one.
_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"), operator.ge),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"), operator.le),
    **dict.fromkeys(("pattern", "const", "uniqueItems"), operator.eq),
}
# Members whose list a campaign may lengthen: records of a domain that the rules do not know count as private.
_OPEN_LISTS = ("domain",)
# Each version of a kind declares its own.
_VERSIONS = ("schema_version", "schemaVersion")
# They judge no value.
_SILENT = frozenset({"$anchor", "$comment", "$defs", "$id", "$schema", "default", "description", "examples", "title"})


def misfits(schema: Any, shipped: Schema, registered: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Where `schema` promises less than `shipped`, with what is missing.

    A place is written like `messages[].role`, or `criteria{}` for the members of `criteria` by whatever name. Both
    schemas are valid against their metaschema; `registered` maps URIs to documents that `$ref` in `schema` may reach
    beside its own. A reference that leads to neither counts as no schema.
    """
    yield from misfits_between(root(schema, registered or {}), root(shipped, {}))


def misfits_between(own: Subschema, shipped: Subschema) -> Iterator[str]:
    """Where `own` promises less than `shipped`, as `misfits`."""
    yield from _misfits(own, shipped, "", frozenset())


def _misfits(own: Subschema, shipped: Subschema, path: str, entered: _Entered) -> Iterator[str]:
    pair = id(own.schema), id(shipped.schema)
    own, shipped = followed(own), followed(shipped)
    if pair in entered or not isinstance(shipped.schema, dict):
        return
    here = path or "the record"
    if not isinstance(own.schema, dict):
        yield f"{here} has no schema of its own"
        return
    wanted, given = _types(shipped.schema), _types(own.schema)
    if wanted and not (given and all(_within(kind, wanted) for kind in given)):
        yield f"{here} must be of type {' or '.join(sorted(wanted))}, stated by `type`, `enum` or `const`"
        return
    yield from _bounds(own.schema, shipped.schema, here)
    for name in shipped.schema.get("required", ()):
        if name not in own.schema.get("required", ()):
            yield f"{here} must require {name!r}"
    for place, mine, theirs in _parts(own, shipped, path):
        yield from _misfits(mine, theirs, place, entered | {pair})
    yield from _conditions(own, shipped, here)


def followed(node: Subschema) -> Subschema:
    """The schema that a reference leads to, or `node` itself without one.

    Keywords beside a reference replace those of its target: a value meets both, so each promise is kept. Those that
    hold schemas are left out, because some go by their neighbours, as `additionalProperties` by `properties`.
    What leads to nothing, or round in a circle, promises nothing: True.
    """
    seen: set[int] = set()
    beside: Schema = {}
    while isinstance(node.schema, dict) and "$ref" in node.schema:
        seen.add(id(node.schema))
        plain = node.schema.keys() - {"$ref"} - NAMED - LISTED - SINGLE
        beside = {keyword: node.schema[keyword] for keyword in plain} | beside
        try:
            target = node.referenced()
        except ValueError:
            target = None
        if target is None or id(target.schema) in seen:
            return node.at(True)
        node = target
    return Subschema({**node.schema, **beside}, node.resolver) if isinstance(node.schema, dict) else node


def _parts(own: Subschema, shipped: Subschema, path: str) -> Iterator[tuple[str, Subschema, Subschema]]:
    """The schemas inside the two that judge the same values, each pair with its place."""
    mine, theirs = own.schema.get("properties", {}), shipped.schema.get("properties", {})
    required = shipped.schema.get("required", ())
    pairs = [
        (_member(path, name), mine.get(name, True), part)
        for name, part in theirs.items()
        if name in required or not _is_forbidden(own.at(mine.get(name, True)))
    ]
    if "items" in shipped.schema:
        places = _unless_false(own.schema.get("prefixItems", ()), own.schema.get("items", True))
        pairs += [(f"{path}[]", part, shipped.schema["items"]) for part in places]
    others = shipped.schema.get("additionalProperties")
    if isinstance(others, dict):
        pairs += [(_member(path, name), part, others) for name, part in mine.items() if name not in theirs]
        patterns = own.schema.get("patternProperties", {}).values()
        places = _unless_false(patterns, own.schema.get("additionalProperties", True))
        pairs += [(path + "{}", part, others) for part in places]
    if "propertyNames" in shipped.schema:
        names = own.schema.get("propertyNames", True)
        pairs.append((f"a name in {path or 'the record'}", names, shipped.schema["propertyNames"]))
    yield from ((place, own.at(part), shipped.at(counterpart)) for place, part, counterpart in pairs)


def _is_forbidden(node: Subschema) -> bool:
    """Whether no value is valid: then there is none that the rules would judge."""
    return followed(node).schema is False


def _member(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _unless_false(some: Iterable[Any], rest: Any) -> list[Any]:
    """All of them, but for a `rest` of False: there is none that it would judge."""
    return [*some] if rest is False else [*some, rest]


def _bounds(schema: Schema, shipped: Schema, here: str) -> Iterator[str]:
    for keyword, holds in _BOUNDS.items():
        if keyword not in shipped or (keyword == "const" and here in _VERSIONS):
            continue
        if keyword not in schema or not holds(schema[keyword], shipped[keyword]):
            yield _weaker(here, keyword)
    if shipped.get("additionalProperties") is False and schema.get("additionalProperties") is not False:
        yield _weaker(here, "additionalProperties")
    listed = schema.get("enum", [schema.get("const")])
    if "enum" in shipped and here not in _OPEN_LISTS and not set(map(repr, listed)) <= set(map(repr, shipped["enum"])):
        yield f"{here} must list no other values than the shipped schema"


def _weaker(here: str, keyword: str) -> str:
    return f"{here} must keep `{keyword}` at least as strict as the shipped schema"


def _conditions(own: Subschema, shipped: Subschema, here: str) -> Iterator[str]:
    for keyword in ("if", "then", "else"):
        if keyword in shipped.schema:
            theirs = shipped.at(shipped.schema[keyword])
            if keyword not in own.schema or not _same(own.at(own.schema[keyword]), theirs, frozenset()):
                yield _weaker(here, keyword)
    branches = [own.at(branch) for branch in own.schema.get("allOf", ())]
    for wanted in map(shipped.at, shipped.schema.get("allOf", ())):
        if not any(_same(branch, wanted, frozenset()) for branch in branches):
            yield f"{here} must keep the conditions that the shipped schema has under `allOf`"
            return


def _same(own: Subschema, shipped: Subschema, entered: _Entered) -> bool:
    """Whether two schemas are equal but for what they say to readers, with their references followed."""
    pair = id(own.schema), id(shipped.schema)
    if pair in entered:
        return True
    own, shipped = followed(own), followed(shipped)
    if not (isinstance(own.schema, dict) and isinstance(shipped.schema, dict)):
        return bool(own.schema == shipped.schema)
    mine, theirs = (dict(_flat(node)) for node in (own, shipped))
    return mine.keys() == theirs.keys() and all(
        _same(mine[key], theirs[key], entered | {pair})
        if isinstance(mine[key], Subschema) and isinstance(theirs[key], Subschema)
        else mine[key] == theirs[key]
        for key in theirs
    )


def _flat(node: Subschema) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """What a schema says, by path: the schemas directly inside it, and the values of its other keywords."""
    inside = NAMED | LISTED | SINGLE
    yield from ((path, node.at(part)) for path, part in subschemas(node.schema) if path[0] not in _SILENT)
    yield from (((keyword,), value) for keyword, value in node.schema.items() if keyword not in inside | _SILENT)


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
