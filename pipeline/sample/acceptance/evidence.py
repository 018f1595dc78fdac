"""Evidence on an annotation: reviews by people and judges, adjudications, executions of tests.

`changes` are members that differ from those of sound evidence, and `codes` what the evidence must get for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.sample.acceptance import trusted
from pipeline.sample.acceptance.case import Given, Row, Subject
from pipeline.sample.acceptance.rubrics import CRITERIA
from pipeline.sample.pairwise import Record

ACCEPT, REJECT = "accept", "reject"
_GOOD = 4

Codes = tuple[str, ...]


def review(reviewer: str, vote: str = ACCEPT, *scores: float, codes: Codes = (), **changes: Any) -> Given:
    """A review with a score for each criterion, in the rubric's order; without any all are 4."""

    def give(subject: Subject) -> Row:
        criteria = CRITERIA[subject.rubric]
        value = {
            "schema_version": "review-v1",
            **subject.names,
            "reviewer": reviewer,
            "rubric_version": subject.rubric,
            "vote": vote,
            "scores": dict(zip(criteria, scores or [_GOOD] * len(criteria), strict=True)),
            "reviewed_at": "2026-08-03T12:00:00Z",
        }
        return Row("reviews", value | changes, codes)

    return give


def judged(name: str, vote: str = ACCEPT, *scores: float, codes: Codes = (), **changes: Any) -> Given:
    """A review by a judge; `changes` of `judge` are merged into what the campaign pins."""
    pinned = trusted.judge(name) | changes.pop("judge", {})
    return review(name, vote, *scores, codes=codes, judge=pinned, **changes)


def panel(*reviewers: str, **changes: Any) -> tuple[Given, ...]:
    """Reviews that all accept, with good scores."""
    return tuple(review(reviewer, **changes) for reviewer in reviewers)


def adjudicated(
    by: str, decision: str = ACCEPT, subject: str = "acceptance", *, codes: Codes = (), **changes: Any
) -> Given:
    """An adjudication of one subject."""
    value = {
        "schema_version": "adjudication-v1",
        "adjudicator": by,
        "subject": subject,
        "decision": decision,
        "reason": "Read side by side with all that was handed in.",
        "decided_at": "2026-08-04T09:30:00Z",
    }
    return lambda about: Row("adjudications", value | about.names | changes, codes)


def tested(of: int = 0, *, codes: Codes = (), **changes: Any) -> Given:
    """An execution of the task's tests over the judged text number `of`; without changes all passed."""

    def give(subject: Subject) -> Row:
        value: Record = {
            "schema_version": "code-execution-v1",
            **subject.names,
            "code_sha256": subject.programs[of],
            **trusted.execution(),
            "test_suite": trusted.suite(subject.value["task_id"]),
            "exit_status": 0,
            "timed_out": False,
            "tests": {"passed": 12, "failed": [], "errors": 0},
        }
        return Row("code-executions", value | changes, codes)

    return give


def failing(*names: str, passed: int = 12) -> Record:
    """The members of an execution in which the named tests failed."""
    return {"exit_status": 1, "tests": {"passed": passed, "failed": list(names), "errors": 0}}


def claim(support: str = "supported", *, material: bool = True, factual: bool | None = None) -> Record:
    """A claim of an answer as a reviewer judges it."""
    kind = "material" if material else "incidental"
    said: Record = {"text": f"A {kind} claim that is {support}.", "material": material, "support": support}
    return said if factual is None else said | {"factual": factual}


SUPPORTED: Record = {"claims": [claim(factual=True)]}
CHECKED: Record = {"gates": {"steps_checked": True}}
"""What sound reviews of answers and of derivations say beside scores and vote."""
_SPEAKERS = ("ann", "ben", "cho")


def claiming(*of_each: Sequence[Record]) -> tuple[Given, ...]:
    """Reviews that accept, each with claims of its own."""
    pairs = zip(_SPEAKERS, of_each, strict=False)
    return tuple(review(name, claims=list(claims)) for name, claims in pairs)


def saying(gate: str, *answers: bool, **changes: Any) -> tuple[Given, ...]:
    """Reviews that accept, each with its word on a gate."""
    pairs = zip(_SPEAKERS, answers, strict=False)
    return tuple(review(name, gates={gate: yes}, **changes) for name, yes in pairs)


MISSING: Codes = ("gate-evidence-missing",)
"""The code of gates that nothing answers."""


def failed(*gates: str) -> Codes:
    """The codes of gates that fail."""
    return tuple(f"gate-failed/{gate}" for gate in gates)
