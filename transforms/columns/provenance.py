"""Where a published record came from: the columns that stand beside its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from transforms.columns.marks import CATEGORY, marked
from transforms.records import Origin


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of one record and the bytes that were hashed.

    `line` is 1-based; `byte_offset` and `byte_length` (bytes) are those of the line as read, in the
    decompressed shard; `record_sha256` is hex, over exactly `archival_bytes`.
    """

    stream: str
    shard: str
    line: int
    byte_offset: int
    byte_length: int
    schema_version: str
    rubric_version: str | None
    record_sha256: str
    archival_bytes: bytes


# The prefix keeps them apart from a record's own fields, such as `schema_version`.
PROVENANCE_SCHEMA: pa.Schema = pa.schema(
    [
        marked("assay_stream", CATEGORY, nullable=False),
        marked("assay_shard", CATEGORY, nullable=False),
        pa.field("assay_line", pa.int64(), nullable=False),
        pa.field("assay_byte_offset", pa.int64(), nullable=False),
        pa.field("assay_byte_length", pa.int64(), nullable=False),
        marked("assay_schema_version", CATEGORY, nullable=False),
        marked("assay_rubric_version", CATEGORY),
        pa.field("assay_record_sha256", pa.string(), nullable=False),
        pa.field("assay_archival_bytes", pa.binary(), nullable=False),
    ]
)

# Beside the record of a stream that has an adapter: the line that it was told from.
SOURCE_FIELDS: tuple[pa.Field, ...] = (
    pa.field("assay_source_bytes", pa.binary(), nullable=False),
    pa.field("assay_source_sha256", pa.string(), nullable=False),
)


# Beside the record of a stream that has migrations, where it was migrated: the same, its version, and the members that
# operations changed. Null where it was not.
MIGRATION_FIELDS: tuple[pa.Field, ...] = (
    *(field.with_nullable(True) for field in SOURCE_FIELDS),
    marked("assay_source_version", CATEGORY),
    pa.field("assay_migrated_fields", pa.list_(pa.string())),
)
NOT_MIGRATED: tuple[None, ...] = (None,) * len(MIGRATION_FIELDS)

# Beside the records of a stream that is revalidated: where each was first read. Null for one that is first read now.
ORIGIN_FIELDS: tuple[pa.Field, ...] = (
    marked("assay_origin_run", CATEGORY),
    marked("assay_origin_shard", CATEGORY),
    pa.field("assay_origin_line", pa.int64()),
)


def full_schema(record_schema: pa.Schema) -> pa.Schema:
    """The schema of an accepted file: the record's columns, then the provenance columns."""
    return pa.schema([*record_schema, *PROVENANCE_SCHEMA])


def provenance_columns(rows: Sequence[Provenance]) -> list[pa.Array]:
    """One array per field of PROVENANCE_SCHEMA, in its order, each as long as `rows`."""
    values = (
        [row.stream for row in rows],
        [row.shard for row in rows],
        [row.line for row in rows],
        [row.byte_offset for row in rows],
        [row.byte_length for row in rows],
        [row.schema_version for row in rows],
        [row.rubric_version for row in rows],
        [row.record_sha256 for row in rows],
        [row.archival_bytes for row in rows],
    )
    return [pa.array(column, field.type) for column, field in zip(values, PROVENANCE_SCHEMA, strict=True)]


def origin_columns(rows: Sequence[Origin | None]) -> list[pa.Array]:
    """One array per field of ORIGIN_FIELDS, in its order."""
    values = ([row and getattr(row, name) for row in rows] for name in ("run", "shard", "line"))
    return [pa.array(column, field.type) for column, field in zip(values, ORIGIN_FIELDS, strict=True)]
