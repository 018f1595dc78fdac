"""Criteria that only qualified adjudicators decide, and what a clinical record waits for."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from evidence_values import CODE, N, Y, adjudication, review, reviews

from transforms.acceptance.clinical import CODES, clinical_findings, clinical_gap, lacking_qualifications
from transforms.acceptance.decision import decide
from transforms.acceptance.values import Adjudication, Criterion, Decision, Evidence, EvidenceTerms, Review, Rubric
from transforms.records import Finding, Outcome, Severity

BOTH = (
    Criterion("evidence_quality", Decimal("0.5"), Decimal(3), "clinical"),
    Criterion("patient_applicability", Decimal("0.5"), Decimal(4), "clinical"),
)
CLINICAL = replace(CODE, version="clinical-v1", criteria=BOTH, gates=())
MIXED = replace(CLINICAL, criteria=(BOTH[0], replace(BOTH[1], id="clarity", qualification=None)))
GENERAL = replace(CLINICAL, criteria=tuple(replace(one, qualification=None) for one in BOTH))


def by(name: str, *scores: str, subject: str = "clinical") -> Adjudication:
    return adjudication(
        name, Y, subject, **dict(zip(("evidence_quality", "patient_applicability"), scores, strict=False))
    )


def decided(
    *words: Adjudication, rubric: Rubric = CLINICAL, given: tuple[Review, ...] = reviews("yyy", "")
) -> Decision:
    return decide(rubric, (), Evidence(given, words))


def aggregates(decision: Decision) -> list[tuple[str, ...]]:
    return [tuple(map(str, (*result.scores, result.aggregate))) for result in decision.criteria]


def test_only_scores_of_the_qualified_weigh() -> None:
    low = tuple(review(f"r{at}", Y, {"evidence_quality": "1", "patient_applicability": "1"}) for at in range(3))
    decision = decided(by("dr-a", "4", "4.5"), given=low)
    assert (decision.outcome, decision.weighted) == (Outcome.ACCEPTED, Decimal("4.25"))
    assert aggregates(decision) == [("4", "4"), ("4.5", "4.5")]
    assert decision.accepting == ("r0", "r1", "r2")


def test_of_several_the_median_and_of_one_adjudicator_the_first_that_scores() -> None:
    words = (by("dr-a"), by("dr-a", "3", "5"), by("dr-b", "4", "4"), by("dr-a", "5", "1"))
    assert aggregates(decided(*words)) == [("3", "4", "3.5"), ("5", "4", "4.5")]


def test_low_scores_of_the_qualified_reject() -> None:
    decision = decided(by("dr-a", "5", "3.5"))
    assert [finding.code for finding in decision.findings] == ["criterion-below-minimum/patient_applicability"]


@pytest.mark.parametrize(
    ("words", "lacking"),
    [
        ((), ("evidence_quality", "patient_applicability")),
        ((by("dr-a"),), ("evidence_quality", "patient_applicability")),
        ((by("dr-a", "5"),), ("patient_applicability",)),
        ((by("desk", "5", "5", subject="privacy"),), ("evidence_quality", "patient_applicability")),
        ((by("lead", "5", "5", subject="acceptance"),), ("evidence_quality", "patient_applicability")),
    ],
)
def test_without_such_a_score_the_record_is_held(words: tuple[Adjudication, ...], lacking: tuple[str, ...]) -> None:
    decision = decided(*words)
    message = "no adjudicator qualified for clinical has scored {}"
    assert decision.findings == tuple(
        Finding("qualified-score-missing", message.format(name), severity=Severity.HOLD) for name in lacking
    )
    assert (decision.outcome, decision.criteria, decision.weighted) == (Outcome.HELD, (), None)


def test_it_is_reported_beside_reviews_that_are_missing() -> None:
    decision = decided(given=reviews("y", ""))
    codes = ["review-incomplete", "qualified-score-missing", "qualified-score-missing"]
    assert [finding.code for finding in decision.findings] == codes


def test_reviewers_score_the_other_criteria() -> None:
    given = tuple(review(f"r{at}", Y, {"clarity": score}) for at, score in enumerate(("4", "5", "4")))
    decision = decided(by("dr-a", "5", "1"), rubric=MIXED, given=given)
    assert aggregates(decision) == [("5", "5"), ("4", "5", "4", "4")]
    unscored = decided(by("dr-a", "5"), rubric=MIXED)
    assert [finding.code for finding in unscored.findings] == ["review-incomplete"]


def test_what_a_clinical_record_waits_for() -> None:
    said = Evidence((), (by("dr-a"), adjudication("desk", N, "privacy")))
    found = list(clinical_findings({"domain": "clinical_qa"}, GENERAL, said))
    assert [(finding.code, finding.message, finding.pointer) for finding in found] == [
        (
            "clinical-evidence-missing",
            "a clinical record waits for privacy review, authorised source evidence",
            "/domain",
        ),
        ("clinical-criteria-missing", clinical_gap(GENERAL), "/domain"),
    ]
    assert {finding.severity for finding in found} == {Severity.HOLD}
    assert list(clinical_findings({"domain": "general_rag"}, GENERAL, Evidence())) == []
    granted = Evidence((), tuple(adjudication("a", Y, subject) for subject in ("clinical", "privacy", "source")))
    assert list(clinical_findings({"domain": "clinical_qa"}, CLINICAL, granted)) == []


@pytest.mark.parametrize(("rubric", "count"), [(CLINICAL, None), (MIXED, 1), (GENERAL, 0), (CODE, 0)])
def test_rubrics_under_which_no_clinical_record_is_accepted(rubric: Rubric, count: int | None) -> None:
    said = f"criteria of rubric {rubric.version} with the qualification clinical: {count}, needed: 2"
    assert clinical_gap(rubric) == (None if count is None else said)


def test_qualifications_that_nobody_has() -> None:
    source = replace(BOTH[0], id="sources", qualification="source")
    rubric = replace(CLINICAL, criteria=(source, *BOTH))
    named = EvidenceTerms(adjudicators={"a": frozenset({"clinical"}), "b": frozenset({"privacy"})})
    assert lacking_qualifications(rubric, named) == ("source",)
    assert lacking_qualifications(rubric, EvidenceTerms()) == ("source", "clinical")
    assert lacking_qualifications(CODE, EvidenceTerms()) == ()


def test_the_code() -> None:
    assert [code.code for code in CODES] == ["clinical-criteria-missing"]
