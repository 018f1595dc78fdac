"""The terms a campaign sets for judging records: limits and policies, frozen and picklable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from transforms.acceptance.values import AcceptanceTerms, EvidenceTerms, Rubric
from transforms.migrations.operations import Operation

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

BLOCK_BYTES = 32 * MIB
"""The piece of a plain shard that is judged as a whole, unless the campaign or the size of the run asks for another."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds, in bytes unless the name says otherwise. `max_depth` counts nested arrays and objects.

    Without `block_bytes` they are chosen by the size of the run.
    """

    max_record_bytes: int = 2 * MIB
    max_shard_bytes: int = 64 * GIB
    max_expanded_bytes: int = 8 * GIB
    max_depth: int = 64
    max_findings_per_record: int = 32
    max_conversation_characters: int = 500_000
    max_conversation_bytes: int = 1_500_000
    block_bytes: int | None = None


class Action(StrEnum):
    """What a policy may do with the records a rule names."""

    KEEP_FIRST = "keep-first"
    REJECT = "reject"
    HOLD = "hold"
    ALLOW = "allow"
    ALLOW_TIE = "allow-tie"


@dataclass(frozen=True, slots=True)
class Validator:
    """The pinned JSON Schema engine: its name ("jsonschema-rs" or "jsonschema") and whether formats are asserted."""

    engine: str = "jsonschema-rs"
    assert_formats: bool = False


class OffsetUnit(StrEnum):
    """What offsets count."""

    CODE_POINTS = "code-points"
    UTF8_BYTES = "utf-8-bytes"
    UTF16_UNITS = "utf-16-units"


class FingerprintForm(StrEnum):
    """What a baseline's fingerprint is over: the document's own text, that text rebuilt, or the RFC 8785 form."""

    TEXT = "text"
    EMITTER = "emitter-text"
    JCS = "rfc8785"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that traces may call, and the versions of its arguments' and results' schema."""

    name: str
    versions: frozenset[str]


@dataclass(frozen=True, slots=True)
class AdapterTerms:
    """Where a stream's records come from another tool: the version of its schema, and that schema (parsed JSON).

    `left_in_source` names what the campaign lets stay in the source alone.
    """

    source: str
    schema: Any
    left_in_source: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class MigrationTerms:
    """How records of the version `source` become records of the version `target`.

    `schema` (parsed JSON) is that of the source. The operations apply in their order; none is the policy "revalidate".
    """

    source: str
    target: str
    schema: Any
    operations: tuple[Operation, ...] = ()


@dataclass(frozen=True, slots=True)
class StreamTerms:
    """How the records of one stream are judged.

    `schemas` maps each accepted schema version to its schema document (parsed JSON); `registered` has all
    of the campaign's schemas by `$id`, for references between them; `policies` maps a code to what the campaign
    does with it where that differs from the default; `canonicalisation` is "raw" or "jcs"; `skip_blank` counts
    blank lines instead of rejecting them. `facts` names what the campaign requires records to be joined with: "tasks",
    "documents", "executions". `tools` are those that traces may call, by name; none declared asks nothing.
    `record_per_file` says that a file is one record, a document, and `fingerprint` what the fingerprints of
    records without a text are over. `rubrics` are the campaign's by version, `evidence` says whose evidence counts,
    and `acceptance` what records must meet beyond being sound, None where nothing. `adapter` says what lines are where
    they are no records of the kind yet; the archival bytes are then always the RFC 8785 form ("jcs"). `revalidated`
    says that records come from earlier runs, so that their origin stands beside them. `migrations` are by the version
    that they start from; they lead to one of `schemas`. `rubric_migrations` says
    by which version records are decided that name another; `rubrics` has that one under both names.
    """

    name: str
    kind: str
    schemas: Mapping[str, Any]
    registered: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    validator: Validator = field(default_factory=Validator)
    canonicalisation: str = "raw"
    skip_blank: bool = False
    keep_raw_rejects: bool = True
    annotations_per_task: int = 1
    policies: Mapping[str, Action] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    tools: Mapping[str, Tool] = field(default_factory=dict)
    offset_unit: OffsetUnit = OffsetUnit.CODE_POINTS
    latency_tolerance_ms: int = 0
    record_per_file: bool = False
    fingerprint: FingerprintForm = FingerprintForm.EMITTER
    rubrics: Mapping[str, Rubric] = field(default_factory=dict)
    evidence: EvidenceTerms = field(default_factory=EvidenceTerms)
    acceptance: AcceptanceTerms | None = None
    adapter: AdapterTerms | None = None
    revalidated: bool = False
    migrations: Mapping[str, MigrationTerms] = field(default_factory=dict)
    rubric_migrations: Mapping[str, str] = field(default_factory=dict)
