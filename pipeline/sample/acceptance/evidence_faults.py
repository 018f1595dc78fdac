"""Evidence that must be refused. It counts for nothing, so what it is about is decided as if it were not there."""

from __future__ import annotations

from typing import Any

from pipeline.sample.acceptance import trusted
from pipeline.sample.acceptance.case import Case, Given
from pipeline.sample.acceptance.evidence import (
    ACCEPT,
    MISSING,
    REJECT,
    SUPPORTED,
    adjudicated,
    claim,
    failing,
    judged,
    panel,
    review,
    tested,
)
from pipeline.sample.acceptance.rubrics import CODE, CRITERIA, STYLE
from pipeline.sample.acceptance.subjects import answer, cited, pair
from pipeline.sample.acceptance.trusted import COUNTED, DOCTOR, LEAD, SCREEN

UNPINNED = "no-tests-are-pinned"
"""The task without tests of its own in the pinned document."""

_ELSE = "9" * 64
_LOCAL = "2026-08-03T12:00:00+02:00"
_UNAUTHORIZED, _UNKNOWN_RECORD = ("unauthorized-evidence",), ("review-of-unknown-record",)
_CRITERIA, _SCALE, _CONTRADICTORY = ("review-criteria",), ("score-out-of-scale",), ("contradictory-execution",)
_SOUND = (*panel("ann", "ben", "cho"), tested())
_GRADED = {"rubric_version": CODE}


def _rejecting(*codes: str, **changes: Any) -> Given:
    """A review that would be dissent, if it counted."""
    return review("eve", REJECT, codes=codes, **changes)


def _scores(**changes: float) -> dict[str, float]:
    return dict.fromkeys(CRITERIA[CODE], 4) | changes


_REVIEWS = (
    review("zed", REJECT, codes=_UNAUTHORIZED),
    review(COUNTED, REJECT, codes=_UNAUTHORIZED),
    judged("nobody", REJECT, codes=_UNAUTHORIZED),
    *(
        judged(COUNTED, REJECT, judge={member: other}, codes=_UNAUTHORIZED)
        for member, other in (("model", "newer"), ("prompt_sha256", _ELSE), ("parameters_sha256", _ELSE))
    ),
    _rejecting("unknown-review-rubric", rubric_version="code-review-v0"),
    _rejecting("review-of-other-rubric", rubric_version=STYLE, scores={"readability": 1, "naming": 1}),
    _rejecting(*_CRITERIA, scores={"correctness": 1, "readability": 1, "reasoning_evidence": 1}),
    _rejecting(*_CRITERIA, scores=_scores(charm=5)),
    _rejecting(*_SCALE, scores=_scores(correctness=9)),
    _rejecting(*_SCALE, scores=_scores(correctness=0.5)),
    _rejecting("review-gate", gates={"required_tests_pass": False}),
    _rejecting("review-gate", gates={"claim_support": False}),
    _rejecting("timestamp", reviewed_at=_LOCAL),
    _rejecting("empty-text", comment="\u200b \u00a0"),
    _rejecting(*_UNKNOWN_RECORD, record_sha256=_ELSE),
    review("dan", REJECT, task_id="accepted-with-dissent", codes=_UNKNOWN_RECORD),
    review("ann", REJECT, 1, 1, 1, 1, codes=("duplicate-review",)),
    review("ben", codes=("duplicate-record", "duplicate-review")),
)
_CLAIMS = (
    review("cho", REJECT, claims=[claim(), claim() | {"material": False}], codes=("review-claims",)),
    review("cho", REJECT, claims=[claim("unsupported")], gates={"claim_support": True}, codes=("review-claims",)),
)
_ADJUDICATIONS = (
    adjudicated("zed", codes=_UNAUTHORIZED),
    adjudicated(LEAD, subject="clinical", codes=_UNAUTHORIZED),
    adjudicated(DOCTOR, subject="source", codes=_UNAUTHORIZED),
    adjudicated(LEAD, rubric_version="code-review-v0", codes=("unknown-review-rubric",)),
    adjudicated(LEAD, rubric_version=STYLE, codes=("review-of-other-rubric",)),
    adjudicated(LEAD, scores={"charm": 5}, **_GRADED, codes=_CRITERIA),
    adjudicated(LEAD, scores={"correctness": 6}, **_GRADED, codes=_SCALE),
    adjudicated(LEAD, decided_at=_LOCAL, codes=("timestamp",)),
    adjudicated(LEAD, reason="…", codes=("empty-text",)),
    adjudicated(LEAD, record_sha256=_ELSE, codes=_UNKNOWN_RECORD),
)


def _executor(**changes: str) -> dict[str, Any]:
    return {"executor": trusted.execution()["executor"] | changes}


_FAILING = failing("test_order")
_EXECUTIONS = (
    *(
        tested(**_executor(**change), **_FAILING, codes=_UNAUTHORIZED)
        for change in ({"name": "laptop"}, {"version": "2.3.2"}, {"configuration_sha256": _ELSE})
    ),
    tested(interpreter="CPython 3.12.1", **_FAILING, codes=_UNAUTHORIZED),
    tested(limits=trusted.execution()["limits"] | {"timeout_seconds": 600}, **_FAILING, codes=_UNAUTHORIZED),
    tested(test_suite={"sha256": _ELSE, "origin": "sponsor"}, **_FAILING, codes=_UNAUTHORIZED),
    tested(test_suite=trusted.suite("refused-executions") | {"origin": "generated"}, **_FAILING, codes=_UNAUTHORIZED),
    tested(timed_out=True, codes=_CONTRADICTORY),
    tested(**_FAILING | {"exit_status": 0}, codes=_CONTRADICTORY),
    tested(tests={"passed": 0, "failed": [], "errors": 0}, codes=_CONTRADICTORY),
    tested(coverage={"value": 0.9, "unit": "branches", "scope": " "}, **_FAILING, codes=("empty-text",)),
    tested(record_sha256=_ELSE, **_FAILING, codes=_UNKNOWN_RECORD),
)
_DISAGREEING = (review("ann"), review("ben", REJECT), review("cho", REJECT), tested())

CASES: tuple[Case, ...] = (
    Case("refused-reviews", pair(), (*_SOUND, *_REVIEWS)),
    Case("refused-claims", answer(cited), (*panel("ann", "ben", **SUPPORTED), *_CLAIMS)),
    Case("refused-adjudications", pair(), (*_DISAGREEING, *_ADJUDICATIONS), ("review-disagreement",)),
    Case("refused-executions", pair(), (*_SOUND, *_EXECUTIONS)),
    Case(
        UNPINNED,
        pair(),
        (*panel("ann", "ben", "cho"), tested(codes=_UNAUTHORIZED)),
        MISSING,
    ),
    # A judge in its pinned form beside the forms that are refused.
    Case("refused-judges", pair(), (*_SOUND, judged(SCREEN, ACCEPT, judge={"model": COUNTED}, codes=_UNAUTHORIZED))),
)
