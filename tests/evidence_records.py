"""The smallest sound record of each kind of evidence, and a campaign that pins who may give it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from transforms.acceptance.values import Criterion, EvidenceTerms, Executor, Gate, Judge, Rubric, Suite
from transforms.records import Finding, Json
from transforms.rules import adjudication, code_execution, review, safety_annotation
from transforms.rules.rule import Rule, RuleContext, apply

RECORD, CODE, CONFIGURATION, SUITE, PROMPT, PARAMETERS = (pair * 32 for pair in ("0a", "1b", "2c", "3d", "4e", "5f"))
ELSE = "9" * 64
RUBRIC, GROUNDED = "code-review-v1", "grounded-answers-v1"
RULES_OF: dict[str, tuple[Rule, ...]] = {
    "review-v1": review.RULES,
    "adjudication-v1": adjudication.RULES,
    "code-execution-v1": code_execution.RULES,
    "safety-annotation-v1": safety_annotation.RULES,
}
# As fixtures are judged.
NO_CAMPAIGN = RuleContext(evidence=EvidenceTerms(anyone=True))


def rubric(version: str, *criteria: str, gates: tuple[str, ...] = ()) -> Rubric:
    """Scores from 1 to 5, the first criterion weighs all."""
    weighed = tuple(Criterion(name, Decimal(name == criteria[0]), Decimal(1)) for name in criteria)
    named = tuple(Gate(name, True) for name in gates)
    return Rubric(version, Decimal(1), Decimal(5), weighed, Decimal(4), named)


TERMS = EvidenceTerms(
    reviewers=frozenset({"ann-1", "ann-3"}),
    adjudicators={"lead-1": frozenset(), "dr-lee": frozenset({"clinical", "privacy"})},
    judges={
        "judge-a": Judge("model-2", PROMPT, PARAMETERS),
        "judge-b": Judge("model-2", PROMPT, PARAMETERS, counts_as_independent=True),
    },
    executors={"sandbox-1": Executor("1.4.0", CONFIGURATION, "CPython 3.11.9", 60)},
    suites={"t-1": Suite(SUITE, "sponsor"), "t-2": Suite(SUITE, "generated")},
    safety_policies={"assistant-v1": frozenset({"news-reporting"})},
)
CAMPAIGN = RuleContext(
    rubrics={
        RUBRIC: rubric(RUBRIC, "correctness", "readability", gates=("syntax_valid", "required_tests_pass")),
        GROUNDED: rubric(GROUNDED, "correctness", gates=("claim_support", "quote_alignment")),
    },
    evidence=TERMS,
)


def a_review(**changes: Any) -> Json:
    return {
        "schema_version": "review-v1",
        "task_id": "t-1",
        "record_sha256": RECORD,
        "reviewer": "ann-3",
        "rubric_version": RUBRIC,
        "vote": "accept",
        "scores": {"correctness": 5, "readability": 3},
        "reviewed_at": "2026-08-03T12:00:00Z",
    } | changes


def by_judge(name: str = "judge-a", **changes: Any) -> Json:
    """An automatic review."""
    judge = {"model": "model-2", "prompt_sha256": PROMPT, "parameters_sha256": PARAMETERS}
    return a_review(reviewer=name, judge=judge | changes)


def grounded(**changes: Any) -> Json:
    """A review under a rubric whose gates a reviewer can answer."""
    return a_review(rubric_version=GROUNDED, scores={"correctness": 4}, **changes)


def claim(text: str = "High tide is at 06:40.", **changes: Any) -> Json:
    return {"text": text, "material": True, "support": "supported"} | changes


def an_adjudication(**changes: Any) -> Json:
    return {
        "schema_version": "adjudication-v1",
        "task_id": "t-1",
        "record_sha256": RECORD,
        "adjudicator": "dr-lee",
        "subject": "clinical",
        "decision": "accept",
        "reason": "Sound evidence.",
        "decided_at": "2026-08-04T09:30:00Z",
    } | changes


def an_execution(**changes: Any) -> Json:
    return {
        "schema_version": "code-execution-v1",
        "task_id": "t-1",
        "record_sha256": RECORD,
        "code_sha256": CODE,
        "executor": {"name": "sandbox-1", "version": "1.4.0", "configuration_sha256": CONFIGURATION},
        "interpreter": "CPython 3.11.9",
        "dependencies": {},
        "test_suite": {"sha256": SUITE, "origin": "sponsor"},
        "limits": {
            "timeout_seconds": 60,
            "cpu_seconds": 60,
            "memory_bytes": 1 << 29,
            "processes": 16,
            "file_bytes": 1 << 24,
            "output_bytes": 1 << 20,
        },
        "exit_status": 0,
        "timed_out": False,
        "tests": {"passed": 12, "failed": [], "errors": 0},
    } | changes


def a_safety_annotation(**changes: Any) -> Json:
    return {
        "schema_version": "safety-annotation-v1",
        "task_id": "t-1",
        "record_sha256": RECORD,
        "annotator": "ann-3",
        "policy_version": "assistant-v1",
        "classifier": {"name": "screen-2", "version": "2.1.0", "label": "harmful", "score": 0.91},
        "contextual_adjudication": {"by": "ctx-1", "reason": "It is quoted."},
        "request": {"permitted": True},
        "response": {"refused": False},
    } | changes


def found(value: Json, context: RuleContext = CAMPAIGN) -> list[tuple[str, str]]:
    """(code, pointer) of what the rules of its kind say of a record."""
    return [(finding.code, finding.pointer) for finding in findings(value, context)]


def findings(value: Json, context: RuleContext = CAMPAIGN) -> tuple[Finding, ...]:
    return apply(RULES_OF[value["schema_version"]], value, context)
