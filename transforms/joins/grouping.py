"""Packed claims: collected per block, cut into partitions, and grouped by key over whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import orjson

from transforms.joins.earlier import BEFORE_ALL, EarlierClaims
from transforms.joins.join import KEY_BYTES, Attached, Brought, Entry, Join, Judged, Member, Terms
from transforms.joins.parked import Parked, read_parked
from transforms.records import Place

Earlier = Callable[[npt.NDArray[np.uint64]], EarlierClaims | None]

_LINE_BYTES, _TEXT_OFFSET_BYTES, _TEXT_LENGTH_BYTES = 4, 8, 4


@dataclass(frozen=True, slots=True)
class PackedClaims:
    """Claims of one block for one join: `rows` is a sequence of claims, lines counted from `first_line`.

    `ordinal` numbers the block in the run, in the order (stream, shard, position in the shard). Rows travel
    themselves, or wait in a file: a runner that groups in memory keeps several copies of what travels.
    `texts` is the file in which the claims' texts are parked. The claims of documents have no `shard`: each has its
    own, whose name is to be found in the file `names`, a JSON array.
    """

    ordinal: int
    stream: str
    shard: str
    first_line: int
    rows: bytes | Parked
    texts: str = ""
    names: str = ""

    def load(self) -> bytes:
        """The rows. Raises OSError where their file cannot be read."""
        return self.rows if isinstance(self.rows, bytes) else self.rows.read()

    def places(self) -> Callable[[int], Place]:
        """What gives the place of a record by its line, counted from the block's first. Raises OSError as `load`."""
        if not self.names:
            return lambda line: Place(self.stream, self.shard, self.first_line + line)
        names: list[str] = orjson.loads(read_parked(self.names))
        return lambda position: Place(self.stream, names[position], 1)


def row_type(join: Join) -> np.dtype[np.void]:
    """The packed layout of one claim; the key as two big-endian integers, so that it sorts as bytes do."""
    fields = [("high", ">u8"), ("low", ">u8"), ("payload", f"V{join.payload_bytes}"), ("line", "<u4")]
    if join.texts:
        fields += [("text_offset", "<u8"), ("text_length", "<u4")]
    return np.dtype([named for named in fields if named[1] != "V0"])


def row_bytes(join: Join) -> int:
    """The width of one packed claim."""
    return row_type(join).itemsize


@dataclass(slots=True)
class ClaimBook:
    """Collects the claims of one block, a packed byte string for each join; texts go to `texts` at once."""

    joins: Sequence[Join]
    texts: BinaryIO | None = None
    _books: list[tuple[Join, bytearray]] = field(init=False)

    def __post_init__(self) -> None:
        self._books = [(join, bytearray()) for join in self.joins]

    def enter(self, entry: Entry, line: int) -> None:
        """Add what one record claims; `line` is counted from the block's first. Raises OSError as `texts` does."""
        at = line.to_bytes(_LINE_BYTES, "little")
        for join, book in self._books:
            for key, payload, text in join.claim(entry):
                book += key[:KEY_BYTES]
                book += payload if len(payload) == join.payload_bytes else payload.ljust(join.payload_bytes, b"\0")
                book += at
                if join.texts:
                    book += self._park(text)

    def whole(self) -> Iterator[tuple[Join, bytes]]:
        """The rows of each join, in the order in which they were entered."""
        for join, book in self._books:
            yield join, bytes(book)

    def _park(self, text: bytes) -> bytes:
        if self.texts is None or not text:
            return bytes(_TEXT_OFFSET_BYTES + _TEXT_LENGTH_BYTES)
        offset = self.texts.tell()
        self.texts.write(text)
        return offset.to_bytes(_TEXT_OFFSET_BYTES, "little") + len(text).to_bytes(_TEXT_LENGTH_BYTES, "little")

    def partitioned(self, partitions: int) -> Iterator[tuple[Join, int, bytes]]:
        """The rows of each join by partition (the key's two leading bytes scaled to `partitions`, at most 65,536)."""
        for join, book in self._books:
            rows = np.frombuffer(book, dtype=row_type(join))
            parts = ((rows["high"] >> np.uint64(48)) * np.uint64(partitions)) >> np.uint64(16)
            order = np.argsort(parts, kind="stable")
            bounds = np.searchsorted(parts[order], np.arange(partitions + 1, dtype=np.uint64))
            for part in range(partitions):
                chosen = order[bounds[part] : bounds[part + 1]]
                if len(chosen):
                    yield join, part, rows[chosen].tobytes()


def park(path: Path, parts: Iterable[tuple[Join, int, bytes]]) -> Iterator[tuple[Join, int, Parked]]:
    """Write the rows of a block's partitions into one file and yield where each waits. Raises OSError."""
    with path.open("wb") as file:
        for join, part, rows in parts:
            parked = Parked(str(path), file.tell(), len(rows))
            file.write(rows)
            yield join, part, parked


def judge_claims(
    join: Join, claims: Iterable[PackedClaims], terms: Terms, earlier: Earlier | None = None
) -> Iterator[tuple[int, int, Judged | Brought]]:
    """Group claims by key and judge each group: (block ordinal, position in the block, finding or evidence).

    Evidence with a source comes as Brought, at the place of its source. The order of `claims` does not matter. In a
    join without facts, records with a key of their own cost only array operations. `earlier` gives what earlier runs
    claim under the keys that begin with these 8 bytes: such claims stand first in their groups, and nothing is found on
    them. Raises OSError where parked bytes, or earlier claims, cannot be read.
    """
    blocks: list[PackedClaims | EarlierClaims] = sorted(claims, key=lambda packed: packed.ordinal)
    arrays = [np.frombuffer(packed.load(), dtype=row_type(join)) for packed in blocks]
    known = earlier(np.concatenate([array["high"] for array in arrays])) if earlier else None
    if known:
        terms = _with_earlier(terms, known, blocks[0])
        blocks.insert(0, known)
        arrays.insert(0, np.frombuffer(known.load(), dtype=row_type(join)))
    rows = np.concatenate(arrays)
    block_of = np.repeat(np.arange(len(blocks), dtype=np.uint32), [len(array) for array in arrays])
    order = np.lexsort((rows["line"], block_of, rows["low"], rows["high"]))
    high, low = rows["high"][order], rows["low"][order]
    place_of = cache(lambda index: blocks[index].places())
    for start, end in _groups(high, low) if join.fact else _runs(high, low):
        chosen = order[start:end]
        members = [_member(join, rows[row], blocks[block_of[row]], place_of(block_of[row])) for row in chosen]
        for index, judged in join.judge(members, terms):
            row = chosen[index]
            ordinal, position = blocks[block_of[row]].ordinal, int(rows["line"][row])
            if isinstance(judged, Attached) and judged.source is not None:
                source = chosen[judged.source]
                brought = Brought(ordinal, position, replace(judged, source=None))
                yield blocks[block_of[source]].ordinal, int(rows["line"][source]), brought
            elif ordinal != BEFORE_ALL:
                yield ordinal, position, judged


def _with_earlier(terms: Terms, known: EarlierClaims, own: PackedClaims | EarlierClaims) -> Terms:
    """The terms, and any at all for streams that only earlier runs have: what is found on their records is dropped."""
    assert isinstance(own, PackedClaims)
    return dict.fromkeys(known.streams, terms[own.stream]) | dict(terms)


def _member(join: Join, row: np.void, packed: PackedClaims | EarlierClaims, place_of: Callable[[int], Place]) -> Member:
    place = place_of(int(row["line"]))
    payload = bytes(row["payload"]) if join.payload_bytes else b""
    text = Parked(packed.texts, int(row["text_offset"]), int(row["text_length"])) if join.texts else None
    return Member(place, payload, text)


def _runs(high: npt.NDArray[np.uint64], low: npt.NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """The index ranges of sorted keys that hold more than one row."""
    same = (high[1:] == high[:-1]) & (low[1:] == low[:-1])
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False])).astype(np.int8)))
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        yield int(start), int(end) + 1


def _groups(high: npt.NDArray[np.uint64], low: npt.NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """The index ranges of all distinct sorted keys."""
    first = np.flatnonzero((high[1:] != high[:-1]) | (low[1:] != low[:-1])) + 1
    bounds = [0, *first.tolist(), len(high)]
    yield from pairwise(bounds)
