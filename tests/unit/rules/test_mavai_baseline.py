"""Fixtures and real documents of mavai-baseline-1 through structure, rules and fingerprint; policies; bounds."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from baseline_records import DROP, GOLDEN, VERSION, baseline, changed, findings, found, latency

import schemas
from transforms.baselines.derived import derive
from transforms.reading import Read, read_document
from transforms.records import Finding, Line, Severity, Stage, Syntax
from transforms.rules import mavai_baseline
from transforms.rules.rule import RuleContext
from transforms.schema_check import check_schema
from transforms.structure import Compiled, check, compile_validator, declared_version
from transforms.terms import Action, Limits, Validator

FOLDER = schemas.schema_path("records", VERSION).parent
EXPECTED: dict[str, list[str]] = json.loads((FOLDER / "reject" / "index.json").read_text())
BAD: dict[str, list[str]] = json.loads((GOLDEN / "bad" / "index.json").read_text())
# Found while the text is read, before there is a record.
PARSING = {"duplicate-key", "multiple-documents"}


@pytest.fixture(scope="module", params=("jsonschema-rs", "jsonschema"))
def compiled(request: pytest.FixtureRequest) -> Compiled:
    return compile_validator(schemas.load_schema("records", VERSION), Validator(request.param))


def judged(read: Read, compiled: Compiled) -> list[str]:
    """The codes of stages 3 and 4."""
    version = declared_version(read.value, "schemaVersion", {VERSION})
    if isinstance(version, Finding):
        return [version.code]
    faults = check(read.value, compiled, 100)
    if not faults:
        fingerprint = derive(read, RuleContext())
        faults = (*findings(read.exact), *([fingerprint] if isinstance(fingerprint, Finding) else []))
    return [finding.code for finding in faults]


def judged_fixture(path: Path, compiled: Compiled) -> list[str]:
    data = path.read_bytes().rstrip(b"\n")
    read = read_document(Line(1, 0, len(data), data), Limits())
    if isinstance(read, Finding):
        return [read.code]
    return sorted(set(judged(read, compiled)))


def judged_document(path: Path, compiled: Compiled) -> list[str]:
    data = path.read_bytes()
    read = read_document(Line(1, 0, len(data), data, syntax=Syntax.YAML), Limits())
    assert isinstance(read, Read)
    return judged(read, compiled)


def test_the_schema_is_sound_and_names_itself() -> None:
    schema = schemas.load_schema("records", VERSION)
    assert check_schema(VERSION, schema) == ()
    assert schema["$id"] == f"urn:assay:schema:{VERSION}"


def test_the_index_lists_the_rejected_files() -> None:
    files = sorted(path.name for path in (FOLDER / "reject").iterdir())
    assert files == sorted([*EXPECTED, "index.json"])
    assert list(EXPECTED) == sorted(EXPECTED)


def test_every_code_that_refuses_has_a_fixture() -> None:
    refusing = {code.code for code in mavai_baseline.CODES if code.severity is Severity.REJECT}
    assert refusing - {code for codes in EXPECTED.values() for code in codes} == set()


@pytest.mark.parametrize("path", sorted((FOLDER / "accept").iterdir()), ids=lambda path: path.stem)
def test_accepted_fixtures(path: Path, compiled: Compiled) -> None:
    assert judged_fixture(path, compiled) == []


@pytest.mark.parametrize("name", EXPECTED)
def test_rejected_fixtures(name: str, compiled: Compiled) -> None:
    assert EXPECTED[name] == sorted(EXPECTED[name]) != []
    assert judged_fixture(FOLDER / "reject" / name, compiled) == EXPECTED[name]


@pytest.mark.parametrize("path", sorted((GOLDEN / "good").glob("*.yaml")), ids=lambda path: path.stem)
def test_documents_of_an_emitter_are_accepted(path: Path, compiled: Compiled) -> None:
    assert judged_document(path, compiled) == []


@pytest.mark.parametrize("name", [name for name, codes in BAD.items() if PARSING.isdisjoint(codes)])
def test_each_broken_document_has_one_finding(name: str, compiled: Compiled) -> None:
    assert judged_document(GOLDEN / "bad" / name, compiled) == BAD[name]


def test_the_index_of_broken_documents_is_complete() -> None:
    assert {path.name for path in (GOLDEN / "bad").glob("*.yaml")} == BAD.keys()


def test_the_record_that_other_tests_change_is_sound(compiled: Compiled) -> None:
    assert check(baseline(), compiled, 100) == ()
    assert found(baseline()) == []


def test_a_record_of_required_members_alone() -> None:
    value = baseline()
    for name in ("inputs", "latency", "expiration"):
        value = changed(value, name, DROP)
    assert found(changed(value, "criteria", "c", "standings", DROP)) == []


def test_members_of_later_emitters_are_no_faults() -> None:
    value = changed(baseline(), "criteria", "c", "note", {"trials": 99})
    assert found(value | {"views": {"json": {"outputSchemaFingerprint": "ab12"}}, "cost": {"totalTimeMs": -1}}) == []


def test_what_is_written_of_a_judgement_decides_nothing() -> None:
    judgement = {"state": "MET: 0.95 ≥ 0.9 ?", "stipulatedThreshold": 1, "confidence": 0.1}
    assert found(changed(baseline(), "criteria", "c", "normativeJudgement", judgement)) == []


def test_integers_may_be_written_as_floats() -> None:
    value = json.loads(json.dumps(baseline()), parse_int=float)
    assert found(value) == []


def test_numbers_may_be_decimals() -> None:
    value = json.loads(json.dumps(baseline()), parse_float=Decimal)
    assert found(value) == []
    assert found(json.loads(json.dumps(baseline()), parse_float=Decimal, parse_int=Decimal)) == []


def test_a_decimal_has_the_digits_of_its_literal() -> None:
    value = baseline()
    value["execution"].update(samplesPlanned=20_000, samplesExecuted=20_000)
    del value["criteria"]["seen"], value["latency"]
    value["criteria"]["c"].update(trials=20_000, successes=18_601)
    value["criteria"]["c"]["failureDistribution"][0]["count"] = 1_399
    value["criteria"]["c"]["wilsonLowerBound"] = 0.927025
    # 18601/20000 is 0.93005. As a float, 0.930000 is 0.93, which counts as 0.9300; no record is read so.
    assert found(changed(value, "criteria", "c", "observedPassRate", 0.930000)) == []
    exact = changed(value, "criteria", "c", "observedPassRate", Decimal("0.930000"))
    assert found(exact) == [("pass-rate", "/criteria/c/observedPassRate")]


@pytest.mark.parametrize(
    ("action", "severities"),
    [(Action.REJECT, [Severity.REJECT]), (Action.HOLD, [Severity.HOLD]), (Action.ALLOW, [])],
)
@pytest.mark.parametrize("code", ["percentile-value", "failure-input-unknown"])
def test_policies(code: str, action: Action, severities: list[Severity]) -> None:
    value = changed(baseline(), "latency", "p50Ms", 135)
    value = changed(value, "criteria", "c", "failureDistribution", 0, "inputIndex", 7)
    context = RuleContext(policies={code: action})
    assert [finding.severity for finding in findings(value, context) if finding.code == code] == severities
    # The policy for one code leaves the other rule's findings as they are.
    assert len(findings(value, context)) == 1 + len(severities)


def test_findings_of_a_rule_are_bounded() -> None:
    rows = [{"inputIndex": 0}] * 100
    value = changed(baseline(), "criteria", "c", "standings", "rows", rows)
    assert len(findings(value, RuleContext(Limits(max_findings_per_record=5)))) == 5


GATE, VALUE = "percentile-gate", "percentile-value"


@pytest.mark.parametrize("most", [1, 2, 32])
@pytest.mark.parametrize(
    ("action", "reported"),
    [
        (Action.ALLOW, [(VALUE, Severity.REJECT)]),
        (Action.HOLD, [(VALUE, Severity.REJECT), (GATE, Severity.HOLD), (GATE, Severity.HOLD)]),
        (Action.REJECT, [(GATE, Severity.REJECT), (VALUE, Severity.REJECT), (GATE, Severity.REJECT)]),
    ],
)
def test_a_finding_that_a_policy_softens_hides_no_other(
    action: Action, reported: list[tuple[str, Severity]], most: int
) -> None:
    """One rule has both codes, and finds: no p50, a wrong p90, a p95 over too few."""
    value = changed(baseline(), "criteria", "c", DROP)
    block = latency([*range(100, 110)], 10, p90Ms=999, p95Ms=1)
    value = changed(value, "latency", changed(block, "p50Ms", DROP))
    context = RuleContext(Limits(max_findings_per_record=most), policies={GATE: action})
    assert [(each.code, each.severity) for each in findings(value, context)] == reported[:most]


def test_an_allowed_code_lets_the_other_one_through() -> None:
    value = changed(baseline(), "latency", "sortedPassingLatenciesMs", [100, 90, 80, 70])
    context = RuleContext(Limits(max_findings_per_record=1), policies={"latency-length": Action.ALLOW})
    assert [finding.code for finding in findings(value, context)] == ["latency-order"]


def test_names_in_pointers_are_escaped() -> None:
    value = changed(baseline(), "criteria", {"a/b~c": changed(baseline()["criteria"]["c"], "observedPassRate", 0.9)})
    assert found(value) == [("pass-rate", "/criteria/a~1b~0c/observedPassRate")]


def test_the_rows() -> None:
    assert {code for rule in mavai_baseline.RULES for code in rule.codes} == set(mavai_baseline.CODES)
    assert {code.stage for code in mavai_baseline.CODES} == {Stage.RULES}
    assert [code.code for code in mavai_baseline.CODES] == [
        "execution-count",
        "inputs-index",
        "trials-not-executed",
        "successes-exceed-trials",
        "pass-rate",
        "wilson-bound",
        "procedure-on-observational",
        "failure-count",
        "delivery-with-reason",
        "failure-input-unknown",
        "standings-shape",
        "latency-order",
        "latency-length",
        "latency-population",
        "latency-without-pass",
        "percentile-gate",
        "percentile-value",
        "timestamp",
        "expiry-mismatch",
    ]
