"""Many sorted parts into one sorted index, with memory for a slice of the keys at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from transforms.identities.blocks import Part
from transforms.identities.table import index_schema
from transforms.joins.grouping import row_type
from transforms.joins.join import KEY_BYTES, Join
from transforms.parquet import write_parquet

# Keys are digests: by their first byte they fall into slices of one size.
_SLICES = 256
_MERGED_ROWS = 1 << 17
# Large enough that reading is not all overhead, small enough to pass over what a partition does not need.
ROW_GROUP_ROWS = 1 << 14

Rows = npt.NDArray[np.void]
Counts = npt.NDArray[np.int64]


def write_index(path: Path, join: Join, parts: Sequence[Part]) -> int:
    """Write the index of a join and return its number of rows.

    `parts` are in the order (stream, shard, line) of their first records, which makes that the order of rows with one
    key. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_parquet(path, index_schema(join), merged(join, parts), row_group_rows=ROW_GROUP_ROWS)


def merged(join: Join, parts: Sequence[Part]) -> Iterator[pa.RecordBatch]:
    """The claims of all parts, sorted by (key, order of the parts, line). Raises OSError."""
    bounds = [_bounds(part.path, join) for part in parts]
    total = np.sum([np.diff(own) for own in bounds], axis=0) if bounds else np.zeros(_SLICES, np.int64)
    places = _Places(parts)
    for first, end in _spans(total):
        read = [_read(part.path, join, own[first], own[end]) for part, own in zip(parts, bounds, strict=True)]
        part_of = np.repeat(np.arange(len(parts)), [len(rows) for rows in read])
        # Left alone, numpy would turn the keys' bytes round.
        rows = np.concatenate(read, dtype=row_type(join))
        order = np.lexsort((rows["line"], part_of, rows["low"], rows["high"]))
        yield places.batch(join, rows[order], part_of[order])


def _bounds(path: Path, join: Join) -> Counts:
    """Where in a part each slice of the keys begins, and the last one ends."""
    leading = np.fromfile(path, dtype=row_type(join))["high"] >> np.uint64(56)
    return np.searchsorted(leading, np.arange(_SLICES + 1, dtype=np.uint64)).astype(np.int64)


def _spans(total: Counts) -> Iterator[tuple[int, int]]:
    """Neighbouring slices that have about `_MERGED_ROWS` rows together, or one slice that has more."""
    ends = [0]
    held = 0
    for at, rows in enumerate(total.tolist()):
        if held and held + rows > _MERGED_ROWS:
            ends.append(at)
            held = 0
        held += rows
    if held:
        ends.append(_SLICES)
    yield from pairwise(ends)


def _read(path: Path, join: Join, first: np.int64, end: np.int64) -> Rows:
    dtype = row_type(join)
    return np.fromfile(path, dtype=dtype, count=int(end - first), offset=int(first) * dtype.itemsize)


class _Places:
    """The places of claims, by the part that they stand in and their line in it."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._streams = pa.array([part.stream for part in parts], pa.string())
        self._shards = pa.array([shard for part in parts for shard in part.shards], pa.string())
        counts = np.array([len(part.shards) for part in parts], dtype=np.int64)
        self._base = np.cumsum(counts) - counts
        self._is_one_shard = counts == 1
        self._first_line = np.array([part.first_line for part in parts], dtype=np.int64)

    def batch(self, join: Join, rows: Rows, part_of: Counts) -> pa.RecordBatch:
        """The columns of an index."""
        offset, is_one = rows["line"].astype(np.int64), self._is_one_shard[part_of]
        shard = self._base[part_of] + np.where(is_one, 0, offset)
        line = np.where(is_one, self._first_line[part_of] + offset, 1)
        columns = [_fixed(rows[["high", "low"]], KEY_BYTES)]
        if join.payload_bytes:
            columns.append(_fixed(rows[["payload"]], join.payload_bytes))
        columns += [self._streams.take(pa.array(part_of)), self._shards.take(pa.array(shard)), pa.array(line)]
        return pa.RecordBatch.from_arrays(columns, schema=index_schema(join))


def _fixed(members: Rows, width: int) -> pa.FixedSizeBinaryArray:
    """The members of each row, one after the other, as one value of `width` bytes."""
    names = members.dtype.names or ()
    packed = members.astype(np.dtype([(name, members.dtype[name]) for name in names]))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(packed), [None, pa.py_buffer(packed.tobytes())])
