"""The identity indexes of a run: sorted, and about the accepted records, as many of each shard as the books say.

That the keys are those of the records is not looked at: it would take parsing every record again. An index is covered
by its digest in the manifest, as every file is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.manifest import Manifest
from pipeline.verify.codes import BOOKS_DIFFER, IDENTITIES_DIFFER, broken
from transforms.identities.table import index_path
from transforms.joins import duplicates
from transforms.parquet import open_parquet
from transforms.records import Finding, Outcome

Row = dict[str, Any]
Place = tuple[str, str]
Counts = Counter[Place]

_BATCH_ROWS = 1 << 14
_COLUMNS = ("key", "stream", "shard", "line")


def check_index(file: BinaryIO, row: Row, counts: Counts) -> Iterator[Finding]:
    """The rows of an index against its own order; `counts` gets the number of rows by (stream, shard) in each path."""
    last: tuple[Any, ...] = ()
    rows, is_sorted = 0, True
    with open_parquet(file) as parquet:
        for batch in parquet.iter_batches(batch_size=_BATCH_ROWS, columns=list(_COLUMNS), use_threads=False):
            found = batch.select(list(_COLUMNS))
            first = _at(found, 0)
            is_sorted = is_sorted and last < first and _is_sorted(found)
            last = _at(found, found.num_rows - 1)
            rows += found.num_rows
            _count(found, counts)
    if rows != row.get("rows"):
        yield broken(BOOKS_DIFFER, row["path"], f"{rows} rows, listed are {row.get('rows')}")
    if not is_sorted:
        yield broken(IDENTITIES_DIFFER, row["path"], "its rows are not sorted by key and place")


def check_identified(
    manifest: Manifest, accepted: Mapping[tuple[str, str, str], int], counts: Mapping[str, Counts]
) -> Iterator[Finding]:
    """Each accepted record has one row in its kind's index of duplicates; `counts` are those of each index by path.

    Shards whose accepted records are not as many as listed are passed over: that is told elsewhere.
    """
    for shard in manifest["inputs"]:
        stream = manifest["streams"].get(shard["stream"])
        path = index_path(stream["kind"], duplicates.JOIN) if stream else ""
        if path not in counts:
            continue
        listed = shard["records"]["accepted"]
        found = counts[path][shard["stream"], shard["shard"]]
        in_files = accepted.get((shard["stream"], shard["shard"], Outcome.ACCEPTED), 0)
        if found != listed == in_files:
            name = f"{shard['stream']}/{shard['shard']}"
            yield broken(IDENTITIES_DIFFER, path, f"{found} rows for the {listed} accepted records of {name}")


def _at(batch: pa.RecordBatch, row: int) -> tuple[Any, ...]:
    return tuple(batch.column(index)[row].as_py() for index in range(batch.num_columns))


def _is_sorted(batch: pa.RecordBatch) -> bool:
    """Whether each row is greater than the one before; places are looked at where keys are equal only."""
    high, low = _halves(batch.column(0))
    rising = (high[1:] > high[:-1]) | ((high[1:] == high[:-1]) & (low[1:] > low[:-1]))
    return all(_at(batch, at) < _at(batch, at + 1) for at in np.flatnonzero(~rising).tolist())


def _halves(keys: pa.FixedSizeBinaryArray) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    data = np.frombuffer(keys.buffers()[1], dtype=">u8").astype(np.uint64)
    halves = data[2 * keys.offset : 2 * (keys.offset + len(keys))].reshape(-1, 2)
    return halves[:, 0], halves[:, 1]


def _count(batch: pa.RecordBatch, counts: Counts) -> None:
    places = (
        pa.Table.from_batches([batch]).group_by(["stream", "shard"], use_threads=False).aggregate([([], "count_all")])
    )
    for row in places.to_pylist():
        counts[row["stream"], row["shard"]] += row["count_all"]
