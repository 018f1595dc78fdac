"""A campaign manifest: read strictly, checked against its schema, its documents pinned by digest → Campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata

import schemas
from pipeline.acceptance import acceptance_terms, evidence_terms, misstated, stated_facts, wanted_evidence
from pipeline.adapters import adapter_terms, check_adapter, source_misfits
from pipeline.campaign_codes import (
    ACCEPTANCE_MISSTATED,
    COLUMNS_CONFLICT,
    DOCUMENT_UNREADABLE,
    EVIDENCE_MISNAMED,
    KIND_MISFIT,
    UNDECLARED_ABSENCE,
    UNKNOWN_KIND,
    UNKNOWN_VERSION,
    VALIDATOR_MISMATCH,
    problem,
)
from pipeline.documents import read_document
from pipeline.evidence_names import misnamed, unknown_contributors
from pipeline.kind_fit import misfits
from pipeline.migrations import check_migrations, migration_terms
from pipeline.pinned import MAX_FINDINGS, SUITES, Document, Parsed, check_documents, load_pinned, references, registry
from pipeline.reachability import limits_of_acceptance
from pipeline.rubric_migrations import check_rubric_migrations, rubric_migrations
from pipeline.stream_settings import foreign_settings, unused_settings
from transforms.acceptance.rubric import read_rubric
from transforms.acceptance.values import Rubric
from transforms.columns.stream_columns import stream_schema
from transforms.digests import sha256_hex
from transforms.kinds import EVIDENCE_KINDS, KINDS
from transforms.parsing.json_strict import loads_document
from transforms.records import Finding, Json, Severity
from transforms.storage.location import Location
from transforms.structure import check, compile_validator
from transforms.terms import Action, FingerprintForm, Limits, OffsetUnit, StreamTerms, Tool, Validator


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream's terms and the patterns that find its shards."""

    terms: StreamTerms
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Shares (0 to 1) of records read, and a number of shards; None asks for nothing."""

    max_rejected_share: float | None = None
    max_held_share: float | None = None
    max_quarantined_shards: int | None = None


@dataclass(frozen=True, slots=True)
class Campaign:
    """A loaded campaign. `documents` begins with the manifest itself; `folder` is where it lies.

    `warnings` are about records that it cannot accept, contributors that it does not know and settings that do nothing;
    it can be run all the same.
    """

    id: str
    folder: Location
    dialect: str
    canonicalisation: str
    validator: Mapping[str, str]
    payload: str
    quarantine: bool
    documents: tuple[Document, ...]
    streams: Mapping[str, Stream]
    thresholds: Thresholds = field(default_factory=Thresholds)
    warnings: tuple[Finding, ...] = ()

    @property
    def sha256(self) -> str:
        """The digest of the manifest's own bytes."""
        return self.documents[0].sha256


def load_campaign(path: Location) -> Campaign | tuple[Finding, ...]:
    """The campaign at `path`, or everything that is wrong with it, as far as it can be told without fixtures."""
    loaded = load_manifest(path)
    return loaded if isinstance(loaded, tuple) else campaign_of(loaded)


def campaign_of(loaded: Loaded) -> Campaign | tuple[Finding, ...]:
    """The campaign of a loaded manifest, or everything that is wrong with it; as `load_campaign`."""
    document, manifest, folder = loaded.document, loaded.value, loaded.document.source.parent
    problems = list(_check_validator(manifest["validator"]))
    documents, parsed = [document], {}
    for reference in references(manifest):
        pinned = load_pinned(reference, folder, problems)
        if pinned:
            documents.append(pinned[0])
            parsed[pinned[0].role, pinned[0].version] = pinned[1]
    problems += check_documents(parsed)
    problems += _check_streams(manifest, parsed)
    problems += foreign_settings(manifest)
    if not problems:
        problems += check_migrations(manifest, parsed)
        problems += check_rubric_migrations(manifest)
    rubrics = {} if problems else _rubrics(parsed)
    if not problems:
        problems += _check_acceptance(manifest, rubrics)
    problems += (problem(EVIDENCE_MISNAMED, message, pointer) for pointer, message in misnamed(manifest))
    problems += _check_without(manifest, rubrics)
    if problems:
        return tuple(problems)
    campaign = _assemble(manifest, folder, tuple(documents), parsed, rubrics)
    return _with_limits(campaign, manifest, rubrics) if isinstance(campaign, Campaign) else (campaign,)


def _with_limits(campaign: Campaign, manifest: Json, rubrics: Mapping[str, Rubric]) -> Campaign | tuple[Finding, ...]:
    """The campaign with what it is to be warned of; or why no record of a stream of it could ever be accepted."""
    terms = {name: stream.terms for name, stream in campaign.streams.items()}
    found = (
        *limits_of_acceptance(terms, frozenset(manifest.get("without", ()))),
        *unknown_contributors(manifest),
        *unused_settings(manifest, rubrics),
    )
    errors = tuple(finding for finding in found if finding.severity is not Severity.WARN)
    return errors or replace(campaign, warnings=found)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A campaign manifest that is valid under its own schema: its bytes and its value."""

    document: Document
    value: Json


def load_manifest(path: Location) -> Loaded | tuple[Finding, ...]:
    """The campaign manifest's bytes and value, valid under its own schema; pins are not looked at."""
    try:
        data = read_document(path)
    except OSError as error:
        return (problem(DOCUMENT_UNREADABLE, f"{path}: {error.strerror}"),)
    value = loads_document(data)
    if isinstance(value, Finding):
        return (value,)
    validator = compile_validator(schemas.load_schema("documents", "campaign-v1"), Validator())
    broken = check(value, validator, MAX_FINDINGS)
    if broken:
        return tuple(replace(finding, severity=Severity.CAMPAIGN) for finding in broken)
    document = Document("campaign", "campaign-v1", "campaign/campaign.json", data, sha256_hex(data), path)
    return Loaded(document, value)


def _check_validator(pinned: Mapping[str, str]) -> Iterator[Finding]:
    installed = metadata.version(pinned["engine"])
    if pinned["version"] != installed:
        message = f"the campaign pins {pinned['engine']} {pinned['version']}, installed is {installed}"
        yield problem(VALIDATOR_MISMATCH, message, "/validator/version")


def _check_streams(manifest: Json, parsed: Parsed) -> Iterator[Finding]:
    for name, stream in sorted(manifest["streams"].items()):
        if stream["kind"] not in KINDS:
            known = ", ".join(sorted(KINDS))
            yield problem(UNKNOWN_KIND, f"kind {stream['kind']!r}; known are {known}", f"/streams/{name}/kind")
        for index, version in enumerate(stream["versions"]):
            if version not in manifest["schemas"]:
                message = f"{version!r} is none of the campaign's schemas"
                yield problem(UNKNOWN_VERSION, message, f"/streams/{name}/versions/{index}")
        yield from check_adapter(name, stream, manifest)


def _rubrics(parsed: Parsed) -> dict[str, Rubric]:
    """The campaign's rubrics by version."""
    return {version: read_rubric(value) for (role, version), value in parsed.items() if role == "rubric"}


def _check_acceptance(manifest: Json, rubrics: Mapping[str, Rubric]) -> Iterator[Finding]:
    for name, row in sorted(manifest["streams"].items()):
        for pointer, message in misstated(row, rubrics):
            yield problem(ACCEPTANCE_MISSTATED, message, f"/streams/{name}/acceptance{pointer}")


def _check_without(manifest: Json, rubrics: Mapping[str, Rubric]) -> Iterator[Finding]:
    """What the kinds could be joined with must be there, or the manifest must say that it goes without."""
    without = manifest.get("without", ())
    kinds = {stream["kind"] for stream in manifest["streams"].values()}
    wanted = {fact for kind in kinds if kind in KINDS for fact in KINDS[kind].facts}
    present = stated_facts(manifest)
    if any(KINDS[kind].rubric_field for kind in kinds if kind in KINDS):
        wanted.add("rubrics")
    if manifest.get("rubrics"):
        present.add("rubrics")
    wanted |= wanted_evidence(manifest, rubrics)
    for name in sorted(wanted - present - set(without)):
        yield problem(UNDECLARED_ABSENCE, f"there are no {name}; add them, or list {name!r} here", "/without")
    for index, name in enumerate(without):
        if name in present:
            yield problem(UNDECLARED_ABSENCE, f"says there are no {name}, and there are", f"/without/{index}")


def _assemble(
    manifest: Json, folder: Location, documents: tuple[Document, ...], parsed: Parsed, rubrics: Mapping[str, Rubric]
) -> Campaign | Finding:
    streams = {}
    policies = {version: value for (role, version), value in parsed.items() if role == "policy"}
    evidence = evidence_terms(manifest, parsed.get(SUITES), policies)
    for name, row in sorted(manifest["streams"].items()):
        moved = rubric_migrations(row, manifest)
        own = {**rubrics, **{version: rubrics[to] for version, to in moved.items()}}
        terms = _terms(name, row, manifest, parsed)
        terms = replace(terms, rubrics=own, rubric_migrations=moved, evidence=evidence)
        shipped = schemas.load_schema("records", terms.kind)
        for version, schema in terms.schemas.items():
            for misfit in misfits(schema, shipped, terms.registered):
                return problem(KIND_MISFIT, f"{version}: {misfit}", f"/streams/{name}/kind")
        for unfit in source_misfits(terms):
            return unfit
        try:
            stream_schema(terms)
        except ValueError as error:
            return problem(COLUMNS_CONFLICT, str(error), f"/streams/{name}")
        streams[name] = Stream(terms, _patterns(row["input"]))
    return Campaign(
        id=manifest["id"],
        folder=folder,
        dialect=manifest["dialect"],
        canonicalisation=manifest["canonicalisation"],
        validator=manifest["validator"],
        payload=manifest.get("rejects", {}).get("payload", "raw"),
        quarantine=manifest.get("on_corrupt_shard", "fail") == "quarantine",
        documents=documents,
        streams=streams,
        thresholds=Thresholds(**manifest.get("thresholds", {})),
    )


def _facts(manifest: Json) -> frozenset[str]:
    rows = manifest["streams"].values()
    # Assignments alone say whose word on a record would not count.
    speaking = EVIDENCE_KINDS | ({"assignment-v1"} if any("acceptance" in row for row in rows) else set())
    has_evidence = any(row["kind"] in speaking for row in rows)
    return frozenset(stated_facts(manifest) | ({"evidence"} if has_evidence else set()))


def _patterns(given: str | list[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _terms(name: str, row: Json, manifest: Json, parsed: Parsed) -> StreamTerms:
    identity = dict(row.get("identity", {}))
    per_task = identity.pop("annotations_per_task", 1)
    actions = {**identity, **row.get("rules", {}), **row.get("joins", {})}
    tools = {tool: Tool(tool, frozenset(versions)) for tool, versions in row.get("tools", {}).items()}
    return StreamTerms(
        name=name,
        kind=row["kind"],
        schemas={version: parsed["schema", version] for version in row["versions"]},
        registered=registry(parsed),
        # JSON Schema counts 5.0 as an integer.
        limits=Limits(**{name: int(bound) for name, bound in manifest.get("limits", {}).items()}),
        validator=Validator(manifest["validator"]["engine"], manifest["validator"]["formats"] == "assert"),
        canonicalisation=_canonicalisation(row, manifest),
        skip_blank=row.get("blank_records", "reject") == "skip",
        keep_raw_rejects=manifest.get("rejects", {}).get("payload", "raw") == "raw",
        annotations_per_task=int(per_task),
        policies={code: Action(action) for code, action in actions.items()},
        facts=_facts(manifest),
        tools=tools,
        offset_unit=OffsetUnit(row.get("offsets", "code-points")),
        latency_tolerance_ms=int(row.get("latency_tolerance_ms", 0)),
        record_per_file=row.get("format", "jsonl") == "documents",
        fingerprint=FingerprintForm(row.get("fingerprint", "emitter-text")),
        acceptance=acceptance_terms(row),
        adapter=adapter_terms(row, parsed),
        migrations=migration_terms(row, manifest, parsed),
    )


def _canonicalisation(row: Json, manifest: Json) -> str:
    if "adapter" in row:  # a record that an adapter makes has no bytes of its own
        return "jcs"
    return "raw" if KINDS[row["kind"]].keeps_digits else str(manifest["canonicalisation"])
