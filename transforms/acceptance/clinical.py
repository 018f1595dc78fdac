"""Clinical records: what must be there before one can be accepted. The label alone never suffices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from transforms.acceptance.values import Decision, Evidence, EvidenceTerms, Rubric, Vote
from transforms.records import Code, Finding, Json, Severity, Stage, outcome_of
from transforms.rules.grounded_qa import CLINICAL_EVIDENCE_MISSING

CLINICAL_CRITERIA_MISSING = Code(
    "clinical-criteria-missing",
    Stage.ACCEPTANCE,
    Severity.HOLD,
    "A clinical record is judged by a rubric that does not score the quality of the evidence and its applicability to "
    "the patient as two criteria that qualified adjudicators decide.",
    '"domain": "clinical_qa" in a stream whose rubric has no criterion with "qualification": "clinical"',
    "Bind clinical records to a rubric, under a version of its own, in which at least two criteria have the "
    'qualification "clinical".',
)
CODES = (CLINICAL_CRITERIA_MISSING,)

# The subjects of adjudications that are needed, in words.
_NEEDED = {
    "clinical": "qualified adjudication",
    "privacy": "privacy review",
    "source": "authorised source evidence",
}
QUALIFICATIONS = frozenset(_NEEDED)
"""What adjudicators must be qualified for, all of them together, before a clinical record can be accepted."""
_CLINICAL = "clinical"
# Evidence quality and applicability to the patient (contract, section 6); what a rubric calls them is its own choice.
_CRITERIA = 2


def clinical_findings(value: Json, rubric: Rubric, evidence: Evidence) -> Iterator[Finding]:
    """What a valid grounded-qa-v1 record still waits for, nothing where it is not clinical.

    Three adjudications, each of its subject by somebody qualified for it who says yes, where none says no; and a rubric
    whose criteria qualified adjudicators decide.
    """
    if value["domain"] != "clinical_qa":
        return
    lacking = [words for subject, words in _NEEDED.items() if not _granted(subject, evidence)]
    if lacking:
        message = f"a clinical record waits for {', '.join(lacking)}"
        yield Finding(CLINICAL_EVIDENCE_MISSING.code, message, "/domain", severity=Severity.HOLD)
    if gap := clinical_gap(rubric):
        yield Finding(CLINICAL_CRITERIA_MISSING.code, gap, "/domain", severity=Severity.HOLD)


def waiting(decision: Decision, found: Iterable[Finding]) -> Decision:
    """The decision with what its record waits for on top of it."""
    findings = (*decision.findings, *found)
    return replace(decision, outcome=outcome_of(findings), findings=findings)


def clinical_gap(rubric: Rubric) -> str | None:
    """Why no clinical record can be accepted under a rubric, None where one can."""
    count = sum(criterion.qualification == _CLINICAL for criterion in rubric.criteria)
    if count >= _CRITERIA:
        return None
    return f"criteria of rubric {rubric.version} with the qualification clinical: {count}, needed: {_CRITERIA}"


def lacking_qualifications(rubric: Rubric, terms: EvidenceTerms) -> tuple[str, ...]:
    """The qualifications that a rubric asks for and no adjudicator of the campaign has: all can only be held."""
    wanted = dict.fromkeys(one.qualification for one in rubric.criteria if one.qualification)
    there = frozenset[str]().union(*terms.adjudicators.values())
    return tuple(qualification for qualification in wanted if qualification not in there)


def _granted(subject: str, evidence: Evidence) -> bool:
    votes = {one.vote for one in evidence.adjudications if one.subject == subject}
    return votes == {Vote.ACCEPT}
