"""Which properties of an object other keywords evaluate, for `unevaluatedProperties` (core, section 11.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from referencing.jsonschema import DRAFT202012

from transforms.schema_engines.applicators import REFERENCES
from transforms.schema_engines.patterns import matcher


def evaluated_properties(validator: Any, instance: Mapping[str, Any], schema: Mapping[str, Any]) -> set[str]:
    """Give the names that the keywords beside an `unevaluatedProperties` evaluate, in-place schemas included.

    `validator` is a `jsonschema` validator for `schema`. What a failed branch of `allOf`, `anyOf`, `oneOf`
    or `if` has seen does not count; a broken reference or dependent schema reports itself, so that does.
    """
    patterns = [matcher(pattern) for pattern in schema.get("patternProperties", ())]
    names = {
        name
        for name in instance
        if "additionalProperties" in schema
        or name in schema.get("properties", ())
        or any(matches(name) for matches in patterns)
    }
    for branch in _branches(validator, instance, schema):
        names |= evaluated_properties(branch, instance, branch.schema)
        if "unevaluatedProperties" in branch.schema:
            rest = _inner(branch, branch.schema["unevaluatedProperties"])
            names |= {name for name, value in instance.items() if rest.is_valid(value)}
    return names


def _branches(validator: Any, instance: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Any]:
    """Give a validator for each in-place schema that counts and is not a boolean."""
    for keyword in REFERENCES & schema.keys():
        resolved = validator._resolver.lookup(schema[keyword])
        if isinstance(resolved.contents, dict):
            yield validator.evolve(schema=resolved.contents, _resolver=resolved.resolver)
    applied = [schema for name, schema in schema.get("dependentSchemas", {}).items() if name in instance]
    yield from (_inner(validator, each) for each in applied if isinstance(each, dict))
    yield from (branch for branch in _accepting(validator, instance, schema) if isinstance(branch.schema, dict))


def _accepting(validator: Any, instance: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Any]:
    """Give a validator for each branch that accepts the instance, where branches decide."""
    for keyword in ("allOf", "anyOf", "oneOf"):
        branches = [_inner(validator, each) for each in schema.get(keyword, ())]
        accepting = [branch for branch in branches if branch.is_valid(instance)]
        if keyword != "oneOf" or len(accepting) == 1:
            yield from accepting
    if "if" in schema:
        condition = _inner(validator, schema["if"])
        holds = condition.is_valid(instance)
        if holds:
            yield condition
        chosen = "then" if holds else "else"
        if chosen in schema:
            yield _inner(validator, schema[chosen])


def _inner(validator: Any, schema: Any) -> Any:
    resolver = validator._resolver.in_subresource(DRAFT202012.create_resource(schema))
    return validator.evolve(schema=schema, _resolver=resolver)
