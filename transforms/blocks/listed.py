"""Long lists of a run left in files of it, in parts: a job's graph, and what a worker gets at once, stay small."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from transforms.blocks.handover import find, leave
from transforms.blocks.layout import Layout
from transforms.blocks.summary import Settled
from transforms.shards.blocks import AnyBlock
from transforms.terms import GIB

PART_BLOCKS = 256
"""So many blocks, or what became of them, make a part."""


def list_blocks(layout: Layout, blocks: Sequence[AnyBlock]) -> range:
    """Leave the blocks with their ordinals, which count from 0, and give the numbers of the parts. Raises OSError."""
    for part in _parts(blocks):
        first = part * PART_BLOCKS
        _leave(layout, f"blocks-{part:06d}", list(enumerate(blocks[first : first + PART_BLOCKS], first)))
    return _parts(blocks)


def listed_blocks(layout: Layout, part: int) -> list[tuple[int, AnyBlock]]:
    """The blocks of a part, each with its ordinal. Raises OSError."""
    numbered: list[tuple[int, AnyBlock]] = _find(layout, f"blocks-{part:06d}")
    return numbered


def part_of(settled: Settled) -> int:
    """The number of the part that a settled block belongs to."""
    return settled.ordinal // PART_BLOCKS


def keep_part(layout: Layout, part: int, settled: Iterable[Settled]) -> None:
    """Leave what became of a part's blocks, in their order, over what an earlier attempt left. Raises OSError."""
    _leave(layout, f"settled-{part:06d}", sorted(settled, key=lambda block: block.ordinal))


def kept_parts(layout: Layout, blocks: Sequence[AnyBlock]) -> Iterator[Settled]:
    """What became of all blocks of a run, in their order. Raises OSError where a part is missing."""
    for part in _parts(blocks):
        yield from _find(layout, f"settled-{part:06d}")


def _parts(blocks: Sequence[AnyBlock]) -> range:
    return range(-(-len(blocks) // PART_BLOCKS))


def _leave(layout: Layout, name: str, value: Any) -> None:
    leave(layout, name, pickle.dumps(value))


def _find(layout: Layout, name: str) -> Any:
    return pickle.loads(find(layout, name, GIB))
