"""Clinical records: what must be there before one can be accepted. The label alone never suffices."""

from __future__ import annotations

from transforms.acceptance.values import Evidence, Vote
from transforms.records import Finding, Json, Severity
from transforms.rules.grounded_qa import CLINICAL_EVIDENCE_MISSING

# The subjects of adjudications that are needed, in words.
_NEEDED = {
    "clinical": "qualified adjudication",
    "privacy": "privacy review",
    "source": "authorised source evidence",
}


def clinical_finding(value: Json, evidence: Evidence) -> Finding | None:
    """What a valid grounded-qa-v1 record still waits for, None where nothing or where it is not clinical.

    Each of the three is an adjudication of its subject by somebody qualified for it who says yes, and none says no.
    """
    if value["domain"] != "clinical_qa":
        return None
    lacking = [words for subject, words in _NEEDED.items() if not _granted(subject, evidence)]
    if not lacking:
        return None
    message = f"a clinical record waits for {', '.join(lacking)}"
    return Finding(CLINICAL_EVIDENCE_MISSING.code, message, "/domain", severity=Severity.HOLD)


def _granted(subject: str, evidence: Evidence) -> bool:
    votes = {one.vote for one in evidence.adjudications if one.subject == subject}
    return votes == {Vote.ACCEPT}
