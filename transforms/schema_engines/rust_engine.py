"""The default engine: jsonschema-rs, with patterns in its linear-time matcher and nothing fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from jsonschema_rs import (
    Draft202012,
    Draft202012Validator,
    ReferencingError,
    RegexOptions,
    Registry,
    ValidationError,
    ValidationErrorKind,
)

from transforms.schema_engines.applicators import keywords_on
from transforms.schema_engines.interface import FALSE_SCHEMA, Path, SchemaError


class RustEngine:
    """A schema compiled by jsonschema-rs. Cannot be pickled: build one per process.

    Raises ValueError where the schema does not compile.
    """

    is_valid: Callable[[Any], bool]

    def __init__(self, schema: Any, assert_formats: bool, registered: Mapping[str, Any]) -> None:
        try:
            self._validator = Draft202012Validator(
                schema,
                validate_formats=assert_formats,
                registry=Registry(registered.items(), draft=Draft202012),
                pattern_options=RegexOptions(),
                offline=True,
            )
        except (ValidationError, ReferencingError) as error:
            raise ValueError(f"the schema does not compile: {error}") from error
        self._has_empty_name = _has_empty_name([schema, dict(registered)])
        # The engine's own method: a wrapper would cost a good part of a small record's check.
        self.is_valid = self._validator.is_valid

    def errors(self, value: Any) -> Iterable[SchemaError] | None:
        """Give every broken keyword; None where the engine loses the place of one.

        It drops empty names from its paths, and the way to a `$ref` under `propertyNames`. Not lazy: each
        error costs some 1.4 KB and 10 µs before the first is seen.
        """
        if self._has_empty_name or _has_empty_name(value):
            return None
        found: dict[SchemaError, set[str]] = {}
        for error in self._validator.iter_errors(value):
            if _is_untrue(error, value):
                continue
            normal = _normal_form(error, value)
            if normal is None:
                return None
            one, names = normal
            found.setdefault(one, set()).update(names)
        return [
            SchemaError(one.keyword, one.instance_path, one.schema_path, one.names or tuple(sorted(names)))
            for one, names in found.items()
        ]


def _is_untrue(error: ValidationError, value: Any) -> bool:
    """Whether the engine calls a property missing that is there, being required but closed out beside it."""
    kind = error.kind
    return isinstance(kind, ValidationErrorKind.Required) and kind.property in _at(value, error.instance_path)


_Normal = tuple[SchemaError, Iterable[str]]


def _normal_form(error: ValidationError, value: Any) -> _Normal | None:
    """Give the shared form of an error, and names to add to those of the errors equal to it."""
    where, path = tuple(error.instance_path), tuple(error.evaluation_path)
    match error.kind:
        case ValidationErrorKind.PropertyNames(error=inner):
            return _property_names(where, path, str(inner.instance))
        case ValidationErrorKind.FalseSchema():
            return _false_schema(where, path, value)
        case ValidationErrorKind.Contains():
            # Its location is that of minContains or maxContains where these are there, whatever failed.
            return SchemaError("contains", where, (*path[:-1], "contains")), ()
        case ValidationErrorKind.Required(property=name):
            return SchemaError(str(path[-1]), where, path, (name,)), ()
        case (
            ValidationErrorKind.AdditionalProperties(unexpected=names)
            | ValidationErrorKind.UnevaluatedProperties(unexpected=names)
        ):
            return SchemaError(str(path[-1]), where, path), names
    return SchemaError(str(path[-1]), where, path), ()


def _property_names(where: Path, path: Path, name: str) -> _Normal | None:
    for position, keyword in keywords_on(path):
        if keyword == "propertyNames":
            return SchemaError(keyword, where, path[: position + 1]), (name,)
    return None


def _false_schema(where: Path, path: Path, value: Any) -> _Normal:
    """Tell a keyword that is itself `false`, and so closes its object or array, from any other `false`."""
    *_, (position, keyword) = keywords_on(path) if path else [(0, "")]
    if position == len(path) - 1:
        if keyword == "items":
            return SchemaError(keyword, where[:-1], path), ()
        if keyword in ("additionalProperties", "propertyNames"):
            return SchemaError(keyword, where, path), _at(value, where)
    return SchemaError(FALSE_SCHEMA, where, path), ()


def _at(value: Any, where: Iterable[str | int]) -> Any:
    for step in where:
        value = value[step]
    return value


def _has_empty_name(value: Any) -> bool:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if "" in item:
                return True
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return False
