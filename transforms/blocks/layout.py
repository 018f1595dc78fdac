"""Where the files of a run stand. Names depend on the shard and the block alone, so a retried bundle finds its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from transforms.records import Outcome
from transforms.shards.blocks import AnyBlock
from transforms.storage.location import Location, Remote

STAGING = ".staging"
_SUFFIX = {Outcome.ACCEPTED: ".parquet", Outcome.REJECTED: ".jsonl", Outcome.HELD: ".jsonl"}


@dataclass(frozen=True, slots=True)
class Sealing:
    """The digests (hexadecimal) under which finished blocks are sealed for a later attempt at the run.

    `terms` is over all that decides how a block's bytes are judged, `work` over that and all that the run reads.
    """

    terms: str
    work: str


@dataclass(frozen=True, slots=True)
class Bucket:
    """The run's own folder where that is in a bucket, and the object that says that the run is committed."""

    folder: Remote
    manifest: Remote


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of one run under `root` (the run's own folder); without `sealing` no block is sealed.

    With a `bucket` files are finished under `root`, a folder of this machine, and delivered. `elsewhere` is where
    staged files go if not all workers see `root`.
    """

    root: Path
    sealing: Sealing | None = None
    bucket: Bucket | None = None
    elsewhere: Remote | None = None

    @property
    def home(self) -> Location:
        """The folder of the published run."""
        return self.bucket.folder if self.bucket else self.root

    def place(self, path: Path) -> Location:
        """Where any worker finds a file once the step is done that writes it to `path`, a name under `root`."""
        if path.is_relative_to(self.staging):
            return self.elsewhere / path.relative_to(self.staging).as_posix() if self.elsewhere else path
        return self.bucket.folder / path.relative_to(self.root).as_posix() if self.bucket else path

    def address(self, block: AnyBlock, suffix: str) -> str:
        """The same for a staged file, as a path or a gs:// URL."""
        return str(self.place(self.staged(block, suffix)))

    @property
    def staging(self) -> Path:
        """Work in progress; removed before the run is published."""
        return self.root / STAGING

    def staged(self, block: AnyBlock, suffix: str) -> Path:
        """A file of work in progress for one block."""
        return self.staging / block.stream / f"{block.stem}{suffix}"

    def decisions(self, block: AnyBlock) -> Path:
        """The published file for the decisions on one block's records."""
        return self.root / "decisions" / block.stream / f"{block.stem}.parquet"

    def final(self, block: AnyBlock, outcome: Outcome) -> Path:
        """The published file for one block's records of one outcome."""
        return self.root / outcome / block.stream / f"{block.stem}{_SUFFIX[outcome]}"
