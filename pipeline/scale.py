"""Into how many pieces a run is cut, by the bytes that it reads. docs/scale.md has the arithmetic."""

from __future__ import annotations

from dataclasses import replace

from transforms.terms import BLOCK_BYTES, GIB, MIB, Limits

# A run has no more blocks than about this, but for shards that are smaller: its manifest lists some files for each.
_MOST_BLOCKS = 1 << 16
_LARGEST_BLOCK = GIB

# At 4 % of the bytes in claims of four joins, a partition of one join holds some 0.7 MB of them in small runs, for
# workers enough, and some 40 MB in large ones: with more partitions, blocks would have less to say to each.
_SMALL_PARTITION, _MOST_SMALL = 64 * MIB, 256
_LARGE_PARTITION, _MOST_LARGE = 4 * GIB, 4096


def partitions_for(total: int) -> int:
    """The number of parts, 1 to 4,096, that each join of a run over `total` bytes is cut into."""
    small = min(_MOST_SMALL, total // _SMALL_PARTITION)
    large = min(_MOST_LARGE, total // _LARGE_PARTITION)
    return max(1, small, large)


def block_bytes_for(total: int) -> int:
    """The bytes of a block of a run over `total` bytes: 32 MiB, doubled up to 1 GiB as long as there are too many."""
    size = BLOCK_BYTES
    while total > size * _MOST_BLOCKS and size < _LARGEST_BLOCK:
        size *= 2
    return size


def with_block_bytes(limits: Limits, total: int) -> Limits:
    """The limits with the bytes of a block, which are the campaign's own where it says any."""
    return limits if limits.block_bytes else replace(limits, block_bytes=block_bytes_for(total))
