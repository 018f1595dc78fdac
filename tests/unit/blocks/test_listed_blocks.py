"""Blocks, and what became of them, in files of the run: cut into parts, given back whole and in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from transforms.blocks.layout import Layout
from transforms.blocks.listed import PART_BLOCKS, keep_part, kept_parts, list_blocks, listed_blocks, part_of
from transforms.blocks.summary import Settled
from transforms.records import Shard
from transforms.shards.plan import Block

SHARD = Shard("pairs", "a.jsonl", "a.jsonl", "/a.jsonl", 1 << 30)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path / "run")
    made.staging.mkdir(parents=True)
    return made


def blocks(count: int) -> list[Block]:
    return [Block(SHARD, at, at, at + 1, at + 1, f"{at:064x}", False) for at in range(count)]


@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (0, []),
        (1, [1]),
        (PART_BLOCKS, [PART_BLOCKS]),
        (PART_BLOCKS + 1, [PART_BLOCKS, 1]),
        (3 * PART_BLOCKS - 1, [PART_BLOCKS, PART_BLOCKS, PART_BLOCKS - 1]),
    ],
)
def test_blocks_come_back_with_their_ordinals(count: int, sizes: list[int], layout: Layout) -> None:
    parts = list_blocks(layout, blocks(count))
    assert parts == range(len(sizes))
    read = [listed_blocks(layout, part) for part in parts]
    assert [len(part) for part in read] == sizes
    assert [row for part in read for row in part] == list(enumerate(blocks(count)))


def test_what_became_of_blocks_comes_back_in_their_order(layout: Layout) -> None:
    settled = [Settled(at, block, read=at) for at, block in enumerate(blocks(2 * PART_BLOCKS + 3))]
    numbers = sorted({part_of(block) for block in settled}, reverse=True)
    assert numbers == [2, 1, 0]
    for number in numbers:
        own = [block for block in settled if part_of(block) == number]
        keep_part(layout, number, [])
        keep_part(layout, number, iter(own[::-1]))
    assert list(kept_parts(layout, blocks(len(settled)))) == settled


def test_a_part_that_nobody_kept(layout: Layout) -> None:
    keep_part(layout, 0, [])
    with pytest.raises(FileNotFoundError):
        list(kept_parts(layout, blocks(PART_BLOCKS + 1)))
