"""The lineage: for every row of an export its record, for every record without a row the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa

from pipeline.export.values import Changes
from transforms.columns.marks import CATEGORY, marked

LINEAGE = "lineage.parquet"
_BATCH_ROWS = 1024


def _changed(second: str) -> pa.DataType:
    return pa.list_(pa.field("element", pa.struct([marked("field", CATEGORY), marked(second, CATEGORY)])))


LINEAGE_SCHEMA: pa.Schema = pa.schema(
    [
        marked("run_manifest_sha256", CATEGORY, nullable=False),
        marked("stream", CATEGORY, nullable=False),
        marked("shard", CATEGORY, nullable=False),
        pa.field("line", pa.int64(), nullable=False),
        pa.field("record_sha256", pa.string(), nullable=False),
        marked("outcome", CATEGORY, nullable=False),
        marked("reason", CATEGORY),
        marked("split", CATEGORY),
        marked("export_file", CATEGORY),
        pa.field("export_line", pa.int64()),
        pa.field("dropped_fields", pa.list_(marked("element", CATEGORY))),
        pa.field("renamed_fields", _changed("to")),
        pa.field("normalised_fields", _changed("how")),
    ]
)
EXPORTED, DROPPED = "exported", "dropped"


@dataclass(frozen=True, slots=True)
class Origin:
    """An accepted record: its place in the run's inputs (line from 1) and its digest (hex)."""

    stream: str
    shard: str
    line: int
    record_sha256: str


@dataclass(frozen=True, slots=True)
class Lineage:
    """One row of the lineage: of an exported row with its file, line (from 1) and changes, or of a dropped record."""

    origin: Origin
    split: str | None = None
    reason: str | None = None
    file: str | None = None
    line: int | None = None
    changes: Changes | None = None


def batches(rows: Iterable[Lineage], run_manifest_sha256: str) -> Iterator[pa.RecordBatch]:
    """The rows as batches of LINEAGE_SCHEMA, in their order; few of them are in memory at once."""
    source = iter(rows)
    while some := list(islice(source, _BATCH_ROWS)):
        yield _batch(some, run_manifest_sha256)


def _batch(rows: Sequence[Lineage], run_manifest_sha256: str) -> pa.RecordBatch:
    values = [_values(row, run_manifest_sha256) for row in rows]
    columns = [
        pa.array(column, field.type) for column, field in zip(zip(*values, strict=True), LINEAGE_SCHEMA, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=LINEAGE_SCHEMA)


def _values(row: Lineage, run_manifest_sha256: str) -> tuple[object, ...]:
    origin = row.origin
    return (
        run_manifest_sha256,
        *(origin.stream, origin.shard, origin.line, origin.record_sha256),
        DROPPED if row.reason else EXPORTED,
        *(row.reason, row.split, row.file, row.line),
        *_lists(row.changes),
    )


def _lists(changes: Changes | None) -> tuple[object, object, object]:
    if changes is None:
        return None, None, None
    renamed = [{"field": name, "to": to} for name, to in changes.renamed]
    normalised = [{"field": name, "how": how} for name, how in changes.normalised]
    return list(changes.dropped), renamed, normalised
