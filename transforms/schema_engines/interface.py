"""What a JSON Schema engine is to the rest of the product, and the form of the errors it gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

Path = tuple[str | int, ...]

FALSE_SCHEMA = "false"


@dataclass(frozen=True, slots=True)
class SchemaError:
    """One broken keyword.

    `instance_path` holds the keys and indices from the record to the value that breaks it; `schema_path`
    is the keyword location of JSON Schema core 12.3.1: the way the evaluation took, `$ref` included.
    `names` are property names that belong to the error, sorted: the one that is missing, or all that are
    unexpected.

    The form is the same whichever engine found it:
    - `required`, `dependentRequired`: one error per missing property, at the object that lacks it;
    - `additionalProperties: false`, `unevaluatedProperties`, `propertyNames`: one per object, at the object;
    - `items: false`, `unevaluatedItems`, `contains` with its two bounds: one per array, at the array;
    - `anyOf`, `oneOf`, `not`: the keyword itself, never what its branches say;
    - any other `false` schema: keyword "false", at the value it forbids and the schema that forbids it.
    """

    keyword: str
    instance_path: Path
    schema_path: Path
    names: tuple[str, ...] = ()


class Engine(Protocol):
    """A compiled schema. Values must come from the strict parser: finite numbers, no lone surrogates."""

    def is_valid(self, value: Any) -> bool:
        """Whether the value meets the schema; stops at the first broken keyword."""

    def errors(self, value: Any) -> Iterable[SchemaError] | None:
        """Give every broken keyword, in no particular order; None where this engine cannot place one."""
