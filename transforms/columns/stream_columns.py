"""The rows of one stream's accepted files: gathered record by record, taken as Arrow batches."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from transforms.columns.convert import ColumnError, stream_builder
from transforms.columns.provenance import (
    MIGRATION_FIELDS,
    ORIGIN_FIELDS,
    SOURCE_FIELDS,
    Provenance,
    full_schema,
    origin_columns,
    provenance_columns,
)
from transforms.kinds import KINDS
from transforms.parsing.walk import LARGEST_INTEGER
from transforms.records import Json, Line, Origin, Shard, Verdict
from transforms.terms import StreamTerms


def stream_schema(terms: StreamTerms) -> pa.Schema:
    """The Arrow schema of a stream's accepted files. Raises ValueError where its schemas give no one table."""
    return _full(stream_builder(terms.schemas, terms.registered).schema, terms)


def _derived(terms: StreamTerms) -> tuple[pa.Field, ...]:
    """The columns whose values a verdict has in `derived`."""
    made = SOURCE_FIELDS if terms.adapter else MIGRATION_FIELDS if terms.migrations else ()
    return KINDS[terms.kind].columns + made


def _full(record: pa.Schema, terms: StreamTerms) -> pa.Schema:
    derived = _derived(terms)
    for field in derived:
        if record.get_field_index(field.name) >= 0:
            raise ValueError(f"the record's property {field.name!r} clashes with a column of its kind")
    full = full_schema(pa.schema([*record, *derived]))
    return pa.schema([*full, *ORIGIN_FIELDS]) if terms.revalidated else full


class StreamColumns:
    """Rows of accepted records, waiting to be taken as a batch."""

    def __init__(self, terms: StreamTerms) -> None:
        self._builder = stream_builder(terms.schemas, terms.registered)
        self._rubric_field = KINDS[terms.kind].rubric_field
        self._derived = _derived(terms)
        self.schema = _full(self._builder.schema, terms)
        self._has_origins = terms.revalidated
        self._values: list[Json] = []
        self._versions: list[str] = []
        self._beside: list[tuple[str | bytes | tuple[str, ...] | None, ...]] = []
        self._provenance: list[Provenance] = []
        self._origins: list[Origin | None] = []

    def __len__(self) -> int:
        return len(self._values)

    def add(self, line: Line, verdict: Verdict, shard: Shard, archival: bytes) -> None:
        """Add a record that was accepted so far; `archival` is the SHA-256 (32 bytes) of its archival bytes."""
        assert verdict.value is not None and verdict.archival is not None and verdict.version is not None
        self._values.append(verdict.value)
        self._versions.append(verdict.version)
        self._beside.append(verdict.derived)
        self._origins.append(line.origin)
        self._provenance.append(
            Provenance(
                stream=shard.stream,
                shard=shard.name,
                line=line.number,
                byte_offset=line.offset,
                byte_length=line.length,
                schema_version=verdict.version,
                rubric_version=verdict.value[self._rubric_field] if self._rubric_field else None,
                record_sha256=archival.hex(),
                archival_bytes=verdict.archival,
            )
        )

    def take(self) -> pa.RecordBatch:
        """All rows added since the last take, as one batch of `schema`."""
        own = self._builder.build(self._values, self._versions)
        beside = [
            pa.array([row[index] for row in self._beside], field.type) for index, field in enumerate(self._derived)
        ]
        origins = origin_columns(self._origins) if self._has_origins else []
        arrays = [*own, *beside, *provenance_columns(self._provenance), *origins]
        self.clear()
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def clear(self) -> None:
        """Forget the rows added since the last take."""
        self._values, self._versions, self._beside, self._provenance, self._origins = [], [], [], [], []

    def misfit(self, value: Json, version: str) -> str | None:
        """The column that cannot hold the value of a record, parsed and valid under its schema, exactly; or None."""
        if not _has_vast_float(value):
            return None
        try:
            self._builder.build([value], [version])
        except ColumnError as error:
            return error.column
        return None


def _has_vast_float(record: Json) -> bool:
    """Whether a float beyond ±(2^53 − 1) stands anywhere; without one, a valid record fits its columns.

    For a column is as wide as its schema: texts, booleans, lists, structs and maps take every value that is valid for
    them, and JSON text takes all. So only numbers may not fit. The parser bounds integers to ±(2^53 − 1), which an
    `int64` and a `double` hold exactly; a `double` holds every float; and a float that is valid in an `int64` has no
    fraction, so it fits unless it is beyond 64 bits.
    """
    waiting: list[Any] = [record]
    while waiting:
        container = waiting.pop()
        for value in container.values() if type(container) is dict else container:
            kind = type(value)
            if kind is dict or kind is list:
                waiting.append(value)
            elif kind is float and not -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
                return True
    return False
