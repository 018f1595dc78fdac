"""What a block tells of itself: small values that travel through the graph instead of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from transforms.acceptance.summary import Summary
from transforms.digests import file_sha256
from transforms.records import Finding, Outcome, ShardFault
from transforms.shards.blocks import AnyBlock
from transforms.shards.documents import DocumentBlock
from transforms.shards.lines import BLANK_RECORD


@dataclass(frozen=True, slots=True)
class Staged:
    """A judged block: `read` records, of which `staged` wait for the joins; the rest are refused already.

    `codes` counts refused records by code (a record with one code twice counts once). `warnings` has the
    findings of staged records by position, counted from the block's first. `blanks` are skipped blank lines,
    which are no records. With a `fault` the shard is unusable and nothing else here counts.
    """

    ordinal: int
    block: AnyBlock
    read: int = 0
    staged: int = 0
    blanks: int = 0
    outcomes: Mapping[Outcome, int] = field(default_factory=Counter)
    codes: Mapping[str, int] = field(default_factory=Counter)
    warnings: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)
    fault: ShardFault | None = None


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A published file: `path` relative to the run's folder, its size and SHA-256, its rows where it has any.

    `merkle_root` is that over the `record_sha256` of an accepted file's rows, None for others. `crc32c` is what a
    bucket states of it once it is delivered there.
    """

    path: str
    bytes: int
    sha256: str
    rows: int | None = None
    merkle_root: str | None = None
    crc32c: str | None = None


@dataclass(frozen=True, slots=True)
class Books:
    """What became of a shard's records: `read` of them, `blank` of which are refused lines of white space.

    `skipped` are blank lines that are no records.
    """

    shard: str
    read: int = 0
    skipped: int = 0
    blank: int = 0
    outcomes: Mapping[Outcome, int] = field(default_factory=Counter)

    def __add__(self, other: Books) -> Books:
        """The books of both parts of a shard."""
        outcomes = Counter(self.outcomes) + Counter(other.outcomes)
        counts = (self.read + other.read, self.skipped + other.skipped, self.blank + other.blank)
        return Books(self.shard, *counts, outcomes)


@dataclass(frozen=True, slots=True)
class Settled:
    """A finished block: final counts and files.

    `warned` is the part of `codes` that accepted records have. `refused` has the outcomes of the documents, by name,
    that were not accepted; it is empty for lines.
    """

    ordinal: int
    block: AnyBlock
    read: int = 0
    blanks: int = 0
    outcomes: Mapping[Outcome, int] = field(default_factory=Counter)
    codes: Mapping[str, int] = field(default_factory=Counter)
    warned: Mapping[str, int] = field(default_factory=Counter)
    files: tuple[OutputFile, ...] = ()
    fault: ShardFault | None = None
    refused: Mapping[str, Outcome] = field(default_factory=dict)
    summary: Summary = field(default_factory=Summary)

    def books(self) -> Iterator[Books]:
        """The books of each shard that the block has records of."""
        if not isinstance(self.block, DocumentBlock):
            blank = self.codes.get(BLANK_RECORD.code, 0)
            yield Books(self.block.shard.name, self.read, self.blanks, blank, self.outcomes)
            return
        for name in self.block.names:
            yield Books(name, 1, outcomes={self.refused.get(name, Outcome.ACCEPTED): 1})


def output_file(path: Path, root: Path, rows: int | None = None, root_digest: str | None = None) -> OutputFile:
    """Describe a finished file under `root`."""
    return OutputFile(path.relative_to(root).as_posix(), path.stat().st_size, file_sha256(path), rows, root_digest)
