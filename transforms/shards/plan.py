"""One pass over a shard before any record is judged: its digest, its faults, and the blocks to judge."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from transforms.records import Code, Place, Severity, Shard, ShardFault, Stage
from transforms.shards.discover import output_stem
from transforms.shards.files import read
from transforms.shards.gzip_stream import is_gzip_name, name_fault
from transforms.shards.sniff import HEAD_BYTES, sniff
from transforms.terms import BLOCK_BYTES, Limits

if TYPE_CHECKING:
    from transforms.shards.published import PublishedBlock

SHARD_TOO_LARGE = Code(
    "shard-too-large",
    Stage.BYTES,
    Severity.SHARD,
    "A shard's file is larger than the campaign's bound, `max_shard_bytes`.",
    "a file of 80 GiB in a campaign that bounds shards to 64 GiB",
    "Split the shard, or raise the bound if the size is honest.",
)
EMPTY_SHARD = Code(
    "empty-shard",
    Stage.BYTES,
    Severity.WARN,
    "A shard without records.",
    "a file of 0 bytes, or the gzip of nothing",
    "Check that the export was meant to be empty; leave the file out if it was.",
)
CODES: tuple[Code, ...] = (SHARD_TOO_LARGE, EMPTY_SHARD)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a shard that is judged as a whole: bytes `start` to `end` (excluded) of its file.

    `index` counts the shard's blocks from 0; `first_line` is the 1-based number of the first line;
    `sha256` (hex) is that of the block's bytes in the file. A block of a plain shard begins and ends at
    line boundaries; a compressed shard is a single block, its bytes the compressed ones.
    """

    shard: Shard
    index: int
    start: int
    end: int
    first_line: int
    sha256: str
    compressed: bool

    @property
    def stream(self) -> str:
        """The stream of the shard."""
        return self.shard.stream

    @property
    def size(self) -> int:
        """The block's bytes in the file."""
        return self.end - self.start

    @property
    def stem(self) -> str:
        """What the names of the block's files begin with."""
        return f"{output_stem(self.shard.name)}-b{self.index:05d}"

    def place(self, position: int) -> Place:
        """Where the record stands that is counted `position` lines from the block's first."""
        return Place(self.stream, self.shard.name, self.first_line + position)

    def position(self, place: Place) -> int:
        """The reverse of `place`."""
        return place.line - self.first_line

    def shard_at(self, _position: int) -> Shard:
        """The shard of a record."""
        return self.shard


@dataclass(frozen=True, slots=True)
class Inspection:
    """What one pass over a shard's file found.

    `size` is the file's size in bytes and `sha256` (hex) their digest, None where the file is too large
    and was not read to its end. A shard with `faults` has no blocks; a document shares one with others. `lines` is the
    number of lines of a plain shard, None where only reading the blocks will tell.
    """

    shard: Shard
    sha256: str | None
    size: int
    blocks: tuple[Block | PublishedBlock, ...]
    faults: tuple[ShardFault, ...]
    lines: int | None = None


def inspect(shard: Shard, limits: Limits) -> Inspection:
    """Read the shard's file once, in bounded memory, and return its digest with its blocks or its faults.

    A plain shard is cut at the first line start at or after each multiple of `limits.block_bytes` (or 32 MiB); an
    empty one is a single empty block. The bytes within a gzip shard are not looked at here.
    Raises UnreadableShard where the file cannot be read.
    """
    if shard.size > limits.max_shard_bytes:
        return _too_large(shard, shard.size, limits)
    buffers = read(shard)
    first = next(buffers, b"")
    fault = _head_fault(shard, first)
    whole, size, cutter = hashlib.sha256(), 0, _Cutter(shard, limits.block_bytes or BLOCK_BYTES)
    cut = fault is None and not is_gzip_name(shard.name)
    for buffer in chain((first,), buffers):
        size += len(buffer)
        if size > limits.max_shard_bytes:
            return _too_large(shard, size, limits)
        whole.update(buffer)
        if cut:
            cutter.feed(buffer)
    sha256 = whole.hexdigest()
    if fault:
        return Inspection(shard, sha256, size, (), (fault,))
    if not cut:
        return Inspection(shard, sha256, size, (Block(shard, 0, 0, size, 1, sha256, True),), ())
    return Inspection(shard, sha256, size, cutter.finish(), (), cutter.lines)


def inspect_document(shard: Shard, limits: Limits) -> Inspection:
    """Read a file that is one record, once, in bounded memory, and return its digest: it has a line and no blocks.

    Raises UnreadableShard where the file cannot be read.
    """
    if shard.size > limits.max_shard_bytes:
        return _too_large(shard, shard.size, limits)
    whole, size = hashlib.sha256(), 0
    for buffer in read(shard):
        size += len(buffer)
        if size > limits.max_shard_bytes:
            return _too_large(shard, size, limits)
        whole.update(buffer)
    return Inspection(shard, whole.hexdigest(), size, (), (), 1)


def _too_large(shard: Shard, size: int, limits: Limits) -> Inspection:
    message = f"the file is larger than max_shard_bytes, {limits.max_shard_bytes}"
    return Inspection(shard, None, size, (), (ShardFault(SHARD_TOO_LARGE.code, message),))


def _head_fault(shard: Shard, first: bytes) -> ShardFault | None:
    fault, gzip_name = name_fault(shard.name, first), is_gzip_name(shard.name)
    looks = None if gzip_name and not fault else sniff(first[:HEAD_BYTES], len(first) <= HEAD_BYTES)
    if gzip_name and fault and looks:
        return ShardFault(fault.code, f"{fault.message}; it {looks.message}")
    return fault or looks


class _Cutter:
    """Cuts the buffers fed to it, in their order, into line-aligned blocks; all work is on whole buffers."""

    def __init__(self, shard: Shard, block_bytes: int) -> None:
        self._shard = shard
        self._block_bytes = block_bytes
        self._blocks: list[Block] = []
        self._position = 0
        self._start, self._first_line = 0, 1
        self._newlines, self._digest = 0, hashlib.sha256()
        self._ends_in_line = False

    @property
    def lines(self) -> int:
        """The lines fed so far; the last needs no line feed."""
        return self._first_line - 1 + self._newlines + self._ends_in_line

    def feed(self, buffer: bytes) -> None:
        if buffer:
            self._ends_in_line = not buffer.endswith(b"\n")
        taken = 0
        while cut := self._next_cut(buffer, taken):
            self._take(buffer, taken, cut)
            self._close()
            taken = cut
        self._take(buffer, taken, len(buffer))

    def finish(self) -> tuple[Block, ...]:
        if self._position > self._start or not self._blocks:
            self._close()
        return tuple(self._blocks)

    def _next_cut(self, buffer: bytes, taken: int) -> int:
        """Return where in the buffer the block ends, or 0: after the newline that the next line start follows."""
        target = (self._start // self._block_bytes + 1) * self._block_bytes
        here = self._position - taken
        return buffer.find(b"\n", max(taken, target - 1 - here)) + 1

    def _take(self, buffer: bytes, start: int, end: int) -> None:
        self._digest.update(memoryview(buffer)[start:end])
        self._newlines += buffer.count(b"\n", start, end)
        self._position += end - start

    def _close(self) -> None:
        end, sha256 = self._position, self._digest.hexdigest()
        block = Block(self._shard, len(self._blocks), self._start, end, self._first_line, sha256, False)
        self._blocks.append(block)
        self._first_line += self._newlines
        self._start, self._newlines, self._digest = end, 0, hashlib.sha256()
