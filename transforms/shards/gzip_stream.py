"""Strict gzip (RFC 1952): every member whole and checked, nothing after the last, memory bounded."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from transforms.records import Code, Severity, ShardFault, Stage
from transforms.shards.faults import ShardError
from transforms.terms import KIB, MIB

_MAGIC = b"\x1f\x8b"
_GZIP_WINDOW = 31  # zlib's wbits for exactly one gzip member, its header and trailer checked
_PIECE_BYTES = MIB
# zlib hands back what it did not use as a copy; small slices keep many small members from costing much.
_SLICE_BYTES = 16 * KIB

CODES: tuple[Code, ...] = (
    Code(
        "truncated-shard",
        Stage.BYTES,
        Severity.SHARD,
        "A gzip shard ends before its last member is complete.",
        "part-3.jsonl.gz was copied while it was still being written: its 8-byte trailer is missing",
        "Copy or export the shard again, and compare its size and digest with the original's.",
    ),
    Code(
        "corrupt-shard",
        Stage.BYTES,
        Severity.SHARD,
        "A shard's gzip data is damaged or followed by other bytes, or its name and its bytes disagree about gzip.",
        "a checksum that does not match; zero bytes after the last member; an empty file named part-1.jsonl.gz",
        "Copy or export the shard again; name gzip files .gz and no others.",
    ),
    Code(
        "expansion-too-large",
        Stage.BYTES,
        Severity.SHARD,
        "A gzip shard expands to more than the campaign's bound, `max_expanded_bytes`.",
        "a 1 MB shard of zeros that would expand to 1 GB",
        "Split the shard, or raise the bound if the size is honest.",
    ),
)


class CorruptGzip(ShardError):
    """The gzip stream's fault: raised by `expand` in the midst of iteration, caught where blocks are judged."""


def name_fault(name: str, head: bytes) -> ShardFault | None:
    """Return the fault of a shard whose name and first bytes disagree about being gzip, or None."""
    if is_gzip_name(name):
        if head.startswith(_MAGIC):
            return None
        found = "does not begin with gzip's signature" if head else "is empty"
        return ShardFault("corrupt-shard", f"the name ends in .gz, but the file {found}")
    if head.startswith(_MAGIC):
        return ShardFault("corrupt-shard", "the file is gzip data, but its name does not end in .gz")
    return None


def is_gzip_name(name: str) -> bool:
    """Say whether a file of this name is to be gzip: the suffix decides, in upper or lower case."""
    return name.lower().endswith(".gz")


def expand(chunks: Iterator[bytes], max_expanded_bytes: int) -> Iterator[bytes]:
    """Yield the decompressed bytes of all members in pieces of at most 1 MiB, reading `chunks` to their end.

    What was yielded is checked only once the iteration ends without an error. Raises CorruptGzip with
    `truncated-shard`, `corrupt-shard` or `expansion-too-large`, the latter before more is yielded than
    `max_expanded_bytes`.
    """
    member, number, expanded = zlib.decompressobj(_GZIP_WINDOW), 1, 0
    # Output that zlib still holds when a slice is used up comes with the next: a trailer always follows it.
    for data in _slices(chunks):
        while data:
            if member.eof:
                member, number = _next_member(data, number)
            try:
                piece = member.decompress(data, _PIECE_BYTES)
            except zlib.error:
                raise _corrupt(f"gzip member {number} is damaged (format, length or checksum)") from None
            expanded += len(piece)
            if expanded > max_expanded_bytes:
                message = f"the shard expands to more than max_expanded_bytes, {max_expanded_bytes}"
                raise CorruptGzip(ShardFault("expansion-too-large", message))
            if piece:
                yield piece
            data = member.unused_data or member.unconsumed_tail
    if not member.eof:
        message = f"the file ends within gzip member {number}, after {expanded} decompressed bytes"
        raise CorruptGzip(ShardFault("truncated-shard", message))


def _slices(chunks: Iterator[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), _SLICE_BYTES):
            yield chunk[start : start + _SLICE_BYTES]


def _next_member(data: bytes, number: int) -> tuple[zlib._Decompress, int]:
    if not data.startswith(_MAGIC[:1]):
        raise _corrupt(f"bytes that are no gzip member follow member {number}")
    return zlib.decompressobj(_GZIP_WINDOW), number + 1


def _corrupt(message: str) -> CorruptGzip:
    return CorruptGzip(ShardFault("corrupt-shard", message))
