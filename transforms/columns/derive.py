"""JSON Schema (draft 2020-12) to Arrow types: from the schema alone, never from data, so that files never drift.

Every column can hold every value that the schema accepts, so conversion relies on validation:

| schema | column |
|---|---|
| `string`, `integer`, `number`, `boolean` | `string`, `int64`, `double`, `bool` |
| the same with `null` | the same |
| `const`, `enum` without `type` | by the JSON type of the values |
| only `null` (Parquet has no useful type for it) | `string` |
| `array` with `items` | `list` |
| `array` with `prefixItems` or without `items` | `list` of JSON text |
| object with `properties`, closed | `struct` in schema order |
| object with `properties`, open | `struct` with a last member `additional_properties`, JSON text of the others |
| object with only an `additionalProperties` schema, of scalars | `map` of `string` to the scalar |
| the same, of structs without a member `name` | `list` of structs, `name` before the members of the value |
| the same, of anything else | `list` of entries, structs of `key` and `value` |
| any other object | JSON text |
| `anyOf` or `oneOf` of one type (up to `null`) | that type |
| anything else; a definition that contains itself | JSON text |

Where several keywords apply, the first that fixes a type wins: `type`, `const` or `enum`, `$ref`, `allOf`,
`anyOf`, `oneOf`. Conditions (`if`, `then`, `not`, dependent schemas) and `$dynamicRef` never do.

A scalar is a `string` that is no JSON text, an `int64`, a `double` or a `bool`. Only such values stand in a Parquet
`map`: pyarrow, duckdb and polars have that type, Hugging Face `datasets` does not and reads only the other columns
of a file, when told their names and types. Structs stand in a `list` as those of an array do, their key beside them.

Every column is nullable but the keys, and an absent member and a `null` are the same there (in a `list` of named
structs also a `null` and an object without members); the archival bytes keep the difference. JSON text is compact
and has sorted keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

import pyarrow as pa

from transforms.columns.marks import (
    ADDITIONAL,
    CATEGORY,
    ENTRIES,
    JSON_TEXT,
    MAP,
    NAMED,
    has_free_names,
    mark_of,
    marked,
    merge,
    value_of,
)
from transforms.columns.provenance import PROVENANCE_SCHEMA
from transforms.columns.subschemas import Subschema, contains_itself, root

ADDITIONAL_PROPERTIES = "additional_properties"

# Parquet readers degrade with thousands of columns, and references that repeat references grow exponentially.
MAX_SUBSCHEMAS = 4096

# A derived field has no name until its parent gives it one.
_JSON = marked("", JSON_TEXT)
_NULL = pa.field("", pa.null())
_CATEGORY = marked("", CATEGORY)
_STRING, _INTEGER = pa.field("", pa.string()), pa.field("", pa.int64())
_NUMBER, _BOOLEAN = pa.field("", pa.float64()), pa.field("", pa.bool_())
_NAME, _KEY = (pa.field(name, pa.string(), nullable=False) for name in ("name", "key"))

# What their presence may add to the members that `unevaluatedProperties` counts as known.
_BESIDE_PROPERTIES = {"$ref", "$dynamicRef", "additionalProperties", "patternProperties", "dependentSchemas"} | {
    "allOf", "anyOf", "oneOf", "if", "then", "else"
}  # fmt: skip


def arrow_schema(schema: Any, registered: Mapping[str, Any]) -> pa.Schema:
    """The columns of records that `schema` accepts; a record is always an object, whatever `type` says.

    `schema` is valid against its metaschema; `registered` maps URIs to the documents that `$ref` may reach.

    Raises:
        ValueError: a reference is in no registered schema; a property of an open object is named
            `additional_properties`, or one of the record like a provenance column; the schema visits
            more than MAX_SUBSCHEMAS subschemas.
    """
    record = _Derivation().record(root(schema, registered))
    for name in PROVENANCE_SCHEMA.names:
        if record.get_field_index(name) >= 0:
            raise ValueError(f"the record's property {name!r} clashes with a provenance column")
    return record


def unify(schemas: Sequence[pa.Schema]) -> pa.Schema:
    """One table for several versions of a stream: all their columns, in order of first appearance.

    Raises:
        ValueError: two versions give a column of one name different types or meanings.
    """
    columns: dict[str, pa.Field] = {}
    for field in (field for schema in schemas for field in schema):
        merged = merge(columns.get(field.name, field), field)
        if merged is None:
            raise ValueError(f"versions disagree about column {field.name!r}: one stream is one table")
        columns[field.name] = merged
    return pa.schema(list(columns.values()))


def covers(schema: pa.Schema, required: pa.Schema) -> tuple[str, ...]:
    """The columns of `required` that `schema` lacks or types otherwise; empty where it covers them all.

    A path goes on with `.name` into a struct, `[]` into a list, `{}` into the values of an object with free names,
    whichever of its three forms it has. Columns and members of `schema` beyond those required do not matter, nor do
    the `additional_properties` of either.
    """
    present = {field.name: field for field in schema}
    return tuple(path for field in required for path in _lacking(present.get(field.name), field, field.name))


def _lacking(present: pa.Field | None, wanted: pa.Field, path: str) -> Iterator[str]:
    if mark_of(wanted) == ADDITIONAL:
        return
    if present is None:
        yield path
    elif pa.types.is_struct(wanted.type) and pa.types.is_struct(present.type):
        members = {member.name: member for member in present.type}
        for member in wanted.type:
            yield from _lacking(members.get(member.name), member, f"{path}.{member.name}")
    elif has_free_names(wanted) and mark_of(wanted) == mark_of(present):
        yield from _lacking(value_of(present), value_of(wanted), path + "{}")
    elif not (has_free_names(wanted) or has_free_names(present)) and _are_lists(wanted, present):
        yield from _lacking(present.type.value_field, wanted.type.value_field, path + "[]")
    elif merge(present, wanted.with_name(present.name)) is None:
        yield path


def _are_lists(*fields: pa.Field) -> bool:
    return all(pa.types.is_list(field.type) for field in fields)


class _Derivation:
    """One walk over a schema, counting the subschemas it visits."""

    def __init__(self) -> None:
        self._visits = 0
        self._recursive: dict[int, bool] = {}

    def record(self, node: Subschema) -> pa.Schema:
        field = self._field(node, is_object=True)
        target = node.referenced() if isinstance(node.schema, dict) else None
        if field is _JSON and target is not None and isinstance(target.schema, dict):
            field = self._object(target)  # a record that contains itself still has its own members
        if pa.types.is_struct(field.type):
            return pa.schema(list(field.type))
        closed = isinstance(node.schema, dict) and _is_closed(node.schema)
        return pa.schema([] if closed else [marked(ADDITIONAL_PROPERTIES, ADDITIONAL)])

    def _field(self, node: Subschema, *, is_object: bool = False) -> pa.Field:
        """The unnamed field for the values that a subschema accepts."""
        self._visits += 1
        if self._visits > MAX_SUBSCHEMAS:
            raise ValueError(f"the schema unfolds into more than {MAX_SUBSCHEMAS} subschemas")
        if not isinstance(node.schema, dict):
            return _NULL if node.schema is False else _JSON
        # A value meets all of them, so a column that holds the values of one holds those of the whole.
        by_type = self._object if is_object else self._by_type
        ways = (by_type, _by_values, self._by_reference, self._by_all, self._by_any)
        fields = (way(node) for way in ways)
        return next((field for field in fields if field is not _JSON), _JSON)

    def _by_type(self, node: Subschema) -> pa.Field:
        declared = node.schema.get("type", ())
        types = {declared} if isinstance(declared, str) else set(declared)
        if types == {"null"}:
            return _NULL
        types.discard("null")
        if types == {"integer", "number"}:
            return _NUMBER
        if len(types) != 1:
            return _JSON
        return self._of_type(types.pop(), node)

    def _of_type(self, name: str, node: Subschema) -> pa.Field:
        if name == "string":
            return _CATEGORY if node.schema.keys() & {"const", "enum"} else _STRING
        if name == "array":
            return self._array(node)
        if name == "object":
            return self._object(node)
        return {"integer": _INTEGER, "number": _NUMBER, "boolean": _BOOLEAN}.get(name, _JSON)

    def _array(self, node: Subschema) -> pa.Field:
        tuples = "prefixItems" in node.schema
        item = _JSON if tuples else self._field(node.at(node.schema.get("items", True)))
        return pa.field("", pa.list_(_named("element", item)))

    def _object(self, node: Subschema) -> pa.Field:
        schema = node.schema
        properties: Mapping[str, Any] = schema.get("properties", {})
        if not properties:
            others = schema.get("additionalProperties")
            if isinstance(others, dict) and others and "patternProperties" not in schema:
                return _free_object(_named("value", self._field(node.at(others))))
            return _JSON
        members = [_named(name, self._field(node.at(part))) for name, part in properties.items()]
        if not _is_closed(schema):
            if ADDITIONAL_PROPERTIES in properties:
                raise ValueError(f"an open object has a property {ADDITIONAL_PROPERTIES!r}: the name is reserved")
            members.append(marked(ADDITIONAL_PROPERTIES, ADDITIONAL))
        return pa.field("", pa.struct(members))

    def _by_reference(self, node: Subschema) -> pa.Field:
        target = node.referenced()
        if target is None:
            return _JSON
        key = id(target.schema)
        if key not in self._recursive:
            self._recursive[key] = contains_itself(target)
        return _JSON if self._recursive[key] else self._field(target)

    def _by_all(self, node: Subschema) -> pa.Field:
        fields = (self._field(node.at(part)) for part in node.schema.get("allOf", ()))
        return next((field for field in fields if field is not _JSON), _JSON)

    def _by_any(self, node: Subschema) -> pa.Field:
        for keyword in ("anyOf", "oneOf"):
            branches = node.schema.get(keyword, ())
            fields = [self._field(node.at(branch)) for branch in branches]
            typed = [field for field in fields if field is not _NULL]
            agreed = reduce(_agree, typed) if typed else _NULL
            if branches and agreed is not _JSON:
                return agreed
        return _JSON


def _by_values(node: Subschema) -> pa.Field:
    schema = node.schema
    if "const" not in schema and "enum" not in schema:
        return _JSON
    values = [schema["const"]] if "const" in schema else schema["enum"]
    fields = [_of_value(value) for value in values if value is not None]
    if not fields:
        return _NULL
    if all(field is _INTEGER or field is _NUMBER for field in fields):
        return _NUMBER if _NUMBER in fields else _INTEGER
    return fields[0] if all(field is fields[0] for field in fields) else _JSON


def _of_value(value: Any) -> pa.Field:
    if isinstance(value, str):
        return _CATEGORY
    if isinstance(value, bool):
        return _BOOLEAN
    if isinstance(value, int | float):
        return _INTEGER if isinstance(value, int) or value.is_integer() else _NUMBER
    return _JSON


def _agree(one: pa.Field, other: pa.Field) -> pa.Field:
    merged = merge(one, other)
    return _JSON if merged is None else merged


def _free_object(value: pa.Field) -> pa.Field:
    """The column of an object with free names, whose values are all like `value`."""
    kind = value.type
    if not pa.types.is_nested(kind) and mark_of(value) != JSON_TEXT:
        return marked("", MAP, pa.map_(_KEY, value))
    if pa.types.is_struct(kind) and _NAME.name not in kind.names:
        return marked("", NAMED, _list_of(_NAME, *kind))
    return marked("", ENTRIES, _list_of(_KEY, value))


def _list_of(*members: pa.Field) -> pa.DataType:
    return pa.list_(pa.field("element", pa.struct(members)))


def _is_closed(schema: Mapping[str, Any]) -> bool:
    if schema.get("additionalProperties") is False:
        return not schema.get("patternProperties")
    return schema.get("unevaluatedProperties") is False and not schema.keys() & _BESIDE_PROPERTIES


def _named(name: str, field: pa.Field) -> pa.Field:
    return pa.field(name, pa.string()) if field is _NULL else field.with_name(name)
