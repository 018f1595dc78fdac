"""Reading a block line by line, never holding more than the bound of one record and one buffer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from transforms.records import Code, Line, Severity, Shard, Stage
from transforms.shards.faults import ShardError, UnreadableShard
from transforms.shards.files import read
from transforms.shards.gzip_stream import expand
from transforms.shards.plan import Block
from transforms.shards.sniff import HEAD_BYTES, sniff
from transforms.terms import Limits

_OVERSIZED_HEAD_BYTES = 4096

RECORD_TOO_LARGE = Code(
    "record-too-large",
    Stage.BYTES,
    Severity.REJECT,
    "A line is longer than the campaign's bound, `max_record_bytes`.",
    "a line of 3 MiB in a campaign that bounds records to 2 MiB",
    "Shorten the record, or raise the bound if the size is honest; the reject names length and digest.",
)
BLANK_RECORD = Code(
    "blank-record",
    Stage.BYTES,
    Severity.REJECT,
    "A line is empty or holds nothing but white space.",
    "two line feeds in a row between two records",
    "Remove the blank line, or let the campaign's policy for blank lines skip them: they are still counted.",
)
BYTES_NOT_KEPT = Code(
    "bytes-not-kept",
    Stage.BYTES,
    Severity.REJECT,
    "A record of an earlier run cannot be judged again: that run kept its digest, but not all of its bytes.",
    "a record rejected by a run with rejects.payload digest-only, or one of which only the first bytes were kept",
    "Run the campaign over the shard that the record was first read from; `origin` says where it stands.",
)
CODES: tuple[Code, ...] = (RECORD_TOO_LARGE, BLANK_RECORD, BYTES_NOT_KEPT)


def read_block(block: Block, limits: Limits, on_bytes: Callable[[int], None] | None = None) -> Iterator[Line]:
    """Yield the lines of a block in order; numbers and offsets are those in the (decompressed) shard.

    A line ends at a line feed alone (a carriage return before it stays in the data); the last needs
    none. A line over `limits.max_record_bytes` is `oversized` and keeps its first 4096 bytes.
    `on_bytes` is called for each buffer with the number of the block's file bytes read so far.

    What was yielded counts only once the iteration ends without an error. Raises ShardError for a fault
    of a compressed shard (`not-jsonl` and those of `gzip_stream.expand`), and UnreadableShard where the
    file cannot be read or the block's bytes are not those that were planned.
    """
    raw = _planned_bytes(block, on_bytes)
    if not block.compressed:
        yield from split_lines(raw, limits.max_record_bytes, block.first_line, block.start)
        return
    try:
        expanded = _sniffed(expand(raw, limits.max_expanded_bytes))
        yield from split_lines(expanded, limits.max_record_bytes, block.first_line, 0)
    except ShardError:
        # Read on to the end: bytes that changed since planning are no fault of the data.
        for _ in raw:
            pass
        raise


def split_lines(buffers: Iterable[bytes], limit: int, number: int, offset: int) -> Iterator[Line]:
    """Split buffers of any size into lines, the first of them at `number` and `offset`."""
    begun = LongLine(limit)
    for buffer in buffers:
        pieces = buffer.split(b"\n")
        tail = pieces.pop()
        if pieces and begun.length:
            begun.add(pieces[0])
            yield begun.line(number, offset)
            number, offset = number + 1, offset + begun.length + 1
            begun = LongLine(limit)
            del pieces[0]
        for data in pieces:
            length = len(data)
            yield Line(number, offset, length, data) if length <= limit else oversized(data, number, offset)
            number += 1
            offset += length + 1
        if tail:
            begun.add(tail)
    if begun.length:
        yield begun.line(number, offset)


def read_ranges(shard: Shard, compressed: bool, ranges: Sequence[tuple[int, int]], limits: Limits) -> Iterator[bytes]:
    """Yield the bytes at each (offset, length) of the (decompressed) shard; ranges rise and do not overlap.

    A compressed shard is decompressed up to the last range and not checked beyond it. Raises ValueError
    for ranges out of order, UnreadableShard where a range is not there, ShardError as `expand` does.
    """
    position = 0
    for offset, length in ranges:
        if offset < position:
            raise ValueError(f"range at {offset} begins before {position}, where the one before it ends")
        position = offset + length
    if compressed:
        yield from _expanded_ranges(shard, ranges, limits)
        return
    for offset, length in ranges:
        data = b"".join(read(shard, offset, offset + length))
        if len(data) < length:
            raise UnreadableShard(f"{shard.name}: ends before byte {offset + length}: it changed meanwhile")
        yield data


def _expanded_ranges(shard: Shard, ranges: Sequence[tuple[int, int]], limits: Limits) -> Iterator[bytes]:
    pieces = expand(read(shard), limits.max_expanded_bytes)
    held, position = b"", 0  # `held` are the bytes from `position` on that were expanded already
    for offset, length in ranges:
        parts: list[bytes] = []
        while position + len(held) < offset + length:
            parts.append(held[max(0, offset - position) :])
            position += len(held)
            held = next(pieces, b"")
            if not held:
                raise UnreadableShard(f"{shard.name}: expands to less than {offset + length} bytes: it changed")
        parts.append(held[max(0, offset - position) : offset + length - position])
        yield b"".join(parts)


def _planned_bytes(block: Block, on_bytes: Callable[[int], None] | None) -> Iterator[bytes]:
    digest, consumed = hashlib.sha256(), 0
    for buffer in read(block.shard, block.start, block.end):
        digest.update(buffer)
        consumed += len(buffer)
        if on_bytes:
            on_bytes(consumed)
        yield buffer
    if digest.hexdigest() != block.sha256:
        where = f"bytes {block.start} to {block.end}"
        raise UnreadableShard(f"{block.shard.name}: {where} are not those that were planned: the file changed")


def _sniffed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    head = b""
    while len(head) <= HEAD_BYTES and (piece := next(pieces, b"")):
        head += piece
    if fault := sniff(head[:HEAD_BYTES], len(head) <= HEAD_BYTES):
        raise ShardError(fault)
    return chain((head,), pieces)


def oversized(data: bytes, number: int, offset: int) -> Line:
    """A line over the bound, all of whose bytes are at hand."""
    sha256 = hashlib.sha256(data).hexdigest()
    return Line(number, offset, len(data), data[:_OVERSIZED_HEAD_BYTES], True, sha256)


class LongLine:
    """A line, or a document, that spans buffers; once it is over the limit only head, length and digest are kept."""

    def __init__(self, limit: int) -> None:
        self.length = 0
        self._limit = limit
        self._pieces: list[bytes] = []
        self._head = b""
        self._digest = hashlib.sha256()

    def add(self, data: bytes) -> None:
        """Take the next piece."""
        self.length += len(data)
        self._pieces.append(data)
        if self.length > self._limit:
            for piece in self._pieces:
                self._head += piece[: _OVERSIZED_HEAD_BYTES - len(self._head)]
                self._digest.update(piece)
            self._pieces.clear()

    def line(self, number: int, offset: int) -> Line:
        """All that was added, as the line at `number` and `offset`."""
        if self.length <= self._limit:
            return Line(number, offset, self.length, b"".join(self._pieces))
        return Line(number, offset, self.length, self._head, True, self._digest.hexdigest())
