"""The kinds of block, and reading any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from transforms.records import Line, Shard
from transforms.shards.documents import DocumentBlock, read_documents
from transforms.shards.lines import read_block
from transforms.shards.plan import Block
from transforms.shards.published import PublishedBlock, read_published
from transforms.terms import Limits

AnyBlock = Block | DocumentBlock | PublishedBlock


def read_records(
    block: AnyBlock, limits: Limits, on_bytes: Callable[[int], None] | None = None
) -> Iterator[tuple[Shard, Line]]:
    """Yield a block's records in order, each with its shard; see `read_block`, `read_documents`, `read_published`."""
    if isinstance(block, DocumentBlock):
        yield from read_documents(block, limits, on_bytes)
        return
    lines = (
        read_published(block, limits, on_bytes)
        if isinstance(block, PublishedBlock)
        else read_block(block, limits, on_bytes)
    )
    for line in lines:
        yield block.shard, line
