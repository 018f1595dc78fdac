"""The documents that a campaign pins by digest: found, read strictly, and checked on their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import schemas
from pipeline.campaign_codes import CONTRADICTORY_LABELS, DIGEST_MISMATCH, DOCUMENT_UNREADABLE, UNKNOWN_VERSION, problem
from pipeline.documents import read_document
from transforms.acceptance.rubric import check_rubric, loads_rubric
from transforms.acceptance.safety import contradictory_labels
from transforms.digests import sha256_hex
from transforms.parsing.json_strict import loads_document
from transforms.records import Finding, Json, Severity
from transforms.schema_check import UNRESOLVABLE_REFERENCE, check_schema
from transforms.storage.location import Location, within
from transforms.structure import check, compile_validator
from transforms.terms import Validator

SHIPPED = "assay:"
MAX_FINDINGS = 100
# The roles of pinned documents, and the manifest's members that pin them.
_PINNED = {"schema": "schemas", "rubric": "rubrics", "policy": "safety_policies"}
SUITES = ("suites", "test-suites-v1")
"""Role and version of the document that says which tests a task has."""

Parsed = Mapping[tuple[str, str], Any]
"""The values of pinned documents by role and version."""


@dataclass(frozen=True, slots=True)
class Document:
    """A pinned document: its role, version, path inside a run's folder, bytes, SHA-256.

    `source` is the file it was read from.
    """

    role: str
    version: str
    path: str
    data: bytes
    sha256: str
    source: Location


@dataclass(frozen=True, slots=True)
class Reference:
    """A pin in the manifest: `pointer` to it, and what it names."""

    role: str
    version: str
    pointer: str
    path: str
    sha256: str
    fixtures: str | None = None

    def source(self, folder: Location) -> Location:
        """The file it names; a path that begins with "assay:" is a schema shipped with the product."""
        if self.path.startswith(SHIPPED):
            return schemas.schema_path("records", self.path.removeprefix(SHIPPED))
        return within(folder, self.path)


def references(manifest: Json) -> Iterator[Reference]:
    """The manifest's pins: schemas, rubrics, safety policies, each by version, and the tests."""
    for role, member in _PINNED.items():
        for version, pin in sorted(manifest.get(member, {}).items()):
            yield Reference(role, version, f"/{member}/{version}", pin["path"], pin["sha256"], pin.get("fixtures"))
    if pin := manifest.get("evidence", {}).get("test_suites"):
        yield Reference(*SUITES, "/evidence/test_suites", pin["path"], pin["sha256"])


def load_pinned(reference: Reference, folder: Location, problems: list[Finding]) -> tuple[Document, Any] | None:
    """The document and its value; None where it cannot be used, and then `problems` says why."""
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
    value = loads_rubric(data) if reference.role == "rubric" else loads_document(data)
    if isinstance(value, Finding):
        message = f"{reference.path}: {value.message}"
        problems.append(Finding(value.code, message, reference.pointer, severity=Severity.CAMPAIGN))
        return None
    path = f"campaign/{_PINNED.get(reference.role, reference.role)}/{reference.version}.json"
    return Document(reference.role, reference.version, path, data, actual, source), value


def check_documents(parsed: Parsed) -> Iterator[Finding]:
    """What is wrong with schemas, rubrics and the other documents by themselves."""
    registered = registry(parsed)
    found: list[Finding] = []
    for (role, version), value in parsed.items():
        if role == "schema":
            found += check_schema(version, value, registered)
            continue
        for finding in _CHECKS[role](version, value):
            found.append(replace(finding, message=f"{role} {version!r}: {finding.message}"))
    # A reference that leads nowhere makes every schema registered beside it fail: only the culprit is told of.
    culprits = [finding for finding in found if finding.code == UNRESOLVABLE_REFERENCE.code]
    yield from culprits or found


def _check_policy(version: str, value: Any) -> Iterator[Finding]:
    invalid = tuple(_invalid(value, "safety-policy-v1"))
    yield from invalid or _check_labels(value)
    if isinstance(value, dict) and value.get("policy_version") != version:
        yield problem(UNKNOWN_VERSION, "names another policy_version", "/policy_version")


def _check_labels(value: Any) -> Iterator[Finding]:
    for label in contradictory_labels(value.get("classifier_labels", {"harmful": (), "harmless": ()})):
        yield problem(CONTRADICTORY_LABELS, f"{label!r} signals harm and none", "/classifier_labels")


def _check_suites(_version: str, value: Any) -> Iterator[Finding]:
    return _invalid(value, "test-suites-v1")


def _invalid(value: Any, document: str) -> Iterator[Finding]:
    validator = compile_validator(schemas.load_schema("documents", document), Validator())
    for finding in check(value, validator, MAX_FINDINGS):
        yield replace(finding, severity=Severity.CAMPAIGN)


_CHECKS: Mapping[str, Callable[[str, Any], Iterable[Finding]]] = {
    "rubric": check_rubric,
    "policy": _check_policy,
    "suites": _check_suites,
}


def registry(parsed: Parsed) -> dict[str, Any]:
    """The registered schemas by `$id`, for references between them."""
    return {
        value["$id"]: value
        for (role, _), value in parsed.items()
        if role == "schema" and isinstance(value, dict) and isinstance(value.get("$id"), str)
    }
