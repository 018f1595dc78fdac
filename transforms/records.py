"""The plain values that travel from bytes to verdict. Nothing here reads, writes or decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

Json = dict[str, Any]


class Stage(IntEnum):
    """The stages a record passes, in processing order."""

    BYTES = 1
    PARSING = 2
    STRUCTURE = 3
    RULES = 4
    JOINS = 5
    ACCEPTANCE = 6
    PUBLISH = 7
    CAMPAIGN = 8


class Outcome(StrEnum):
    """What becomes of a record: it is in exactly one of the three."""

    ACCEPTED = "accepted"
    HELD = "held"
    REJECTED = "rejected"


class Syntax(StrEnum):
    """The notation that a record is written in."""

    JSON = "json"
    YAML = "yaml"


class Severity(StrEnum):
    """What a code does by default to the thing it is found in."""

    REJECT = "reject"
    HOLD = "hold"
    WARN = "warn"
    SHARD = "shard"
    CAMPAIGN = "campaign"
    INTEGRITY = "integrity"


@dataclass(frozen=True, slots=True)
class Code:
    """One row of the catalogue; it stands beside the check that reports it.

    `code` is never reused for another meaning; `since` is the release that introduced it.
    """

    code: str
    stage: Stage
    severity: Severity
    summary: str
    example: str
    remedy: str
    since: str = "0.1.0"


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """A committed run given as history: its id, and the SHA-256 (hex) of its manifest."""

    run_id: str
    manifest_sha256: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: stream name, shard name, 1-based physical line in the shard.

    `run` is the earlier run that accepted it, None for a record of this run.
    """

    stream: str
    shard: str
    line: int
    run: EarlierRun | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one record.

    `pointer` is a JSON Pointer (RFC 6901) into the record, "" for the whole record;
    `schema_pointer` one into its schema, or None. `message` never holds unbounded record content.
    `severity` is what this finding does here, after the campaign's policy (REJECT, HOLD or WARN).
    """

    code: str
    message: str
    pointer: str = ""
    schema_pointer: str | None = None
    related: tuple[Place, ...] = ()
    severity: Severity = Severity.REJECT


@dataclass(frozen=True, slots=True)
class ShardFault:
    """A fault of a whole shard, such as a truncated gzip stream: no record of it may be published."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Shard:
    """One input file: the `stream` it belongs to, its `name` in outputs, `path` to open, `size` in bytes.

    `uri` says where it is: relative to the campaign's folder where it lies below it, else absolute. An object in a
    bucket has a gs:// URL as its uri and path, and the `generation` and `crc32c` that the bucket states.
    """

    stream: str
    name: str
    uri: str
    path: str
    size: int
    generation: int | None = None
    crc32c: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record that earlier runs published was first read: by which run (its id), in which shard, on which line.

    `line` is 1-based. It stays the same however often the record is revalidated.
    """

    run: str
    shard: str
    line: int


@dataclass(frozen=True, slots=True)
class Line:
    """One record as it was read: a line of a shard without its line feed, or a whole file, a document.

    `number` is 1-based in the shard, 1 for a document; `offset` is that of the first byte in the (decompressed)
    shard and `length` the number of bytes of the whole line. `data` holds all of them, or for a line over the
    bound (`oversized`) only the first ones; `sha256` (hex) is then that of the whole line.

    A record of an earlier run is a row of a file that the run published: `number` is the row's, from 1, `offset` is 0,
    `origin` and `sha256` are set, and one whose bytes the earlier run did not keep is `oversized` too. `version` is the
    schema version under which the earlier run read it, where records of its kind declare none. `is_judged` says that it
    was accepted under the same schemas and checks, rubrics apart.
    """

    number: int
    offset: int
    length: int
    data: bytes
    oversized: bool = False
    sha256: str | None = None
    syntax: Syntax = Syntax.JSON
    origin: Origin | None = None
    version: str | None = None
    is_judged: bool = False


@dataclass(frozen=True, slots=True)
class MigratedFrom:
    """What a migrated record was made from: the version, and the SHA-256 (32 bytes) of the bytes as read."""

    version: str
    sha256: bytes


@dataclass(frozen=True, slots=True)
class Verdict:
    """What stages 1 to 4 say of one line.

    For a record that is sound in structure, `value` is the parsed record, `archival` the bytes to keep and
    hash, `version` its schema version, and `plain` promises what `digests.canonical_json` asks. `derived` are the
    values of the columns that its kind, an adapter or migrations add, for records that are not rejected. `exact` is the
    value as rules saw it. `migrated` tells of a record that was migrated.
    """

    outcome: Outcome
    findings: tuple[Finding, ...]
    value: Json | None = None
    archival: bytes | None = None
    version: str | None = None
    plain: bool = False
    derived: tuple[str | bytes | tuple[str, ...] | None, ...] = ()
    exact: Json | None = None
    migrated: MigratedFrom | None = None


def outcome_of(findings: tuple[Finding, ...]) -> Outcome:
    """The worst that the findings do: rejected over held over accepted."""
    severities = {finding.severity for finding in findings}
    if Severity.REJECT in severities:
        return Outcome.REJECTED
    return Outcome.HELD if Severity.HOLD in severities else Outcome.ACCEPTED
