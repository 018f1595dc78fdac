"""What stands at a keyword location: the keyword's value, and the conditionals that the evaluation went through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from referencing import Registry
from referencing.jsonschema import DRAFT202012

from transforms.schema_engines.applicators import (
    DESCENDING,
    IN_PLACE,
    LISTED,
    NAMED,
    REFERENCES,
    keywords_on,
    subschemas,
)
from transforms.schema_engines.interface import Path

# `referencing` gives resolvers but does not export their type.
Resolver = Any

# Keyword locations are few, except where a schema refers to itself.
_KEPT_LOCATIONS = 4096


@dataclass(frozen=True, slots=True)
class Conditional:
    """An `if` whose `then` or `else` was applied.

    `depth` is how many steps of the instance path lead to the value it judged; `reads` are the
    properties of that value which the `if` looks at.
    """

    depth: int
    reads: frozenset[str]


@dataclass(frozen=True, slots=True)
class Location:
    """A keyword's `value` in its `schema`, and the conditionals above it, outermost first."""

    schema: Mapping[str, Any]
    value: Any
    conditionals: tuple[Conditional, ...]


def root_resolver(schema: Any, registered: Mapping[str, Any]) -> Resolver:
    """Resolve references from the root of `schema`: inside it or in `registered`; never fetches."""
    registry: Registry[Any] = Registry().with_resources(
        (uri, DRAFT202012.create_resource(document)) for uri, document in registered.items()
    )
    return registry.resolver_with_root(DRAFT202012.create_resource(schema))


class Locator:
    """Looks keyword locations up in one schema document and those registered beside it."""

    def __init__(self, schema: Any, registered: Mapping[str, Any]) -> None:
        self._schema = schema
        self._resolver = root_resolver(schema, registered)
        self.locate = lru_cache(_KEPT_LOCATIONS)(self._locate)

    def _locate(self, path: Path) -> Location:
        schema: Any = {}
        conditionals = []
        depth = 0
        for position, keyword, schema, resolver in self._schemas_on(path):
            if keyword in ("then", "else"):
                reads = frozenset(_properties_read(schema.get("if"), resolver, ()))
                conditionals.append(Conditional(depth, reads))
            if keyword in DESCENDING and position + 1 < len(path):
                depth += 1
        value = schema.get(path[-1]) if path else None
        return Location(schema, value, tuple(conditionals))

    def _schemas_on(self, path: Path) -> Iterator[tuple[int, str, Any, Resolver]]:
        """Give each keyword on the path with its position, the schema that holds it, and its resolver."""
        schema, resolver = self._schema, self._resolver
        for position, keyword in keywords_on(path):
            yield position, keyword, schema, resolver
            if position + 1 == len(path):
                return
            if keyword in REFERENCES:
                resolved = resolver.lookup(schema[keyword])
                schema, resolver = resolved.contents, resolved.resolver
                continue
            schema = schema[keyword]
            if keyword in NAMED or keyword in LISTED:
                schema = schema[path[position + 1]]
            resolver = resolver.in_subresource(DRAFT202012.create_resource(schema))


def _properties_read(schema: Any, resolver: Resolver, above: tuple[int, ...]) -> Iterator[str]:
    """Give the properties whose presence or value in the judged object itself a schema looks at."""
    if not isinstance(schema, dict) or id(schema) in above:
        return
    for keyword in ("properties", "required", "dependentRequired", "dependentSchemas"):
        yield from schema.get(keyword, ())
    above = (*above, id(schema))
    for path, subschema in subschemas(schema):
        if path[0] in IN_PLACE:
            yield from _properties_read(subschema, resolver, above)
    for keyword in REFERENCES & schema.keys():
        resolved = resolver.lookup(schema[keyword])
        yield from _properties_read(resolved.contents, resolved.resolver, above)
