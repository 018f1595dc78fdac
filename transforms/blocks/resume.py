"""A block's two steps, each done once in a run: what an earlier attempt has finished and sealed is taken over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pyarrow as pa

from transforms.blocks.handover import deliver, fetch_staged, hand_over
from transforms.blocks.layout import Layout, Sealing
from transforms.blocks.seals import SETTLED, STAGED, seal, unseal
from transforms.blocks.settle import settle_block
from transforms.blocks.stage import STAGED_SUFFIXES, Progress, stage_block
from transforms.blocks.summary import Settled, Staged
from transforms.digests import sha256_hex
from transforms.identities.blocks import kept_files, noted_files
from transforms.joins.grouping import park
from transforms.joins.join import Join, Judged
from transforms.joins.parked import Parked, read_parked
from transforms.judge import Bench
from transforms.shards.blocks import AnyBlock
from transforms.terms import StreamTerms

CLAIMS = ".claims"

Part = tuple[Join, int, bytes | Parked]


def stage_once(
    ordinal: int,
    block: AnyBlock,
    bench: Bench,
    layout: Layout,
    partitions: int,
    progress: Progress | None = None,
    *,
    travel: bool,
) -> tuple[Staged, list[Part]]:
    """`stage_block`, its files handed over, or what a sealed attempt left of it. Raises as it does.

    The claims of a block wait in a file; with `travel` they come as bytes all the same.
    """
    path, claims = layout.staged(block, STAGED), layout.staged(block, CLAIMS)
    key = _staged_key(layout.sealing, block, partitions) if layout.sealing else ""
    if key and (kept := unseal(path, key, layout)):
        staged, places = replace(kept[0], ordinal=ordinal, block=block), kept[1]
        if progress:
            progress(block.size, staged.read, staged.read - staged.staged)
        joins, address = {join.name: join for join in bench.joins}, layout.address(block, CLAIMS)
        parked = [(joins[name], part, Parked(address, *where)) for name, part, *where in places]
        return staged, _loaded(parked) if travel else list[Part](parked)
    staged, book = stage_block(ordinal, block, bench, layout, progress)
    if staged.fault:
        return staged, []
    rows = list(book.partitioned(partitions))
    parked = list(park(claims, rows))
    written = [layout.staged(block, suffix) for suffix in (*STAGED_SUFFIXES, CLAIMS)]
    files = hand_over([*written, *noted_files(block, bench.terms, layout)], layout)
    if key:
        seal(path, key, (staged, [(join.name, part, at.offset, at.length) for join, part, at in parked]), files, layout)
    return staged, list[Part](rows if travel else parked)


def _loaded(parked: list[tuple[Join, int, Parked]]) -> list[Part]:
    """Claims that wait in one file, as bytes. Raises OSError."""
    content = read_parked(parked[0][2].path) if parked else b""
    return [(join, part, at.within(content)) for join, part, at in parked]


def settle_once(
    staged: Staged, judged: Iterable[tuple[int, Judged]], terms: StreamTerms, schema: pa.Schema, layout: Layout
) -> Settled:
    """`settle_block`, delivered, or what a sealed attempt left of it. Raises as it does."""
    path = layout.staged(staged.block, SETTLED)
    key = _settled_key(layout.sealing, staged.block) if layout.sealing else ""
    kept: Settled | None = unseal(path, key, layout) if key else None
    if kept:
        return replace(kept, ordinal=staged.ordinal, block=staged.block)
    fetch_staged(staged, terms, layout)
    settled = deliver(settle_block(staged, judged, terms, schema, layout), layout)
    if settled.fault:
        return settled
    claims = hand_over(kept_files(staged.block, terms, layout), layout)
    if key:
        seal(path, key, settled, (*settled.files, *claims), layout)
    return settled


def _staged_key(sealing: Sealing, block: AnyBlock, partitions: int) -> str:
    """A block is staged by its own bytes, whose digest it carries, and by the terms."""
    return sha256_hex(f"{sealing.terms} {partitions} {block!r}".encode())


def _settled_key(sealing: Sealing, block: AnyBlock) -> str:
    """It is settled by what joins say, which any input of the run may change."""
    return sha256_hex(f"{sealing.work} {block!r}".encode())
