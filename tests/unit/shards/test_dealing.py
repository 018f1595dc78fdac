"""Blocks dealt to workers: all of them, once, and about the same weight for each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.records import Shard
from transforms.shards.dealing import deal
from transforms.shards.plan import Block


def block(size: int, compressed: bool = False) -> Block:
    return Block(Shard("s", "a", "a", "/a", size), 0, 0, size, 1, "0" * 64, compressed)


def dealt(sizes: list[int], hands: int) -> list[list[int]]:
    """The indices that each hand has."""
    rows = deal([block(size) for size in sizes], hands)
    return [[at for hand, (at, _) in rows if hand == each] for each in range(hands)]


def test_the_heaviest_first() -> None:
    assert dealt([1, 1, 1, 1, 4], 2) == [[4], [0, 1, 2, 3]]
    assert dealt([3, 3, 3], 1) == [[0, 1, 2]]
    assert dealt([5], 3) == [[0], [], []]


def test_a_compressed_block_weighs_more() -> None:
    rows = deal([block(4), block(4), block(4), block(2, compressed=True)], 2)
    assert [hand for hand, (at, _) in rows if at == 3] == [0]
    assert [at for hand, (at, _) in rows if hand == 1] == [0, 1, 2]


def test_nobody() -> None:
    with pytest.raises(ValueError, match="nobody"):
        deal([], 0)


@given(st.lists(st.integers(0, 100)), st.integers(1, 9))
def test_all_are_dealt_once_and_evenly(sizes: list[int], hands: int) -> None:
    piles = dealt(sizes, hands)
    assert sorted(at for pile in piles for at in pile) == list(range(len(sizes)))
    loads = [sum(sizes[at] for at in pile) for pile in piles]
    assert max(loads) - min(loads) <= max(sizes, default=0)
