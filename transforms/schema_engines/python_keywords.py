"""Keywords of the reference engine, where `jsonschema` means something else or says too little.

Each is a function (validator, the keyword's value, the instance, the schema) that yields errors, as
`jsonschema.validators.extend` asks. Numbers of sections are those of JSON Schema validation 2020-12.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from transforms.schema_engines.evaluated import evaluated_properties
from transforms.schema_engines.patterns import matcher

FALSE_KEYWORD = "falseSchema"

Errors = Iterator[ValidationError]


class _NamedError(ValidationError):
    """An error about property names. Its text is empty: only keyword, paths and names are used."""

    def __init__(self, *names: str) -> None:
        super().__init__("")
        self.names = tuple(sorted(names))


def _false(validator: Any, value: Any, instance: Any, schema: Any) -> Errors:
    yield ValidationError("")


def _ref(validator: Any, reference: Any, instance: Any, schema: Any) -> Errors:
    """Make `$ref` part of the location, as `jsonschema` does for every other applicator."""
    for error in Draft202012Validator.VALIDATORS["$ref"](validator, reference, instance, schema):
        error.schema_path.appendleft("$ref")
        yield error


@lru_cache(maxsize=64)
def _format_test(name: str) -> Callable[[Any], bool]:
    schema = {"format": name}
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True).is_valid


def assert_format(validator: Any, name: Any, instance: Any, schema: Any) -> Errors:
    """Judge `format` by the other engine, so that a format has one meaning; unknown ones pass."""
    if not _format_test(name)(instance):
        yield ValidationError("")


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, str) and not matcher(pattern)(instance):
        yield ValidationError("")


def _pattern_properties(validator: Any, patterns: Mapping[str, Any], instance: Any, schema: Any) -> Errors:
    if isinstance(instance, dict):
        for pattern, subschema in patterns.items():
            for name in filter(matcher(pattern), instance):
                yield from validator.descend(instance[name], subschema, path=name, schema_path=pattern)


def _additional(instance: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for name in instance:
        if name not in known and not any(matcher(pattern)(name) for pattern in patterns):
            yield name


def _additional_properties(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    if not isinstance(instance, dict):
        return
    if subschema is False:
        names = tuple(_additional(instance, schema))
        if names:
            yield _NamedError(*names)
        return
    for name in _additional(instance, schema):
        yield from validator.descend(instance[name], subschema, path=name)


def _unevaluated_properties(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    if not isinstance(instance, dict):
        return
    rest = instance.keys() - evaluated_properties(validator, instance, schema)
    names = [name for name in rest if not _accepts(validator, subschema, instance[name])]
    if names:
        yield _NamedError(*names)


def _property_names(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    if isinstance(instance, dict):
        names = [name for name in instance if not _accepts(validator, subschema, name)]
        if names:
            yield _NamedError(*names)


def _accepts(validator: Any, subschema: Any, instance: Any) -> bool:
    return next(validator.descend(instance, subschema), None) is None


def _contains(validator: Any, subschema: Any, instance: Any, schema: Any) -> Errors:
    """Judge `contains` with its bounds (6.4.4, 6.4.5) as one keyword."""
    if isinstance(instance, list):
        count = sum(_accepts(validator, subschema, item) for item in instance)
        if not schema.get("minContains", 1) <= count <= schema.get("maxContains", count):
            yield ValidationError("")


def _required(validator: Any, names: Iterable[str], instance: Any, schema: Any) -> Errors:
    if isinstance(instance, dict):
        yield from (_NamedError(name) for name in names if name not in instance)


def _dependent_required(validator: Any, asked: Mapping[str, Any], instance: Any, schema: Any) -> Errors:
    if isinstance(instance, dict):
        missing = {name for key in asked.keys() & instance.keys() for name in asked[key]} - instance.keys()
        yield from (_NamedError(name) for name in sorted(missing))


def _multiple_of(validator: Any, divisor: Any, instance: Any, schema: Any) -> Errors:
    """Divide exactly, in the decimals as they are written (6.2.1): 19.99 is a multiple of 0.01."""
    if validator.is_type(instance, "number"):
        quotient = Fraction(repr(instance)) / Fraction(repr(divisor))
        if quotient.denominator != 1:
            yield ValidationError("")


def _unique_items(validator: Any, unique: bool, instance: Any, schema: Any) -> Errors:
    """Compare by hashing (6.4.3), in linear time."""
    if unique and isinstance(instance, list) and len({_key(item) for item in instance}) < len(instance):
        yield ValidationError("")


def _key(value: Any) -> Hashable:
    """Give equal keys to what JSON Schema calls equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, dict):
        return "object", frozenset((name, _key(member)) for name, member in value.items())
    if isinstance(value, list):
        return "array", tuple(map(_key, value))
    return isinstance(value, bool), value


KEYWORDS: dict[str, Callable[[Any, Any, Any, Any], Errors]] = {
    FALSE_KEYWORD: _false,
    "$ref": _ref,
    "additionalProperties": _additional_properties,
    "contains": _contains,
    "dependentRequired": _dependent_required,
    "multipleOf": _multiple_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "propertyNames": _property_names,
    "required": _required,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique_items,
}
