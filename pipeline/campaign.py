"""A campaign manifest: read strictly, checked against its schema, its documents pinned by digest → Campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import schemas
from pipeline.campaign_codes import (
    COLUMNS_CONFLICT,
    DIGEST_MISMATCH,
    DOCUMENT_UNREADABLE,
    KIND_MISFIT,
    UNDECLARED_ABSENCE,
    UNKNOWN_KIND,
    UNKNOWN_VERSION,
    VALIDATOR_MISMATCH,
)
from pipeline.documents import read_document
from pipeline.kind_fit import misfits
from transforms.columns.stream_columns import stream_schema
from transforms.digests import sha256_hex
from transforms.kinds import FACTS, KINDS
from transforms.parsing.json_strict import loads_document
from transforms.records import Code, Finding, Json, Severity
from transforms.rubric import check_rubric
from transforms.schema_check import UNRESOLVABLE_REFERENCE, check_schema
from transforms.structure import check, compile_validator
from transforms.terms import Action, FingerprintForm, Limits, OffsetUnit, StreamTerms, Tool, Validator

SHIPPED = "assay:"
_MAX_DOCUMENT_FINDINGS = 100


@dataclass(frozen=True, slots=True)
class Document:
    """A pinned document: its role (campaign, schema, rubric), version, path inside a run's folder, bytes, SHA-256.

    `source` is the file it was read from.
    """

    role: str
    version: str
    path: str
    data: bytes
    sha256: str
    source: Path


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
    """A loaded campaign. `documents` begins with the manifest itself; `folder` is where it lies."""

    id: str
    folder: Path
    dialect: str
    canonicalisation: str
    validator: Mapping[str, str]
    payload: str
    quarantine: bool
    documents: tuple[Document, ...]
    streams: Mapping[str, Stream]
    thresholds: Thresholds = field(default_factory=Thresholds)

    @property
    def sha256(self) -> str:
        """The digest of the manifest's own bytes."""
        return self.documents[0].sha256


def load_campaign(path: Path) -> Campaign | tuple[Finding, ...]:
    """The campaign at `path`, or everything that is wrong with it, as far as it can be told without fixtures."""
    loaded = load_manifest(path)
    return loaded if isinstance(loaded, tuple) else campaign_of(loaded)


def campaign_of(loaded: Loaded) -> Campaign | tuple[Finding, ...]:
    """The campaign of a loaded manifest, or everything that is wrong with it; as `load_campaign`."""
    document, manifest, folder = loaded.document, loaded.value, loaded.document.source.parent
    problems = list(_check_validator(manifest["validator"]))
    documents, parsed = [document], {}
    for reference in references(manifest):
        pinned = _load_pinned(reference, folder, problems)
        if pinned:
            documents.append(pinned[0])
            parsed[pinned[0].role, pinned[0].version] = pinned[1]
    problems += _check_documents(parsed)
    problems += _check_streams(manifest, parsed)
    problems += _check_without(manifest)
    if problems:
        return tuple(problems)
    campaign = _assemble(manifest, folder, tuple(documents), parsed)
    return campaign if isinstance(campaign, Campaign) else (campaign,)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A campaign manifest that is valid under its own schema: its bytes and its value."""

    document: Document
    value: Json


def load_manifest(path: Path) -> Loaded | tuple[Finding, ...]:
    """The campaign manifest's bytes and value, valid under its own schema; pins are not looked at."""
    try:
        data = read_document(path)
    except OSError as error:
        return (problem(DOCUMENT_UNREADABLE, f"{path}: {error.strerror}"),)
    value = loads_document(data)
    if isinstance(value, Finding):
        return (value,)
    validator = compile_validator(schemas.load_schema("documents", "campaign-v1"), Validator())
    broken = check(value, validator, _MAX_DOCUMENT_FINDINGS)
    if broken:
        return tuple(replace(finding, severity=Severity.CAMPAIGN) for finding in broken)
    document = Document("campaign", "campaign-v1", "campaign/campaign.json", data, sha256_hex(data), path)
    return Loaded(document, value)


@dataclass(frozen=True, slots=True)
class Reference:
    """A pin in the manifest: `pointer` to it, and what it names."""

    role: str
    version: str
    pointer: str
    path: str
    sha256: str
    fixtures: str | None = None

    def source(self, folder: Path) -> Path:
        """The file it names; a path that begins with "assay:" is a schema shipped with the product."""
        if self.path.startswith(SHIPPED):
            return schemas.schema_path("records", self.path.removeprefix(SHIPPED))
        return folder / self.path


def references(manifest: Json) -> Iterator[Reference]:
    """The manifest's pins: schemas, then rubrics, each by version."""
    for role, member in (("schema", "schemas"), ("rubric", "rubrics")):
        for version, pin in sorted(manifest.get(member, {}).items()):
            yield Reference(role, version, f"/{member}/{version}", pin["path"], pin["sha256"], pin.get("fixtures"))


def problem(code: Code, message: str, pointer: str = "") -> Finding:
    """A finding against the campaign."""
    return Finding(code.code, message, pointer, severity=Severity.CAMPAIGN)


def _load_pinned(reference: Reference, folder: Path, problems: list[Finding]) -> tuple[Document, Any] | None:
    source = reference.source(folder)
    try:
        data = read_document(source)
    except OSError as error:
        message = f"{reference.path}: {error.strerror}"
        problems.append(problem(DOCUMENT_UNREADABLE, message, f"{reference.pointer}/path"))
        return None
    actual = sha256_hex(data)
    if actual != reference.sha256:
        message = f"{reference.path} has SHA-256 {actual}; after a deliberate change, pin it anew"
        problems.append(problem(DIGEST_MISMATCH, message, f"{reference.pointer}/sha256"))
        return None
    value = loads_document(data)
    if isinstance(value, Finding):
        message = f"{reference.path}: {value.message}"
        problems.append(Finding(value.code, message, reference.pointer, severity=Severity.CAMPAIGN))
        return None
    path = f"campaign/{reference.role}s/{reference.version}.json"
    return Document(reference.role, reference.version, path, data, actual, source), value


def _check_validator(pinned: Mapping[str, str]) -> Iterator[Finding]:
    installed = metadata.version(pinned["engine"])
    if pinned["version"] != installed:
        message = f"the campaign pins {pinned['engine']} {pinned['version']}, installed is {installed}"
        yield problem(VALIDATOR_MISMATCH, message, "/validator/version")


def _check_documents(parsed: Mapping[tuple[str, str], Any]) -> Iterator[Finding]:
    registered = registry(parsed)
    found: list[Finding] = []
    for (role, version), value in parsed.items():
        if role == "schema":
            found += check_schema(version, value, registered)
            continue
        for finding in check_rubric(version, value):
            found.append(replace(finding, message=f"rubric {version!r}: {finding.message}"))
    # A reference that leads nowhere makes every schema registered beside it fail: only the culprit is told of.
    culprits = [finding for finding in found if finding.code == UNRESOLVABLE_REFERENCE.code]
    yield from culprits or found


def registry(parsed: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
    """The registered schemas by `$id`, for references between them."""
    return {
        value["$id"]: value
        for (role, _), value in parsed.items()
        if role == "schema" and isinstance(value, dict) and isinstance(value.get("$id"), str)
    }


def _check_streams(manifest: Json, parsed: Mapping[tuple[str, str], Any]) -> Iterator[Finding]:
    for name, stream in sorted(manifest["streams"].items()):
        if stream["kind"] not in KINDS:
            known = ", ".join(sorted(KINDS))
            yield problem(UNKNOWN_KIND, f"kind {stream['kind']!r}; known are {known}", f"/streams/{name}/kind")
        for index, version in enumerate(stream["versions"]):
            if version not in manifest["schemas"]:
                message = f"{version!r} is none of the campaign's schemas"
                yield problem(UNKNOWN_VERSION, message, f"/streams/{name}/versions/{index}")


def _check_without(manifest: Json) -> Iterator[Finding]:
    """What the kinds could be joined with must be there, or the manifest must say that it goes without."""
    without = manifest.get("without", ())
    kinds = {stream["kind"] for stream in manifest["streams"].values()}
    wanted = {fact for kind in kinds if kind in KINDS for fact in KINDS[kind].facts}
    present = {fact for fact, kind in FACTS.items() if kind in kinds}
    if any(KINDS[kind].rubric_field for kind in kinds if kind in KINDS):
        wanted.add("rubrics")
    if manifest.get("rubrics"):
        present.add("rubrics")
    for name in sorted(wanted - present - set(without)):
        yield problem(UNDECLARED_ABSENCE, f"there are no {name}; add them, or list {name!r} here", "/without")
    for index, name in enumerate(without):
        if name in present:
            yield problem(UNDECLARED_ABSENCE, f"says there are no {name}, and there are", f"/without/{index}")


def _assemble(
    manifest: Json, folder: Path, documents: tuple[Document, ...], parsed: Mapping[tuple[str, str], Any]
) -> Campaign | Finding:
    streams = {}
    for name, row in sorted(manifest["streams"].items()):
        terms = _terms(name, row, manifest, parsed)
        shipped = schemas.load_schema("records", terms.kind)
        for version, schema in terms.schemas.items():
            for misfit in misfits(schema, shipped, terms.registered):
                return problem(KIND_MISFIT, f"{version}: {misfit}", f"/streams/{name}/kind")
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


def _patterns(given: str | list[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _terms(name: str, row: Json, manifest: Json, parsed: Mapping[tuple[str, str], Any]) -> StreamTerms:
    identity = dict(row.get("identity", {}))
    per_task = identity.pop("annotations_per_task", 1)
    actions = {**identity, **row.get("rules", {}), **row.get("joins", {})}
    tools = {tool: Tool(tool, frozenset(versions)) for tool, versions in row.get("tools", {}).items()}
    return StreamTerms(
        name=name,
        kind=row["kind"],
        schemas={version: parsed["schema", version] for version in row["versions"]},
        registered=registry(parsed),
        rubric_versions=frozenset(version for role, version in parsed if role == "rubric"),
        # JSON Schema counts 5.0 as an integer.
        limits=Limits(**{name: int(bound) for name, bound in manifest.get("limits", {}).items()}),
        validator=Validator(manifest["validator"]["engine"], manifest["validator"]["formats"] == "assert"),
        canonicalisation="raw" if KINDS[row["kind"]].derive else manifest["canonicalisation"],
        skip_blank=row.get("blank_records", "reject") == "skip",
        keep_raw_rejects=manifest.get("rejects", {}).get("payload", "raw") == "raw",
        annotations_per_task=int(per_task),
        policies={code: Action(action) for code, action in actions.items()},
        facts=frozenset(FACTS) - frozenset(manifest.get("without", ())),
        tools=tools,
        offset_unit=OffsetUnit(row.get("offsets", "code-points")),
        latency_tolerance_ms=int(row.get("latency_tolerance_ms", 0)),
        record_per_file=row.get("format", "jsonl") == "documents",
        fingerprint=FingerprintForm(row.get("fingerprint", "emitter-text")),
    )
