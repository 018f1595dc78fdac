"""What a loader gives, and the rows of one file that it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.committed.run import Output, Run, named, open_rows, record_changed
from pipeline.exits import Exit, RunError
from transforms.digests import sha256_hex
from transforms.records import Json, Place

ARCHIVAL, SHA256 = "assay_archival_bytes", "assay_record_sha256"
PLACE = ("assay_stream", "assay_shard", "assay_line")
_CHECKED = (*PLACE, SHA256, ARCHIVAL)


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one row group: `rows` stand at `position` and the positions after it, all of one stream."""

    stream: str
    position: int
    rows: pa.RecordBatch

    @property
    def next(self) -> int:
        """Where to start to go on after these rows."""
        return self.position + int(self.rows.num_rows)


@dataclass(frozen=True, slots=True)
class Record:
    """An accepted record: where it came from, its position, the SHA-256 (hex) of its archival bytes, its value."""

    place: Place
    position: int
    sha256: str
    value: Json

    @property
    def next(self) -> int:
        """Where to start to go on after this record."""
        return self.position + 1


@dataclass(frozen=True, slots=True)
class Part:
    """The rows `begin` to `end` (without it) of an accepted file, whose first row stands at `position` of the whole."""

    output: Output
    position: int
    begin: int
    end: int


def parts(outputs: Sequence[Output], begin: int, end: int) -> Iterator[Part]:
    """The files that hold the positions `begin` to `end` (without it), each with its rows among them."""
    position = 0
    for output in outputs:
        rows = output.rows or 0
        first, last = max(begin - position, 0), min(end - position, rows)
        if first < last:
            yield Part(output, position, first, last)
        position += rows


def read_part(run: Run, part: Part, columns: Sequence[str] | None, check_records: bool) -> Iterator[Batch]:
    """The rows of a part, a row group at a time, with all or these columns in this order.

    Raises RunError: Exit.USAGE for a column that the file does not have, Exit.INTEGRITY where the file is not the one
    listed, or with `check_records` where a record's bytes do not have the digest beside them.
    """
    output, first = part.output, 0
    wanted = None if columns is None else [*columns, *(_CHECKED if check_records else ())]
    with open_rows(run, output) as file:
        _compare(run, output, file, columns)
        for group in range(file.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            begin, end = max(part.begin - first, 0), min(part.end - first, rows)
            if begin < end:
                with named(run, output):
                    table = file.read_row_group(group, columns=wanted, use_threads=False).slice(begin, end - begin)
                    if check_records:
                        _check_records(run, output, table)
                yield from _batches(table, columns, output.stream, part.position + first + begin)
                del table  # or it would stay in memory while the next one is read
            first += rows


def _compare(run: Run, output: Output, file: pq.ParquetFile, columns: Sequence[str] | None) -> None:
    path = run.folder / output.path
    if file.metadata.num_rows != output.rows:
        raise RunError(Exit.INTEGRITY, f"{path}: {file.metadata.num_rows} rows, listed are {output.rows}")
    for name in columns or ():
        if name not in file.schema_arrow.names:
            raise RunError(Exit.USAGE, f"{path}: has no column {name!r}")


def _check_records(run: Run, output: Output, table: pa.Table) -> None:
    for *place, sha256, archival in zip(*(table.column(name).to_pylist() for name in _CHECKED), strict=True):
        if sha256_hex(archival) != sha256:
            raise record_changed(run, output, Place(*place))


def _batches(table: pa.Table, columns: Sequence[str] | None, stream: str, position: int) -> Iterator[Batch]:
    chosen = table if columns is None else table.select(list(columns))
    # One batch, but for columns of more than 2 GB.
    for rows in chosen.combine_chunks().to_batches():
        yield Batch(stream, position, rows)
        position += rows.num_rows
