"""Where a JSON Schema holds schemas: the applicator keywords of draft 2020-12 (core, sections 8 and 10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from transforms.schema_engines.interface import Path

# What stands under the keyword: schemas by name, a list of schemas, or one schema.
NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
LISTED = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SINGLE = frozenset(
    {"additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames"}
    | {"then", "unevaluatedItems", "unevaluatedProperties"}
)
REFERENCES = frozenset({"$ref", "$dynamicRef"})

# Those that judge the same value again, and those whose errors lie one step deeper in the instance.
IN_PLACE = frozenset({"allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"})
DESCENDING = frozenset({"additionalProperties", "items", "patternProperties", "prefixItems", "properties"})


def subschemas(schema: Any) -> Iterator[tuple[Path, Any]]:
    """Give the schemas directly inside a schema, each with its path from there."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in NAMED and isinstance(value, dict):
            yield from (((keyword, name), subschema) for name, subschema in value.items())
        elif keyword in LISTED and isinstance(value, list):
            yield from (((keyword, index), subschema) for index, subschema in enumerate(value))
        elif keyword in SINGLE:
            yield (keyword,), value


def keywords_on(path: Path) -> Iterator[tuple[int, str]]:
    """Give the position and name of each keyword on a keyword location.

    The other steps are names (a property called "items", say) and indices.
    """
    position = 0
    while position < len(path):
        keyword = str(path[position])
        yield position, keyword
        position += 2 if keyword in NAMED or keyword in LISTED else 1
