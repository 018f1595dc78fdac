"""What a campaign manifest says of stage 6: whose evidence counts, and what a stream's records must meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from transforms.acceptance.code.linter import unknown_rules
from transforms.acceptance.gate_names import misplaced
from transforms.acceptance.safety import labels_of
from transforms.acceptance.values import (
    AcceptanceTerms,
    CodeTerms,
    Disagreement,
    EvidencePolicy,
    EvidenceTerms,
    Executor,
    Judge,
    Rubric,
    Suite,
)
from transforms.digests import canonical_json, sha256_hex
from transforms.kinds import ANNOTATIONS, EVIDENCE, FACTS, KINDS
from transforms.people import person
from transforms.records import Json

TESTS = "required_tests_pass"


def evidence_terms(manifest: Json, suites: Json | None, policies: Mapping[str, Json]) -> EvidenceTerms:
    """Whose evidence counts; `suites` is the pinned test-suites-v1 document, `policies` are the safety policies."""
    stated = manifest.get("evidence", {})
    reviewers = stated.get("reviewers")
    return EvidenceTerms(
        reviewers=None if reviewers is None else frozenset(map(person, reviewers)),
        adjudicators={
            person(name): frozenset(row["qualifications"]) for name, row in stated.get("adjudicators", {}).items()
        },
        judges={person(name): pinned_judge(row) for name, row in stated.get("judges", {}).items()},
        executors={name: _executor(row) for name, row in stated.get("executors", {}).items()},
        safety_policies={
            version: frozenset(row["id"] for row in policy["exceptions"]) for version, policy in policies.items()
        },
        classifier_labels={
            version: labels_of(policy["classifier_labels"])
            for version, policy in policies.items()
            if "classifier_labels" in policy
        },
        suites={task: Suite(row["sha256"], row["origin"]) for task, row in (suites or {}).get("suites", {}).items()},
    )


def pinned_judge(row: Json) -> Judge:
    """A judge as the manifest pins it: its parameters by the SHA-256 of their RFC 8785 form."""
    parameters = sha256_hex(canonical_json(row["parameters"]))
    return Judge(row["model"], row["prompt_sha256"], parameters, row.get("counts_as_independent", False))


def _executor(row: Json) -> Executor:
    return Executor(row["version"], row["configuration_sha256"], row["interpreter"], int(row["timeout_seconds"]))


def acceptance_terms(row: Json) -> AcceptanceTerms | None:
    """What the records of a stream must meet, None where nothing; `row` is the stream in the manifest."""
    stated = row.get("acceptance")
    if stated is None:
        return None
    code = _code(stated["code"]) if "code" in stated else None
    return AcceptanceTerms(stated.get("rubric"), code, EvidencePolicy(stated.get("evidence_policy", "cited")))


def _code(row: Json) -> CodeTerms:
    major, minor = map(int, row["version"].split("."))
    approved, rules = row.get("approved_dependencies", ()), row.get("linter_rules", ())
    return CodeTerms(row["language"], (major, minor), frozenset(approved), tuple(sorted(rules)))


def misstated(row: Json, rubrics: Mapping[str, Rubric]) -> Iterator[tuple[str, str]]:
    """What is wrong with a stream's `acceptance`: (pointer within it, message)."""
    if "acceptance" not in row:
        return
    kind, named = KINDS[row["kind"]], row["acceptance"].get("rubric")
    if kind.name not in ANNOTATIONS:
        yield "", f"records of kind {kind.name} are no annotations: no rubric is for them"
        return
    if kind.rubric_field and named:
        yield "/rubric", f"records of kind {kind.name} name their rubric themselves"
    elif not kind.rubric_field and named is None:
        yield "", f"records of kind {kind.name} name no rubric: name it here"
    elif named and named not in rubrics:
        yield "/rubric", f"{named!r} is none of the campaign's rubrics"
    elif not rubrics:
        yield "", "there are no rubrics"
    for rule in unknown_rules(row["acceptance"].get("code", {}).get("linter_rules", ())):
        yield "/code/linter_rules", f"the linter has no rule {rule!r}"
    for gate in misplaced(rubrics[named], kind.name) if named in rubrics else ():
        yield "/rubric", f"no record of kind {kind.name} can answer its gate {gate!r}"


def stated_facts(manifest: Json) -> set[str]:
    """The facts, evidence among them, that the campaign has streams of."""
    kinds = {stream["kind"] for stream in manifest["streams"].values()}
    return {fact for fact, kind in (FACTS | EVIDENCE).items() if kind in kinds}


def wanted_evidence(manifest: Json, rubrics: Mapping[str, Rubric]) -> frozenset[str]:
    """The facts that the campaign's rubrics ask for: they must be there, or be declared absent."""
    streams = manifest["streams"].values()
    if not any("acceptance" in row for row in streams):
        return frozenset()
    wanted: set[str] = {"reviews"}
    for rubric in rubrics.values():
        is_qualified = any(criterion.qualification for criterion in rubric.criteria)
        if is_qualified or rubric.policy.disagreement is Disagreement.ADJUDICATE:
            wanted.add("adjudications")
        if any(gate.name == TESTS for gate in rubric.gates):
            wanted.add("code-executions")
    return frozenset(wanted)
