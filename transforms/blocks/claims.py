"""A block's claims, addressed: where its records stand, and which of its files hold what does not travel."""

from __future__ import annotations

from transforms.blocks.layout import Layout
from transforms.joins.grouping import PackedClaims
from transforms.joins.parked import Parked
from transforms.shards.blocks import AnyBlock
from transforms.shards.documents import DocumentBlock

TEXTS, NAMES = ".texts", ".names"


def packed_claims(ordinal: int, block: AnyBlock, layout: Layout, rows: bytes | Parked) -> PackedClaims:
    """The claims of a staged block for one join, `ordinal` being its number in the run."""
    texts = layout.address(block, TEXTS)
    if isinstance(block, DocumentBlock):
        return PackedClaims(ordinal, block.stream, "", 1, rows, texts, layout.address(block, NAMES))
    return PackedClaims(ordinal, block.stream, block.shard.name, block.first_line, rows, texts)
