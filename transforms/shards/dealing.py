"""Handing blocks out to workers that take no more than they are given."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from transforms.shards.blocks import AnyBlock
from transforms.shards.plan import Block

# Judging costs by the bytes within; the records of `assay sample` shrink to a sixth.
_EXPANSION = 6


def deal(blocks: Sequence[AnyBlock], hands: int) -> list[tuple[int, tuple[int, AnyBlock]]]:
    """Each block with its index, for one of `hands` hands: the heaviest first, to whoever has least by then.

    The order in a hand is that of `blocks`. Raises ValueError for no hands.
    """
    if hands < 1:
        raise ValueError("there is nobody to deal to")
    load = [(0, hand) for hand in range(hands)]
    dealt: list[tuple[int, tuple[int, AnyBlock]]] = []
    for at, block in sorted(enumerate(blocks), key=lambda one: -_weight(one[1])):
        least, hand = load[0]
        heapq.heapreplace(load, (least + _weight(block), hand))
        dealt.append((hand, (at, block)))
    return sorted(dealt, key=lambda one: (one[0], one[1][0]))


def _weight(block: AnyBlock) -> int:
    compressed = isinstance(block, Block) and block.compressed
    return block.size * (_EXPANSION if compressed else 1)
