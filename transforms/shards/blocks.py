"""The two kinds of block, and reading either of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from transforms.records import Line, Shard
from transforms.shards.documents import DocumentBlock, read_documents
from transforms.shards.lines import read_block
from transforms.shards.plan import Block
from transforms.terms import Limits

AnyBlock = Block | DocumentBlock


def read_records(
    block: AnyBlock, limits: Limits, on_bytes: Callable[[int], None] | None = None
) -> Iterator[tuple[Shard, Line]]:
    """Yield a block's records in order, each with its shard; see `read_block` and `read_documents`."""
    if isinstance(block, DocumentBlock):
        yield from read_documents(block, limits, on_bytes)
        return
    for line in read_block(block, limits, on_bytes):
        yield block.shard, line
