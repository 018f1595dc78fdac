"""Clinical answers: beside their rubric they wait for three adjudications, each by somebody qualified for it."""

from __future__ import annotations

from pipeline.sample.acceptance.case import Case, Given
from pipeline.sample.acceptance.evidence import (
    ACCEPT,
    REJECT,
    SUPPORTED,
    adjudicated,
    claim,
    claiming,
    failed,
    panel,
    review,
)
from pipeline.sample.acceptance.rubrics import CLINICAL, CRITERIA
from pipeline.sample.acceptance.subjects import answer, cited
from pipeline.sample.acceptance.trusted import DOCTOR, LIBRARY, PRIVACY

_AGREED = panel("ann", "ben", **SUPPORTED)
_FALSE = claim("contradicted", factual=False)
_WAITING = ("clinical-evidence-missing",)
_PRIVATE, _SOURCED = adjudicated(PRIVACY, ACCEPT, "privacy"), adjudicated(LIBRARY, ACCEPT, "source")


def _scored(*scores: float) -> Given:
    """A clinical adjudication with a score for each criterion, in the rubric's order."""
    given = dict(zip(CRITERIA[CLINICAL], scores, strict=True))
    return adjudicated(DOCTOR, ACCEPT, "clinical", rubric_version=CLINICAL, scores=given)


_SOUND, _SAYS_YES = _scored(4, 4), adjudicated(DOCTOR, ACCEPT, "clinical")
_UNSCORED = (*_WAITING, "qualified-score-missing")
CLEARED: tuple[Given, ...] = (_SOUND, _PRIVATE, _SOURCED)
"""The three adjudications that a clinical answer waits for."""
CASES: tuple[Case, ...] = (
    Case("cleared", answer(cited, clinical=True), (*_AGREED, *CLEARED)),
    Case("not-cleared-at-all", answer(cited, clinical=True), _AGREED, _UNSCORED),
    Case("not-adjudicated", answer(cited, clinical=True), (*_AGREED, _PRIVATE, _SOURCED), _UNSCORED),
    Case(
        "scored-by-reviewers-alone",
        answer(cited, clinical=True),
        (*_AGREED, _SAYS_YES, _PRIVATE, _SOURCED),
        ("qualified-score-missing",),
    ),
    Case(
        "scores-of-reviewers-do-not-weigh",
        answer(cited, clinical=True),
        (*(review(name, ACCEPT, 1, 1, **SUPPORTED) for name in ("ann", "ben")), *CLEARED),
    ),
    Case(
        "clinical-under-a-general-rubric",
        answer(cited, clinical=True, general=True),
        (*_AGREED, _SAYS_YES, _PRIVATE, _SOURCED),
        ("clinical-criteria-missing",),
    ),
    Case(
        "clinical-relabelled",
        answer(cited, clinical=True, general=True, relabelled=True),
        (),
        ("domain-mismatch",),
    ),
    Case("privacy-not-reviewed", answer(cited, clinical=True), (*_AGREED, _SOUND, _SOURCED), _WAITING),
    Case("source-not-authorised", answer(cited, clinical=True), (*_AGREED, _SOUND, _PRIVATE), _WAITING),
    Case(
        "privacy-refused",
        answer(cited, clinical=True),
        (*_AGREED, _SOUND, _SOURCED, adjudicated(PRIVACY, REJECT, "privacy")),
        _WAITING,
    ),
    Case(
        "adjudicated-by-the-unqualified",
        answer(cited, clinical=True),
        (*_AGREED, _PRIVATE, _SOURCED, adjudicated(LIBRARY, ACCEPT, "clinical", codes=("unauthorized-evidence",))),
        _UNSCORED,
    ),
    Case(
        "clinical-claim-contradicted",
        answer(cited, clinical=True),
        claiming([_FALSE], [_FALSE]),
        (*_WAITING, *failed("claim_support")),
    ),
    Case(
        "not-for-this-patient",
        answer(cited, clinical=True),
        (*_AGREED, _scored(5, 3.5), _PRIVATE, _SOURCED),
        ("criterion-below-minimum/patient_applicability",),
    ),
    Case(
        "clinical-one-to-one",
        answer(cited, clinical=True),
        (review("ann", **SUPPORTED), review("ben", REJECT, **SUPPORTED), *CLEARED),
        ("review-disagreement",),
    ),
)
