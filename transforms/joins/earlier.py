"""Claims of records that earlier runs accepted, as one more block that stands before all blocks of this run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from transforms.records import EarlierRun, Place

BEFORE_ALL = -1


@dataclass(frozen=True, slots=True, eq=False)
class EarlierClaims:
    """`rows` are packed claims, in the order in which they stand for groups of one key; a claim's line is its number.

    `runs` and `table` (columns stream, shard, line) have an entry for each claim. Joins without a fact have no texts.
    """

    rows: bytes
    runs: tuple[EarlierRun, ...]
    table: pa.Table
    ordinal: int = BEFORE_ALL
    texts: str = ""

    @property
    def streams(self) -> tuple[str, ...]:
        """The streams of earlier runs that claims are from."""
        return tuple(sorted(self.table.column("stream").unique().to_pylist()))

    def load(self) -> bytes:
        """The rows."""
        return self.rows

    def places(self) -> Callable[[int], Place]:
        """What gives the place of a claim's record by the claim's number."""
        stream, shard, line = (self.table.column(name) for name in ("stream", "shard", "line"))
        return lambda at: Place(stream[at].as_py(), shard[at].as_py(), line[at].as_py(), self.runs[at])
