"""The reference engine: `jsonschema`, with the keywords that it reads otherwise put right."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from transforms.schema_engines.applicators import LISTED, NAMED, SINGLE
from transforms.schema_engines.interface import FALSE_SCHEMA, SchemaError
from transforms.schema_engines.location import root_resolver
from transforms.schema_engines.python_keywords import FALSE_KEYWORD, KEYWORDS, assert_format

_WITHOUT_FORMATS = extend(Draft202012Validator, KEYWORDS)  # type: ignore[no-untyped-call]
_WITH_FORMATS = extend(_WITHOUT_FORMATS, {"format": assert_format})  # type: ignore[no-untyped-call]

# A few frames for each level of a record, of which there may be a hundred and more, and for each `$ref`:
# too many for Python's default of 1000; this many take about 2 MB of a thread's stack.
_FRAMES = 4000

# Keywords that, being `false`, close their object or array: they report themselves.
_CLOSING = frozenset({"additionalProperties", "items", "propertyNames", "unevaluatedItems", "unevaluatedProperties"})


class PythonEngine:
    """A schema compiled by `jsonschema`: some hundred times slower, lazy, and written apart from the other.

    References that do not resolve raise only when they are met: check the schema first.
    """

    def __init__(self, schema: Any, assert_formats: bool, registered: Mapping[str, Any]) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))
        prepared = _prepared(schema)
        # Given a registry instead, the library would add the metaschemas, and those bring its own validator.
        resolver = root_resolver(prepared, {uri: _prepared(each) for uri, each in registered.items()})
        validator = _WITH_FORMATS if assert_formats else _WITHOUT_FORMATS
        self._validator = validator(prepared, _resolver=resolver)

    def is_valid(self, value: Any) -> bool:
        """Whether the value meets the schema."""
        return next(self.errors(value), None) is None

    def errors(self, value: Any) -> Iterator[SchemaError]:
        """Give the broken keywords one by one."""
        for error in self._validator.iter_errors(value):
            path = tuple(error.absolute_schema_path)
            keyword = FALSE_SCHEMA if error.validator is None else str(error.validator)
            if keyword == FALSE_KEYWORD:
                keyword, path = FALSE_SCHEMA, path[:-1]
            yield SchemaError(keyword, tuple(error.absolute_path), path, getattr(error, "names", ()))


def _prepared(schema: Any, keyword: str = "") -> Any:
    """Write a schema document so that `jsonschema` keeps what it would lose.

    `false` becomes a keyword, for its errors come without a location; `$schema` goes, for with it the
    library turns to its own unextended validator in the middle of a document.
    """
    if schema is False and keyword not in _CLOSING:
        return {FALSE_KEYWORD: True}
    if not isinstance(schema, dict):
        return schema
    return {key: _prepared_value(key, value) for key, value in schema.items() if key != "$schema"}


def _prepared_value(keyword: str, value: Any) -> Any:
    if keyword in NAMED and isinstance(value, dict):
        return {name: _prepared(schema) for name, schema in value.items()}
    if keyword in LISTED and isinstance(value, list):
        return [_prepared(schema) for schema in value]
    return _prepared(value, keyword) if keyword in SINGLE else value
