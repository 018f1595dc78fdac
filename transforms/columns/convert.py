"""Parsed records to Arrow arrays, by the columns that `derive` gives their schema.

Only for records that their schema accepts. pyarrow checks little by itself: it drops a member that no
column names, reads a string as a list of letters, cuts 5.5 to 5 and takes `true` for 1.0. Behind
validation none of that can happen, because no column is narrower than its schema.

Normalised on the way, and kept in the archival bytes: an absent member and `null` are both null; 5.0 in
an integer column is 5, and 5 in a number column is 5.0; the keys of JSON text and the members of an object with free
names are sorted by code point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
import pyarrow as pa

from transforms.columns.derive import arrow_schema, unify
from transforms.columns.marks import ADDITIONAL, ENTRIES, JSON_TEXT, MAP, NAMED, has_free_names, mark_of, value_of
from transforms.records import Json

Convert = Callable[[Any], Any]

_REFUSALS = (ValueError, TypeError, OverflowError)
_QUOTED_CHARACTERS = 40


class ColumnError(ValueError):
    """A value that its column cannot hold exactly: `column` by name, `row` counted from 0 in the rows given."""

    def __init__(self, column: str, row: int) -> None:
        super().__init__(f"column {column[:_QUOTED_CHARACTERS]!r} cannot hold the value of row {row} exactly")
        self.column, self.row = column, row


@dataclass(frozen=True, slots=True)
class ColumnBuilder:
    """Builds the columns of records of one schema.

    `prepare` makes a parsed record fit for pyarrow; None where it takes the record as it is, the fast path.
    """

    schema: pa.Schema
    prepare: Convert | None

    def build(self, rows: Sequence[Json]) -> list[pa.Array]:
        """One array per field of `schema`, in its order, each as long as `rows`.

        Raises:
            ColumnError: a value does not fit its column exactly, such as 1e300 where the schema says
                `integer` and sets no bound.
        """
        return _columns(rows, [self.prepare] * len(rows), self.schema)


@dataclass(frozen=True, slots=True)
class StreamBuilder:
    """Builds the columns of a stream's records in whatever order their schema versions come.

    A column that a record's own version does not have is null in its row, even where the record has an
    unnamed member of that name: that one stays in `additional_properties`.
    """

    schema: pa.Schema
    prepare: Mapping[str, Convert | None]

    def build(self, rows: Sequence[Json], versions: Sequence[str]) -> list[pa.Array]:
        """One array per field of `schema`; `versions` says which schema accepted each row. Raises ColumnError."""
        return _columns(rows, [self.prepare[version] for version in versions], self.schema)


def column_builder(schema: Any, registered: Mapping[str, Any]) -> ColumnBuilder:
    """The builder for records of one schema. Raises ValueError as `derive.arrow_schema` does."""
    columns = arrow_schema(schema, registered)
    return ColumnBuilder(columns, _members_converter(list(columns)))


def stream_builder(schemas: Mapping[str, Any], registered: Mapping[str, Any]) -> StreamBuilder:
    """The builder for a stream's versions in one table. Raises ValueError as `arrow_schema` and `unify` do."""
    columns = {version: arrow_schema(schema, registered) for version, schema in schemas.items()}
    prepare = {version: _members_converter(list(own)) for version, own in columns.items()}
    return StreamBuilder(unify(list(columns.values())), prepare)


def json_text(value: Any) -> str:
    """Compact JSON with keys sorted by code point. Raises TypeError for what JSON cannot say."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def _columns(rows: Sequence[Json], prepares: Sequence[Convert | None], schema: pa.Schema) -> list[pa.Array]:
    record = pa.struct(list(schema))
    try:
        return _struct(rows, prepares, record)
    except _REFUSALS:
        # Arrow's own message quotes the value at any length and names no column, so look for the member.
        for number, (row, prepare) in enumerate(zip(rows, prepares, strict=True)):
            for name, value in row.items():
                if not _fits({name: value}, prepare, record):
                    raise ColumnError(name, number) from None
        raise


def _struct(rows: Sequence[Json], prepares: Sequence[Convert | None], record: pa.StructType) -> list[pa.Array]:
    if any(prepares):
        rows = [prepare(row) if prepare else row for row, prepare in zip(rows, prepares, strict=True)]
    arrays: list[pa.Array] = pa.array(rows, record).flatten()
    return arrays


def _fits(row: Json, prepare: Convert | None, record: pa.StructType) -> bool:
    try:
        _struct([row], [prepare], record)
    except _REFUSALS:
        return False
    return True


def _converter(field: pa.Field) -> Convert | None:
    """What a parsed value needs before pyarrow takes it exactly, compiled once; None where it needs nothing."""
    if mark_of(field) == JSON_TEXT:
        return json_text
    if pa.types.is_struct(field.type):
        return _members_converter(list(field.type))
    if has_free_names(field):
        return _sorted_converter(_MEMBER[mark_of(field)], _converter(value_of(field)))
    if pa.types.is_list(field.type):
        item = _converter(field.type.value_field)
        return None if item is None else _list_converter(item)
    return None


def _list_converter(item: Convert) -> Convert:
    def convert(values: Any) -> Any:
        return [None if value is None else item(value) for value in values]

    return convert


def _sorted_converter(member: Callable[[str, Any], Any], item: Convert | None) -> Convert:
    def convert(members: Any) -> Any:
        values = ((key, members[key]) for key in sorted(members))
        return [member(key, value if item is None or value is None else item(value)) for key, value in values]

    return convert


def _pair(key: str, value: Any) -> tuple[str, Any]:
    return key, value


def _named(name: str, value: Json | None) -> Json:
    return {**({} if value is None else value), "name": name}


def _entry(key: str, value: Any) -> Json:
    return {"key": key, "value": value}


# How pyarrow takes one member of an object with free names, by the mark of the column.
_MEMBER: Mapping[bytes | None, Callable[[str, Any], Any]] = {MAP: _pair, NAMED: _named, ENTRIES: _entry}


def _members_converter(fields: Sequence[pa.Field]) -> Convert | None:
    """For an object: converts the members that need it, and gathers those that an open object does not name."""
    converted = [(field.name, member) for field in fields if (member := _converter(field)) is not None]
    rest = next((field.name for field in fields if mark_of(field) == ADDITIONAL), None)
    if rest is None and not converted:
        return None
    named = frozenset(field.name for field in fields) - {rest}

    def convert(members: Any) -> Any:
        found = dict(members)
        if rest is not None:
            others = {name: found.pop(name) for name in members if name not in named}
            found[rest] = json_text(others) if others else None
        for name, member in converted:
            value = found.get(name)
            if value is not None:
                found[name] = member(value)
        return found

    return convert
