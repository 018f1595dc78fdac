"""A block's two steps, each done once in a run: what an earlier attempt has finished and sealed is taken over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pyarrow as pa

from transforms.blocks.layout import Layout, Sealing
from transforms.blocks.seals import described, seal, unseal
from transforms.blocks.settle import settle_block
from transforms.blocks.stage import STAGED_SUFFIXES, Progress, stage_block
from transforms.blocks.summary import Settled, Staged
from transforms.digests import sha256_hex
from transforms.identities.blocks import kept_files, noted_files
from transforms.joins.grouping import park
from transforms.joins.join import Join, Judged
from transforms.joins.parked import Parked
from transforms.judge import Bench
from transforms.shards.blocks import AnyBlock
from transforms.terms import StreamTerms

CLAIMS, _STAGED_SEAL, _SETTLED_SEAL = ".claims", ".staged", ".settled"

Parts = list[tuple[Join, int, Parked]]


def stage_once(
    ordinal: int, block: AnyBlock, bench: Bench, layout: Layout, partitions: int, progress: Progress | None = None
) -> tuple[Staged, Parts]:
    """`stage_block`, with the block's claims in a file, or what a sealed attempt left of both. Raises as it does."""
    path, claims = layout.staged(block, _STAGED_SEAL), layout.staged(block, CLAIMS)
    key = _staged_key(layout.sealing, block, partitions) if layout.sealing else ""
    if key and (kept := unseal(path, key, layout.root)):
        staged, rows = replace(kept[0], ordinal=ordinal, block=block), kept[1]
        if progress:
            progress(block.size, staged.read, staged.read - staged.staged)
        joins = {join.name: join for join in bench.joins}
        return staged, [(joins[name], part, Parked(str(claims), *where)) for name, part, *where in rows]
    staged, book = stage_block(ordinal, block, bench, layout, progress)
    parts = list(park(claims, book.partitioned(partitions)))
    if key and not staged.fault:
        rows = [(join.name, part, parked.offset, parked.length) for join, part, parked in parts]
        files = [layout.staged(block, suffix) for suffix in (*STAGED_SUFFIXES, CLAIMS)]
        files += noted_files(block, bench.terms, layout)
        seal(path, key, (staged, rows), described(files, layout.root))
    return staged, parts


def settle_once(
    staged: Staged, judged: Iterable[tuple[int, Judged]], terms: StreamTerms, schema: pa.Schema, layout: Layout
) -> Settled:
    """`settle_block`, or what a sealed attempt left of it. Raises as it does."""
    path = layout.staged(staged.block, _SETTLED_SEAL)
    key = _settled_key(layout.sealing, staged.block) if layout.sealing else ""
    kept: Settled | None = unseal(path, key, layout.root) if key else None
    if kept:
        return replace(kept, ordinal=staged.ordinal, block=staged.block)
    settled = settle_block(staged, judged, terms, schema, layout)
    if key and not settled.fault:
        kept_claims = described(kept_files(staged.block, terms, layout), layout.root)
        seal(path, key, settled, (*settled.files, *kept_claims))
    return settled


def _staged_key(sealing: Sealing, block: AnyBlock, partitions: int) -> str:
    """A block is staged by its own bytes, whose digest it carries, and by the terms."""
    return sha256_hex(f"{sealing.terms} {partitions} {block!r}".encode())


def _settled_key(sealing: Sealing, block: AnyBlock) -> str:
    """It is settled by what joins say, which any input of the run may change."""
    return sha256_hex(f"{sealing.work} {block!r}".encode())
