"""The claims of a block that are kept: noted when it is staged, and sorted once it is known who is accepted.

Nothing is known of acceptance when records make their claims, and records are not parsed again to repeat them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from transforms.blocks.layout import Layout
from transforms.identities.table import joins_kept
from transforms.joins.grouping import ClaimBook, row_type
from transforms.joins.join import Join
from transforms.shards.blocks import AnyBlock
from transforms.shards.documents import DocumentBlock
from transforms.terms import StreamTerms


@dataclass(frozen=True, slots=True)
class Part:
    """Sorted claims in a file, in the packed layout of their join.

    Of one shard, the claims' lines are counted from `first_line`; of several shards, each has one record, on line 1,
    and the claims' lines count shards.
    """

    path: Path
    stream: str
    shards: tuple[str, ...]
    first_line: int = 1


def note_claims(block: AnyBlock, book: ClaimBook, terms: StreamTerms, layout: Layout) -> None:
    """Write what all staged records of a block claim. Raises OSError."""
    kept = joins_kept(terms)
    for join, rows in book.whole():
        if join in kept:
            _noted(block, join, layout).write_bytes(rows)


def keep_claims(block: AnyBlock, leaving: npt.NDArray[np.int64], terms: StreamTerms, layout: Layout) -> None:
    """Write the sorted claims of a block without those of the records at positions `leaving`. Raises OSError."""
    for join in joins_kept(terms):
        rows = np.fromfile(_noted(block, join, layout), dtype=row_type(join))
        write_part(kept_claims(block, join, layout).path, rows[~np.isin(rows["line"], leaving)])


def write_part(path: Path, rows: npt.NDArray[np.void]) -> None:
    """Sort claims and write them. Raises OSError."""
    path.write_bytes(rows[np.lexsort((rows["line"], rows["low"], rows["high"]))].tobytes())


def kept_claims(block: AnyBlock, join: Join, layout: Layout) -> Part:
    """What `keep_claims` writes for a join."""
    path = layout.staged(block, f".{join.name}.kept")
    if isinstance(block, DocumentBlock):
        return Part(path, block.stream, block.names)
    return Part(path, block.stream, (block.shard.name,), block.first_line)


def noted_files(block: AnyBlock, terms: StreamTerms, layout: Layout) -> list[Path]:
    """The files that `note_claims` writes."""
    return [_noted(block, join, layout) for join in joins_kept(terms)]


def kept_files(block: AnyBlock, terms: StreamTerms, layout: Layout) -> list[Path]:
    """The files that `keep_claims` writes."""
    return [kept_claims(block, join, layout).path for join in joins_kept(terms)]


def _noted(block: AnyBlock, join: Join, layout: Layout) -> Path:
    return layout.staged(block, f".{join.name}.noted")
