"""What a block tells of itself: small values that travel through the graph instead of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from transforms.records import Finding, Outcome, ShardFault
from transforms.shards.plan import Block


@dataclass(frozen=True, slots=True)
class Staged:
    """A judged block: `read` records, of which `staged` wait for the joins; the rest are refused already.

    `codes` counts refused records by code (a record with one code twice counts once). `warnings` has the
    findings of staged records by line, counted from the block's first. `blanks` are skipped blank lines,
    which are no records. With a `fault` the shard is unusable and nothing else here counts.
    """

    ordinal: int
    block: Block
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

    `merkle_root` is that over the `record_sha256` of an accepted file's rows, None for others.
    """

    path: str
    bytes: int
    sha256: str
    rows: int | None = None
    merkle_root: str | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """A finished block: final counts and files. `warned` is the part of `codes` that accepted records have."""

    ordinal: int
    block: Block
    read: int = 0
    blanks: int = 0
    outcomes: Mapping[Outcome, int] = field(default_factory=Counter)
    codes: Mapping[str, int] = field(default_factory=Counter)
    warned: Mapping[str, int] = field(default_factory=Counter)
    files: tuple[OutputFile, ...] = ()
    fault: ShardFault | None = None
