"""Packed claims: collected per block, cut into partitions, and grouped by key over whole arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from errno import EIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from transforms.joins.join import KEY_BYTES, LINE_BYTES, Join, Member, Terms
from transforms.records import Finding, Place
from transforms.subjects import Subject

Rows = npt.NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Parked:
    """Rows that wait in a file: `length` bytes at `offset`."""

    path: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class PackedClaims:
    """Claims of one block for one join: `rows` is a sequence of (key, payload, line), lines counted from `first_line`.

    `ordinal` numbers the block in the run, in the order (stream, shard, position in the shard). Rows travel
    themselves, or wait in a file that the judge reads: a runner that groups in memory keeps several copies
    of what travels.
    """

    ordinal: int
    stream: str
    shard: str
    first_line: int
    rows: bytes | Parked

    def load(self) -> bytes:
        """The rows. Raises OSError where their file cannot be read."""
        if isinstance(self.rows, bytes):
            return self.rows
        with Path(self.rows.path).open("rb") as file:
            file.seek(self.rows.offset)
            rows = file.read(self.rows.length)
        if len(rows) != self.rows.length:
            raise OSError(EIO, "parked claims are cut short", self.rows.path)
        return rows


def park(path: Path, parts: Iterable[tuple[Join, int, bytes]]) -> Iterator[tuple[Join, int, Parked]]:
    """Write the rows of a block's partitions into one file and yield where each waits. Raises OSError."""
    with path.open("wb") as file:
        for join, part, rows in parts:
            parked = Parked(str(path), file.tell(), len(rows))
            file.write(rows)
            yield join, part, parked


def row_type(join: Join) -> np.dtype[np.void]:
    """The packed layout of one claim; the key as two big-endian integers, so that it sorts as bytes do."""
    fields = [("high", ">u8"), ("low", ">u8"), ("payload", f"V{join.payload_bytes}"), ("line", "<u4")]
    return np.dtype([field for field in fields if field[1] != "V0"])


class ClaimBook:
    """Collects the claims of one block, a packed byte string for each join."""

    def __init__(self, joins: Sequence[Join]) -> None:
        self._books = [(join, bytearray()) for join in joins]

    def enter(self, record: bytes, subject: Subject, line: int) -> None:
        """Add what one record claims; `record` is its content digest, `line` counted from the block's first."""
        at = line.to_bytes(LINE_BYTES, "little")
        for join, book in self._books:
            claim = join.claim(record, subject)
            if claim is not None:
                key, payload = claim
                book += key + payload + at

    def partitioned(self, partitions: int) -> Iterator[tuple[Join, int, bytes]]:
        """The rows of each join by partition (the key's leading byte scaled to `partitions`, at most 256)."""
        for join, book in self._books:
            rows = np.frombuffer(book, dtype=row_type(join))
            parts = ((rows["high"] >> np.uint64(56)) * np.uint64(partitions)) >> np.uint64(8)
            order = np.argsort(parts, kind="stable")
            bounds = np.searchsorted(parts[order], np.arange(partitions + 1, dtype=np.uint64))
            for part in range(partitions):
                chosen = order[bounds[part] : bounds[part + 1]]
                if len(chosen):
                    yield join, part, rows[chosen].tobytes()


def judge_claims(join: Join, claims: Iterable[PackedClaims], terms: Terms) -> Iterator[tuple[int, int, Finding]]:
    """Group claims by key and judge each group: (block ordinal, line counted from the block's first, finding).

    The order of `claims` does not matter. Records with a key of their own cost only array operations.
    """
    blocks = sorted(claims, key=lambda packed: packed.ordinal)
    arrays = [np.frombuffer(packed.load(), dtype=row_type(join)) for packed in blocks]
    rows = np.concatenate(arrays)
    block_of = np.repeat(np.arange(len(blocks), dtype=np.uint32), [len(array) for array in arrays])
    order = np.lexsort((rows["line"], block_of, rows["low"], rows["high"]))
    for start, end in _runs(rows["high"][order], rows["low"][order]):
        chosen = order[start:end]
        payloads = rows["payload"][chosen] if join.payload_bytes else None
        members = []
        for i, row in enumerate(chosen):
            packed = blocks[block_of[row]]
            place = Place(packed.stream, packed.shard, packed.first_line + int(rows["line"][row]))
            members.append(Member(place, bytes(payloads[i]) if payloads is not None else b""))
        for index, finding in join.judge(members, terms):
            row = chosen[index]
            yield blocks[block_of[row]].ordinal, int(rows["line"][row]), finding


def _runs(high: npt.NDArray[np.uint64], low: npt.NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """The index ranges of sorted keys that hold more than one row."""
    same = (high[1:] == high[:-1]) & (low[1:] == low[:-1])
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False])).astype(np.int8)))
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        yield int(start), int(end) + 1


assert 2 * np.dtype(">u8").itemsize == KEY_BYTES
