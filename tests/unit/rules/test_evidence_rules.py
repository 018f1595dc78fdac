"""What the kinds of evidence share, and their fixtures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from evidence_records import (
    CAMPAIGN,
    ELSE,
    NO_CAMPAIGN,
    RUBRIC,
    RULES_OF,
    a_review,
    a_safety_annotation,
    an_adjudication,
    an_execution,
    by_judge,
    findings,
    found,
)

import schemas
from transforms.acceptance.values import EvidenceTerms
from transforms.columns.derive import arrow_schema
from transforms.parsing.json_strict import parse
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules import adjudication, code_execution, evidence, review, safety_annotation
from transforms.rules.rule import RuleContext, apply
from transforms.schema_check import check_schema
from transforms.structure import Compiled, check, compile_validator, declared_version
from transforms.terms import Validator

KINDS = tuple(RULES_OF)
ENGINES = ("jsonschema-rs", "jsonschema")


def folder(kind: str) -> Path:
    return schemas.schema_path("records", kind).parent


def index(kind: str) -> dict[str, list[str]]:
    value: dict[str, list[str]] = json.loads((folder(kind) / "reject" / "index.json").read_bytes())
    return value


def by_name(path: Path) -> str:
    return f"{path.parts[-3]}/{path.stem}"


ACCEPTED = [path for kind in KINDS for path in sorted((folder(kind) / "accept").iterdir())]
REJECTED = [folder(kind) / "reject" / name for kind in KINDS for name in index(kind)]


# the fixtures


@pytest.fixture(scope="module", params=ENGINES)
def compiled(request: pytest.FixtureRequest) -> dict[str, Compiled]:
    return {kind: compile_validator(schemas.load_schema("records", kind), Validator(request.param)) for kind in KINDS}


def judged(path: Path, compiled: dict[str, Compiled]) -> list[str]:
    kind = path.parts[-3]
    parsed = parse(path.read_bytes().rstrip(b"\n"), 64)
    if isinstance(parsed, Finding):
        return [parsed.code]
    version = declared_version(parsed.value, "schema_version", {kind})
    if isinstance(version, Finding):
        return [version.code]
    of = check(parsed.value, compiled[kind], 99) or apply(RULES_OF[kind], parsed.value, NO_CAMPAIGN)
    return sorted({finding.code for finding in of})


@pytest.mark.parametrize("path", ACCEPTED, ids=by_name)
def test_accepted_fixtures(path: Path, compiled: dict[str, Compiled]) -> None:
    assert judged(path, compiled) == []


@pytest.mark.parametrize("path", REJECTED, ids=by_name)
def test_rejected_fixtures(path: Path, compiled: dict[str, Compiled]) -> None:
    expected = index(path.parts[-3])[path.name]
    assert expected == sorted(expected) != []
    assert judged(path, compiled) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_the_index_lists_the_rejected_files(kind: str) -> None:
    assert sorted(path.name for path in (folder(kind) / "reject").iterdir()) == sorted([*index(kind), "index.json"])
    assert list(index(kind)) == sorted(index(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_is_sound_names_itself_and_gives_columns(kind: str) -> None:
    schema = schemas.load_schema("records", kind)
    assert check_schema(kind, schema) == ()
    assert schema["$id"] == f"urn:assay:schema:{kind}"
    assert arrow_schema(schema, {}).names == list(schema["properties"])


# whose word counts


@pytest.mark.parametrize(
    "value", [a_review(), by_judge(), by_judge("judge-b"), an_adjudication(), an_execution(), a_safety_annotation()]
)
def test_what_the_campaign_pins_counts(value: Json) -> None:
    assert found(value) == []


@pytest.mark.parametrize(
    ("value", "pointer"),
    [(by_judge(), "/reviewer"), (an_adjudication(), "/adjudicator"), (an_execution(), "/executor/name")],
)
def test_a_campaign_that_names_nobody_believes_nobody(value: Json, pointer: str) -> None:
    for context in (RuleContext(), RuleContext(rubrics=CAMPAIGN.rubrics)):
        assert ("unauthorized-evidence", pointer) in found(value, context)


def test_without_a_list_of_reviewers_every_person_is_one() -> None:
    assert found(a_review(reviewer="somebody"), RuleContext()) == []
    assert found(a_review(reviewer="somebody"), replace(CAMPAIGN, evidence=EvidenceTerms())) == []


def test_an_empty_list_of_reviewers_admits_none() -> None:
    context = RuleContext(evidence=EvidenceTerms(reviewers=frozenset()))
    assert found(a_review(), context) == [("unauthorized-evidence", "/reviewer")]


@pytest.mark.parametrize("value", [by_judge("x"), an_adjudication(adjudicator="x"), an_execution(task_id="x")])
def test_fixtures_are_judged_whoever_made_them(value: Json) -> None:
    assert found(value, NO_CAMPAIGN) == []


# rubrics, scores


@pytest.mark.parametrize("make", [a_review, an_adjudication])
def test_the_rubric_must_be_pinned(make: Callable[..., Json]) -> None:
    value = make(rubric_version="code-review-v0", scores={"no_criterion": 99}, task_id="t-1")
    message = "the campaign does not pin this rubric"
    assert findings(value) == (Finding("unknown-review-rubric", message, "/rubric_version"),)
    assert found(value, replace(CAMPAIGN, rubrics={})) == []


@pytest.mark.parametrize(
    ("score", "sound"), [(1, True), (5, True), (4.5, True), (5.0, True), (1.0000000000000002, True)]
)
def test_the_ends_of_the_scale_belong_to_it(score: float, sound: bool) -> None:
    assert (found(a_review(scores={"correctness": score, "readability": 1})) == []) is sound


@pytest.mark.parametrize(("score", "shown"), [(0, "0"), (5.000000000000001, "5.000000000000001"), (-1e300, "-1e+300")])
@pytest.mark.parametrize("make", [a_review, an_adjudication])
def test_scores_outside_the_scale(make: Callable[..., Json], score: float, shown: str) -> None:
    value = make(rubric_version=RUBRIC, scores={"correctness": score, "readability": 3})
    expected = Finding("score-out-of-scale", f"{shown} is outside the scale, 1 to 5", "/scores/correctness")
    assert findings(value) == (expected,)


# time


@pytest.mark.parametrize(("make", "member"), [(a_review, "reviewed_at"), (an_adjudication, "decided_at")])
def test_an_instant_in_utc(make: Callable[..., Json], member: str) -> None:
    assert found(make(**{member: "2026-08-03T12:00:00.5+00:00"})) == []
    message = f"{member} is not ISO 8601 in UTC, such as 2026-08-03T12:00:00Z"
    assert findings(make(**{member: "2026-08-03"})) == (Finding("timestamp", message, f"/{member}"),)


# what stays out of messages


def test_no_message_quotes_what_a_person_wrote() -> None:
    secret = "Mrs Example, 4 Harbour Road"
    wrong = {"rubric_version": secret, "reviewed_at": secret}
    claims = [{"text": secret, "material": True, "support": "unsupported"}] * 2
    bad = a_review(
        reviewer=secret, comment=secret, claims=claims, gates={"claim_support": True, "no_gate": True}, **wrong
    )
    decided = an_adjudication(reason=secret, adjudicator=secret, decided_at=secret, rubric_version=secret)
    safe = (
        a_safety_annotation(policy_version=secret),
        a_safety_annotation(request={"permitted": True, "exception": secret}),
    )
    said = [*findings(bad), *findings(decided), *(finding for value in safe for finding in findings(value))]
    assert len(said) == 11
    assert not any(secret[:8] in finding.message for finding in said)


# the table


def test_rows_and_rules() -> None:
    modules = (evidence, review, code_execution, safety_annotation)
    own: list[Code] = [code for module in modules for code in module.CODES]
    assert sorted(code.code for code in own) == [
        "contradictory-execution",
        "review-claims",
        "review-criteria",
        "review-gate",
        "safety-contradiction",
        "score-out-of-scale",
        "unauthorized-evidence",
        "unknown-review-rubric",
        "unknown-safety-policy",
    ]
    assert adjudication.CODES == ()
    assert {(code.stage, code.severity) for code in own} == {(Stage.RULES, Severity.REJECT)}
    reported = {code for rules in RULES_OF.values() for rule in rules for code in rule.codes}
    assert {code.code for code in reported - set(own)} == {"empty-text", "timestamp"}
    assert set(own) <= reported


@pytest.mark.parametrize("value", [a_review(), by_judge(), an_adjudication(), an_execution(), a_safety_annotation()])
def test_the_small_records_are_valid(value: Json, compiled: dict[str, Compiled]) -> None:
    assert check(value, compiled[value["schema_version"]], 9) == ()
    assert check(value | {"record_sha256": ELSE}, compiled[value["schema_version"]], 9) == ()
