"""Walking a JSON Schema (draft 2020-12): a subschema with its base URI, and references resolved offline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

if TYPE_CHECKING:
    from referencing._core import Resolver  # the class has no public name


@dataclass(frozen=True, slots=True, eq=False)
class Subschema:
    """A schema (object or boolean) and the resolver that knows its base URI."""

    schema: Any
    resolver: Resolver[Any]

    def at(self, schema: Any) -> Subschema:
        """A schema found inside this one; a nested `$id` moves the base URI."""
        return Subschema(schema, self.resolver.in_subresource(DRAFT202012.create_resource(schema)))

    def referenced(self) -> Subschema | None:
        """What `$ref` points to, or None without one.

        Raises:
            ValueError: no registered schema answers the reference.
        """
        reference = self.schema.get("$ref")
        if not isinstance(reference, str):
            return None
        try:
            found = self.resolver.lookup(reference)
        except Unresolvable:
            raise ValueError(f"$ref {reference!r} is in no registered schema") from None
        return Subschema(found.contents, found.resolver)

    def parts(self) -> Iterator[Subschema]:
        """Every subschema that may decide the type of this one or of a value inside it, `$ref` included."""
        if not isinstance(self.schema, dict):
            return
        target = self.referenced()
        if target is not None:
            yield target
        for keyword in ("allOf", "anyOf", "oneOf"):
            yield from map(self.at, self.schema.get(keyword, ()))
        yield from map(self.at, self.schema.get("properties", {}).values())
        for keyword in ("items", "additionalProperties"):
            if keyword in self.schema:
                yield self.at(self.schema[keyword])


def root(schema: Any, registered: Mapping[str, Any]) -> Subschema:
    """The top of a schema document; `registered` maps a URI to each document that references may reach."""
    resource = DRAFT202012.create_resource(schema)
    base = resource.id() or ""
    documents = [(uri, DRAFT202012.create_resource(document)) for uri, document in registered.items()]
    registry: Registry[Any] = Registry().with_resources([*documents, (base, resource)])
    return Subschema(schema, registry.resolver(base_uri=base))


def contains_itself(start: Subschema) -> bool:
    """Whether the parts of `start`, at any remove, lead back to it."""
    seen: set[int] = set()
    waiting = list(start.parts())
    while waiting:
        part = waiting.pop()
        if part.schema is start.schema:
            return True
        if isinstance(part.schema, dict) and id(part.schema) not in seen:
            seen.add(id(part.schema))
            waiting.extend(part.parts())
    return False
