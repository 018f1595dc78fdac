"""Where the files of a run stand. Names depend on the shard and the block alone, so a retried bundle finds its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from transforms.records import Outcome
from transforms.shards.discover import output_stem
from transforms.shards.plan import Block

_SUFFIX = {Outcome.ACCEPTED: ".parquet", Outcome.REJECTED: ".jsonl", Outcome.HELD: ".jsonl"}


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of one run under `root` (the run's own folder)."""

    root: Path

    @property
    def staging(self) -> Path:
        """Work in progress; removed before the run is published."""
        return self.root / ".staging"

    def staged(self, block: Block, suffix: str) -> Path:
        """A file of work in progress for one block."""
        return self.staging / block.shard.stream / f"{_stem(block)}{suffix}"

    def final(self, block: Block, outcome: Outcome) -> Path:
        """The published file for one block's records of one outcome."""
        return self.root / outcome / block.shard.stream / f"{_stem(block)}{_SUFFIX[outcome]}"


def _stem(block: Block) -> str:
    return f"{output_stem(block.shard.name)}-b{block.index:05d}"
