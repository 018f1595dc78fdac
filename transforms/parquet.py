"""The one Parquet writer: the same rows give the same bytes, whatever batches they come in.

Everything that pyarrow would otherwise choose is set here, from the schema alone. What is left is the
pyarrow version itself, which is in the footer (`created_by`) and in the run's manifest.

Text has no statistics: a footer would repeat record content, and nobody looks for a rationale by its
least and greatest value. Nor does it have a dictionary, which helps only values that repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from transforms.columns.marks import CATEGORY, mark_of
from transforms.columns.sizes import row_sizes
from transforms.terms import MIB

# Two copies of a row group are in memory at once: some 25 MB of Arrow, and 45 to 60 MB of the process.
ROW_GROUP_ROWS = 4096
ROW_GROUP_BYTES = 8 * MIB

_FIXED: dict[str, Any] = {
    "version": "2.6",
    "data_page_version": "1.0",
    "data_page_size": MIB,
    "dictionary_pagesize_limit": MIB,
    "write_batch_size": 1024,
    "max_rows_per_page": 20_000,
    "compression": "zstd",
    "compression_level": 3,  # a tenth smaller than level 1 for a third more time; level 5 gains 1 % for twice
    "column_encoding": None,
    "use_byte_stream_split": False,
    "use_compliant_nested_type": True,
    "use_deprecated_int96_timestamps": False,
    "store_schema": False,
    "store_decimal_as_integer": False,
    "write_page_index": False,
    "write_page_checksum": False,
    "sorting_columns": None,
}


def write_parquet(
    sink: str | Path | BinaryIO,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch | pa.Table],
    *,
    row_group_rows: int = ROW_GROUP_ROWS,
    row_group_bytes: int = ROW_GROUP_BYTES,
) -> int:
    """Write all rows of `batches` to `sink` and return their number; no rows give a file without row groups.

    `sink` is a path, or a binary file that stays open. A row group ends before the row with which it
    would pass `row_group_bytes` (as `row_sizes` counts) and at `row_group_rows` rows. Arrow metadata, the marks of
    `transforms.columns.marks` included, is not stored: the types come back by Parquet's own.

    Raises:
        ValueError: a batch has other columns than `schema`.
        OSError: the sink cannot be written. After any error a path is removed; what an open file holds is void.
    """
    groups = _row_groups(schema, batches, row_group_rows, row_group_bytes)
    if not isinstance(sink, str | Path):
        return _write(sink, schema, groups)
    path = Path(sink)
    # Opened here, because pyarrow takes a path with a colon for an address.
    with path.open("wb") as file:
        try:
            return _write(file, schema, groups)
        except BaseException:
            # pyarrow ends a file properly even then: it would look whole.
            path.unlink()
            raise


@contextmanager
def open_parquet(source: Path | BinaryIO) -> Iterator[pq.ParquetFile]:
    """Open a file for reading, whatever its name: pyarrow takes `~` and `file:` for other things, and wants UTF-8.

    Of a `source` that is open already the owner is the caller. Read from the result with `use_threads=False`: a thread
    of Arrow's that still holds Python's file when the process ends aborts it. Raises OSError and pyarrow's
    ArrowException.
    """
    with ExitStack() as opened:
        binary = opened.enter_context(source.open("rb")) if isinstance(source, Path) else source
        yield opened.enter_context(pq.ParquetFile(binary, pre_buffer=False))


def _write(file: BinaryIO, schema: pa.Schema, groups: Iterable[pa.Table]) -> int:
    rows = 0
    plain = schema.remove_metadata()
    with pq.ParquetWriter(file, plain, **writer_options(schema)) as writer:
        for group in groups:
            writer.write_table(group, row_group_size=group.num_rows)
            rows += group.num_rows
            del group  # or it would stay in memory while the next one is gathered
    return rows


def writer_options(schema: pa.Schema) -> dict[str, Any]:
    """The options of `pyarrow.parquet.ParquetWriter`, with dictionary and statistics decided per column."""
    leaves = [leaf for field in schema for leaf in _leaves(field, field.name)]
    return _FIXED | {
        "use_dictionary": [path for path, field in leaves if _repeats(field)],
        "write_statistics": [path for path, field in leaves if _is_ordered(field)],
    }


def _leaves(field: pa.Field, path: str) -> Iterator[tuple[str, pa.Field]]:
    """The columns that Parquet stores for a field, by the paths that it gives them."""
    kind = field.type
    if pa.types.is_struct(kind):
        for member in kind:
            yield from _leaves(member, f"{path}.{member.name}")
    elif pa.types.is_list(kind):
        yield from _leaves(kind.value_field, f"{path}.list.element")
    elif pa.types.is_map(kind):
        yield from _leaves(kind.key_field, f"{path}.key_value.key")
        yield from _leaves(kind.item_field, f"{path}.key_value.value")
    else:
        yield path, field


def _repeats(field: pa.Field) -> bool:
    """Whether a dictionary is likely to pay."""
    return pa.types.is_integer(field.type) or mark_of(field) == CATEGORY


def _is_ordered(field: pa.Field) -> bool:
    """Whether least and greatest values say something, and nothing of a record's text."""
    is_text = pa.types.is_string(field.type) or pa.types.is_binary(field.type)
    return mark_of(field) == CATEGORY or not is_text


def _row_groups(
    schema: pa.Schema, batches: Iterable[pa.RecordBatch | pa.Table], rows: int, size: int
) -> Iterator[pa.Table]:
    """The rows of `batches` cut anew, each group in one chunk: a function of the row sequence alone."""
    held: list[pa.Table] = []
    held_rows = held_size = 0
    for batch in batches:
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
        if not table.schema.equals(schema):
            raise ValueError(f"a batch has columns {table.schema.names}, the file {schema.names}, or other types")
        ends = np.cumsum(row_sizes(table))
        start = 0
        while start < table.num_rows:
            before = int(ends[start - 1]) if start else 0
            fitting = int(np.searchsorted(ends, before + size - held_size, side="right"))
            # A row over the bound has a group of its own.
            end = min(start + rows - held_rows, max(fitting, start if held_rows else start + 1))
            if end > start:
                held.append(table.slice(start, end - start))
                held_rows += end - start
                held_size += int(ends[end - 1]) - before
            start = end
            if start < table.num_rows:
                yield _joined(held)
                held_rows = held_size = 0
    if held:
        yield _joined(held)


def _joined(held: list[pa.Table]) -> pa.Table:
    """One table with one chunk per column; `held` is emptied, so that the copy soon stands alone."""
    table = pa.concat_tables(held)
    held.clear()
    return table.combine_chunks()
