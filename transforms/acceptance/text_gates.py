"""Evaluators of the gates for answers in words: what the joins found, and what reviewers say.

A gate that reviewers answer passes where all independent reviews that speak of it say yes, and fails where more than
half say no. In between it is disputed, and so not answered: the record is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from transforms.acceptance.decision import independent
from transforms.acceptance.values import Answer, Gate, GateAnswer, GateSubject, Review
from transforms.answers.verdict import (
    ANSWER_CHECK_TIMEOUT,
    NUMERIC_ANSWER_MISMATCH,
    SYMBOLIC_ANSWER_MISMATCH,
    UNIT_MISMATCH,
    UNPARSABLE_ANSWER,
)
from transforms.citations.quotes import QUOTE_MISMATCH, SPAN_OUT_OF_BOUNDS, UNKNOWN_DOCUMENT
from transforms.records import Code, Finding
from transforms.rules.document import DOCUMENT_DIGEST_MISMATCH

DOCUMENTS, EXPECTED_ANSWER = "documents", "expected-answer"

_ABSENT = (UNKNOWN_DOCUMENT, DOCUMENT_DIGEST_MISMATCH)
_MISQUOTED = (SPAN_OUT_OF_BOUNDS, QUOTE_MISMATCH)
_WRONG = (NUMERIC_ANSWER_MISMATCH, UNIT_MISMATCH, SYMBOLIC_ANSWER_MISMATCH, UNPARSABLE_ANSWER)


def source_integrity(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether each cited document was there in the version cited. An answer that cites none has no source to fail it.

    A campaign may let such findings stand as warnings; the gate goes by them all the same.
    """
    if found := _among(subject.findings, _ABSENT):
        return GateAnswer(gate.name, Answer.FAIL, found)
    return _checked_citations(subject, gate, "every cited document is there in the cited version")


def quote_alignment(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether each quotation stands at its span; not answered for one whose document is not there to look in."""
    if found := _among(subject.findings, _MISQUOTED):
        return GateAnswer(gate.name, Answer.FAIL, found)
    if found := _among(subject.findings, _ABSENT):
        return GateAnswer(gate.name, Answer.MISSING, f"not every quotation could be looked up: {found}")
    return _checked_citations(subject, gate, "every quotation stands at its span")


def claim_support(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether the cited evidence supports every material claim, as reviews judge their claims or say of the gate.

    An answer that abstains, and of which no review names a claim, has none.
    """
    reviews = independent(subject.evidence.reviews)
    spoken = [(review, says) for review in reviews if (says := _supports(review, gate.name)) is not None]
    if subject.value["abstain"] and reviews and not spoken:
        return GateAnswer(gate.name, Answer.PASS, "the answer abstains, and no review names a claim of it")
    return _spoken(gate.name, spoken)


def justified_abstention(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether an answer that abstains is right to."""
    if not subject.value["abstain"]:
        return GateAnswer(gate.name, Answer.PASS, "the answer does not abstain")
    return said_of(gate.name, subject.evidence.reviews)


def answer_matches(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether the final answer is the one that the task expects."""
    if found := _among(subject.findings, _WRONG):
        return GateAnswer(gate.name, Answer.FAIL, found)
    if found := _among(subject.findings, (ANSWER_CHECK_TIMEOUT,)):
        return GateAnswer(gate.name, Answer.MISSING, f"not decided: {found}")
    if EXPECTED_ANSWER not in subject.facts:
        return GateAnswer(gate.name, Answer.MISSING, "there is no expected answer to compare the final answer with")
    return GateAnswer(gate.name, Answer.PASS, "the final answer is the one that the task expects")


def steps_checked(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether reviewers found the steps to hold."""
    return said_of(gate.name, subject.evidence.reviews)


EVALUATORS: Mapping[str, Callable[[GateSubject, Gate], GateAnswer]] = MappingProxyType(
    {
        "source_integrity": source_integrity,
        "quote_alignment": quote_alignment,
        "claim_support": claim_support,
        "justified_abstention": justified_abstention,
        "answer_matches": answer_matches,
        "steps_checked": steps_checked,
    }
)


def said_of(gate: str, reviews: Sequence[Review]) -> GateAnswer:
    """What independent reviews say of a gate by its name."""
    return _spoken(gate, [(review, review.gates[gate]) for review in independent(reviews) if gate in review.gates])


def _supports(review: Review, gate: str) -> bool | None:
    """Whether a review finds all material claims supported; None where it speaks of none.

    Who says that the gate holds and judges a material claim otherwise is believed on the claim.
    """
    if any(claim.material and claim.support != "supported" for claim in review.claims):
        return False
    return review.gates.get(gate, True if review.claims else None)


def _spoken(gate: str, spoken: Sequence[tuple[Review, bool]]) -> GateAnswer:
    against = [review for review, says in spoken if not says]
    if not spoken:
        return GateAnswer(gate, Answer.MISSING, "no independent review speaks of it")
    detail = f"independent reviews that say yes: {len(spoken) - len(against)}, no: {len(against)}"
    if not against:
        return GateAnswer(gate, Answer.PASS, detail, spoken[0][0].sha256)
    if 2 * len(against) > len(spoken):
        return GateAnswer(gate, Answer.FAIL, detail, against[0].sha256)
    return GateAnswer(gate, Answer.MISSING, f"disputed; {detail}")


def _checked_citations(subject: GateSubject, gate: Gate, passed: str) -> GateAnswer:
    if not subject.value["citations"]:
        return GateAnswer(gate.name, Answer.PASS, "the answer cites nothing")
    if DOCUMENTS not in subject.facts:
        return GateAnswer(gate.name, Answer.MISSING, "the citations were not held against documents")
    return GateAnswer(gate.name, Answer.PASS, passed)


def _among(findings: Iterable[Finding], codes: Sequence[Code]) -> str:
    """The codes of findings that are among `codes`, in words; empty where none is."""
    found = {finding.code for finding in findings}
    return ", ".join(code.code for code in codes if code.code in found)
