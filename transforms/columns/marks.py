"""What an Arrow type cannot say about a column, kept as field metadata.

The marks live in memory only: the Parquet files hold plain types (`transforms.parquet`). They tell a
column of JSON text from one of plain text, which share the type `string`, and tell the writer which
text has few distinct values. And they tell which of three forms an object with free names has: one
whose schema says what the values of its members are, but not their names.
"""

from __future__ import annotations

import pyarrow as pa

_KEY = b"assay"

JSON_TEXT = b"json"
"""The string is JSON text: any value whose JSON Schema fixes no single type."""

ADDITIONAL = b"additional"
"""The string is JSON text of an object: the members that an open object's schema does not name."""

CATEGORY = b"category"
"""The strings are few and repeat: a `const`, an `enum`, a shard's name, a version."""

MAP = b"map"
"""The map holds an object with free names: its values are scalars."""

NAMED = b"named"
"""The list holds an object with free names: its values are structs, and each begins with the member's `name`."""

ENTRIES = b"entries"
"""The list holds an object with free names: its values are anything else, each the `value` beside its `key`."""

_FREE = (MAP, NAMED, ENTRIES)


def marked(name: str, mark: bytes, kind: pa.DataType | None = None, *, nullable: bool = True) -> pa.Field:
    """A field carrying `mark`, a string unless `kind` says otherwise."""
    return pa.field(name, kind or pa.string(), nullable=nullable, metadata={_KEY: mark})


def mark_of(field: pa.Field) -> bytes | None:
    """The mark of a field, or None."""
    metadata: dict[bytes, bytes] = field.metadata or {}
    return metadata.get(_KEY)


def has_free_names(field: pa.Field) -> bool:
    """Whether the field holds an object with free names, in any of its three forms."""
    return mark_of(field) in _FREE


def value_of(members: pa.Field) -> pa.Field:
    """The field of the values in a column that holds an object with free names."""
    mark, kind = mark_of(members), members.type
    if mark == MAP:
        return kind.item_field
    if mark == NAMED:
        return pa.field("value", pa.struct(list(kind.value_type)[1:]))
    return kind.value_type.field("value")


def merge(one: pa.Field, other: pa.Field) -> pa.Field | None:
    """The field that holds the values of both, or None where their types or meanings differ.

    A category and free text, at any depth, give free text: that mark only guides the Parquet writer.
    """
    if one.equals(other, check_metadata=True):
        return one
    free = _without_categories(one)
    return free if free.equals(_without_categories(other), check_metadata=True) else None


def _without_categories(field: pa.Field) -> pa.Field:
    if mark_of(field) == CATEGORY:
        field = field.remove_metadata()
    kind = field.type
    if pa.types.is_struct(kind):
        return field.with_type(pa.struct([_without_categories(member) for member in kind]))
    if pa.types.is_list(kind):
        return field.with_type(pa.list_(_without_categories(kind.value_field)))
    if pa.types.is_map(kind):
        return field.with_type(pa.map_(kind.key_field, _without_categories(kind.item_field)))
    return field
