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
from pipeline.sample.acceptance.subjects import answer, cited
from pipeline.sample.acceptance.trusted import DOCTOR, LIBRARY, PRIVACY

_AGREED = panel("ann", "ben", **SUPPORTED)
_FALSE = claim("contradicted", factual=False)
_WAITING = ("clinical-evidence-missing",)
_PRIVATE, _SOURCED = adjudicated(PRIVACY, ACCEPT, "privacy"), adjudicated(LIBRARY, ACCEPT, "source")
_SOUND = adjudicated(DOCTOR, ACCEPT, "clinical")
CLEARED: tuple[Given, ...] = (_SOUND, _PRIVATE, _SOURCED)
"""The three adjudications that a clinical answer waits for."""
CASES: tuple[Case, ...] = (
    Case("cleared", answer(cited, clinical=True), (*_AGREED, *CLEARED)),
    Case("not-cleared-at-all", answer(cited, clinical=True), _AGREED, _WAITING),
    Case("not-adjudicated", answer(cited, clinical=True), (*_AGREED, _PRIVATE, _SOURCED), _WAITING),
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
        _WAITING,
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
        (*(review(name, ACCEPT, 5, 3.5, **SUPPORTED) for name in ("ann", "ben")), *CLEARED),
        ("criterion-below-minimum/patient_applicability",),
    ),
    Case(
        "clinical-one-to-one",
        answer(cited, clinical=True),
        (review("ann", **SUPPORTED), review("ben", REJECT, **SUPPORTED), *CLEARED),
        ("review-disagreement",),
    ),
)
