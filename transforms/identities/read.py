"""Earlier runs' claims under the keys of this run, read from indexes: only the row groups whose keys can match.

A nightly run may meet hundreds of indexes. Each is open alone, one row group of keys is in memory at a time, and of
other columns only what row groups with a match hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from errno import EIO
from typing import BinaryIO, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from transforms.joins.earlier import EarlierClaims
from transforms.joins.grouping import row_type
from transforms.joins.join import KEY_BYTES, Join
from transforms.parquet import open_parquet
from transforms.records import EarlierRun

Keys = npt.NDArray[np.uint64]


class Source(Protocol):
    """Where an index is kept; pickled with the steps of a run."""

    def open(self) -> AbstractContextManager[BinaryIO]:
        """The bytes of the index, seekable; reading raises OSError where they are not those that were checked."""

    @property
    def name(self) -> str:
        """What to call it in a complaint."""


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """An index of an earlier run, and the first 8 bytes of the least and greatest key of each of its row groups."""

    run: EarlierRun
    source: Source
    least: Keys
    greatest: Keys

    def meeting(self, wanted: Keys) -> list[int]:
        """The row groups that may have one of the keys; `wanted` are their first 8 bytes, sorted."""
        starts = np.searchsorted(wanted, self.least, side="left")
        ends = np.searchsorted(wanted, self.greatest, side="right")
        return [int(group) for group in np.flatnonzero(starts < ends)]


def key_ranges(file: pq.ParquetFile) -> tuple[Keys, Keys]:
    """The first 8 bytes of the least and greatest key of each row group. Raises ValueError where they are missing."""
    least, greatest = [], []
    column = file.schema_arrow.get_field_index("key")
    for group in range(file.num_row_groups):
        found = file.metadata.row_group(group).column(column).statistics
        if found is None or not found.has_min_max:
            raise ValueError("no statistics of the keys")
        least.append(int.from_bytes(found.min[:8], "big"))
        greatest.append(int.from_bytes(found.max[:8], "big"))
    return np.array(least, dtype=np.uint64), np.array(greatest, dtype=np.uint64)


def earlier_claims(join: Join, indexes: Sequence[Index], high: npt.NDArray[np.uint64]) -> EarlierClaims | None:
    """What earlier runs claim under the keys whose first 8 bytes are `high`, in the order of `indexes`; None: nothing.

    Two keys with the same first 8 bytes bring each other along, which costs a little and changes nothing: claims are
    judged by whole keys. Raises OSError where an index cannot be read.
    """
    wanted = np.unique(high.astype(np.uint64))
    found = [(index.run, table) for index in indexes for table in _matches(index, wanted)]
    if not found:
        return None
    rows = pa.concat_tables([table for _, table in found]).combine_chunks()
    runs = tuple(run for run, table in found for _ in range(table.num_rows))
    return EarlierClaims(_packed(join, rows), runs, rows.select(["stream", "shard", "line"]))


def _matches(index: Index, wanted: Keys) -> Iterator[pa.Table]:
    groups = index.meeting(wanted)
    if not groups:
        return
    try:
        with index.source.open() as binary, open_parquet(binary) as file:
            for group in groups:
                if (table := _matching(file, group, wanted)) is not None:
                    yield table
    except pa.ArrowException as error:
        raise OSError(EIO, "cannot be read as an index", index.source.name) from error


def _matching(file: pq.ParquetFile, group: int, wanted: Keys) -> pa.Table | None:
    """The rows of a row group that have one of the keys, or None without any."""
    keys = file.read_row_group(group, columns=["key"], use_threads=False).column("key")
    high = _leading(keys.combine_chunks())
    at = np.searchsorted(wanted, high)
    mask = wanted[np.minimum(at, len(wanted) - 1)] == high
    if not mask.any():
        return None
    return file.read_row_group(group, use_threads=False).filter(pa.array(mask))


def _leading(keys: pa.FixedSizeBinaryArray | pa.ChunkedArray) -> Keys:
    """The first 8 bytes of each key, as numbers."""
    return _bytes_of(keys, KEY_BYTES)[:, :8].copy().view(">u8").ravel().astype(np.uint64)


def _bytes_of(column: pa.FixedSizeBinaryArray | pa.ChunkedArray, width: int) -> npt.NDArray[np.uint8]:
    [array] = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    data = np.frombuffer(array.buffers()[1], dtype=np.uint8)
    return data[array.offset * width : (array.offset + len(array)) * width].reshape(len(array), width)


def _packed(join: Join, table: pa.Table) -> bytes:
    """The rows as a block's claims are packed; a claim's line is its number among them."""
    dtype = row_type(join)
    packed = np.zeros((table.num_rows, dtype.itemsize), dtype=np.uint8)
    packed[:, :KEY_BYTES] = _bytes_of(table.column("key"), KEY_BYTES)
    if join.payload_bytes:
        payload = _bytes_of(table.column("payload"), join.payload_bytes)
        packed[:, KEY_BYTES : KEY_BYTES + join.payload_bytes] = payload
    rows = packed.reshape(-1).view(dtype)
    rows["line"] = np.arange(len(rows), dtype=np.uint32)
    return rows.tobytes()
