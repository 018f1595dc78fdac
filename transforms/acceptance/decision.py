"""The decision on one record: gates, then reviews, scores and minimums, then votes (contract, section 6).

Arithmetic is in exact decimals. In binary floating point the weights of a sound rubric need not sum to one, and a
record whose scores are all 4 may weigh less than 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Context, Decimal, Inexact, InvalidOperation, localcontext

from transforms.acceptance.decision_codes import (
    ADJUDICATION_CONFLICT,
    ADJUDICATION_REJECTED,
    CRITERION_BELOW_MINIMUM,
    GATE_EVIDENCE_MISSING,
    GATE_FAILED,
    QUALIFIED_SCORE_MISSING,
    REVIEW_DISAGREEMENT,
    REVIEW_INCOMPLETE,
    REVIEW_REJECTED,
    SCORE_BELOW_ACCEPTANCE,
)
from transforms.acceptance.values import (
    Adjudication,
    Answer,
    Criterion,
    CriterionResult,
    Decision,
    Disagreement,
    Evidence,
    GateAnswer,
    Review,
    ReviewPolicy,
    Rubric,
    Vote,
)
from transforms.people import person
from transforms.records import Code, Finding, Outcome, Severity, outcome_of

# Digits for any sum of products of two doubles as they are written, which spans some 1,000. Fewer would raise Inexact.
_EXACT = Context(prec=2000, traps=[Inexact, InvalidOperation])
_HALF = Decimal("0.5")
_ACCEPTANCE = "acceptance"


def decide(rubric: Rubric, answers: Sequence[GateAnswer], evidence: Evidence) -> Decision:
    """What becomes of a sound record; `answers` has at most one for each gate of the rubric.

    The first of these steps that finds something decides: gates that fail; gates that nothing answers; too few
    reviews, and criteria without a qualified score; the weighted score and the criteria's minimums, both reported; the
    votes. The votes are recorded whichever it is.
    """
    gates = _answered(rubric, answers)
    reviews = counted(rubric, evidence.reviews)
    decision = Decision(
        Outcome.ACCEPTED,
        (),
        rubric.version,
        gates,
        accepting=tuple(review.reviewer for review in reviews if review.vote is Vote.ACCEPT),
        rejecting=tuple(review.reviewer for review in reviews if review.vote is Vote.REJECT),
    )
    scores = {criterion.id: criterion_scores(criterion, reviews, evidence) for criterion in rubric.criteria}
    found = _failed(gates) or _unanswered(gates)
    found = found or (*_incomplete(rubric.policy, reviews, evidence), *_unscored(rubric, scores))
    if found:
        return replace(decision, outcome=outcome_of(found), findings=found)
    criteria = tuple(
        CriterionResult(one.id, scores[one.id], median(scores[one.id]), one.minimum) for one in rubric.criteria
    )
    weighted = weighted_score(rubric, criteria)
    found = (*_below_acceptance(rubric, weighted), *_below_minimum(criteria))
    found = found or _voted(rubric.policy, decision, evidence)
    return replace(decision, outcome=outcome_of(found), findings=found, criteria=criteria, weighted=weighted)


def independent(reviews: Sequence[Review]) -> tuple[Review, ...]:
    """The independent reviews, in their order; of several by one person, however spelled, the first."""
    first: dict[str, Review] = {}
    for review in reviews:
        if review.independent:
            first.setdefault(person(review.reviewer), review)
    return tuple(first.values())


def counted(rubric: Rubric, reviews: Sequence[Review]) -> tuple[Review, ...]:
    """The reviews that a decision rests on: independent ones that score every criterion of theirs."""
    wanted = {criterion.id for criterion in rubric.criteria if criterion.qualification is None}
    return tuple(review for review in independent(reviews) if wanted <= review.scores.keys())


def criterion_scores(criterion: Criterion, reviews: Sequence[Review], evidence: Evidence) -> tuple[Decimal, ...]:
    """The scores that count for a criterion, in the order of their givers; `reviews` are those that count.

    Of several adjudications by one adjudicator it is the first that scores the criterion.
    """
    if criterion.qualification is None:
        return tuple(review.scores[criterion.id] for review in reviews)
    first: dict[str, Decimal] = {}
    for one in evidence.adjudications:
        if one.subject == criterion.qualification and criterion.id in one.scores:
            first.setdefault(person(one.adjudicator), one.scores[criterion.id])
    return tuple(first.values())


def stands_apart(adjudication: Adjudication, reviews: Sequence[Review]) -> bool:
    """Whether an adjudicator has reviewed the record by none of `reviews`: nobody settles a vote of their own."""
    return person(adjudication.adjudicator) not in {person(review.reviewer) for review in reviews}


def dissent(decision: Decision) -> tuple[str, ...]:
    """The reviewers whose votes are against the outcome; nobody's are while the record is held."""
    against = {Outcome.ACCEPTED: decision.rejecting, Outcome.REJECTED: decision.accepting}
    return against.get(decision.outcome, ())


def median(scores: Sequence[Decimal]) -> Decimal:
    """The middle one of one or more scores, or the exact mean of the two middle ones."""
    ordered, half = sorted(scores), len(scores) // 2
    if len(ordered) % 2:
        return ordered[half]
    with localcontext(_EXACT):
        return (ordered[half - 1] + ordered[half]) * _HALF


def weighted_score(rubric: Rubric, criteria: Sequence[CriterionResult]) -> Decimal:
    """Σ weight · aggregate, exactly; `criteria` are in the rubric's order."""
    with localcontext(_EXACT):
        pairs = zip(rubric.criteria, criteria, strict=True)
        return sum((criterion.weight * result.aggregate for criterion, result in pairs), Decimal(0))


def plain(number: Decimal) -> str:
    """The decimal digits of a number: no exponent, no trailing zeros, no minus sign on zero.

    Equal numbers give equal texts. Raises ValueError for one that is not finite.
    """
    if not number.is_finite():
        raise ValueError(f"{number} has no digits")
    text = f"{number:f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _answered(rubric: Rubric, answers: Sequence[GateAnswer]) -> tuple[GateAnswer, ...]:
    """An answer for each gate in the rubric's order: silence is no pass."""
    given: Mapping[str, GateAnswer] = {answer.gate: answer for answer in answers}
    return tuple(
        given.get(gate.name) or GateAnswer(gate.name, Answer.MISSING, "nothing answers it") for gate in rubric.gates
    )


def _failed(gates: Sequence[GateAnswer]) -> tuple[Finding, ...]:
    return tuple(
        _finding(GATE_FAILED, f"the gate {gate.gate} does not hold: {gate.detail}", member=gate.gate)
        for gate in gates
        if gate.answer is Answer.FAIL
    )


def _unanswered(gates: Sequence[GateAnswer]) -> tuple[Finding, ...]:
    return tuple(
        _finding(GATE_EVIDENCE_MISSING, f"the gate {gate.gate} is not answered: {gate.detail}")
        for gate in gates
        if gate.answer is Answer.MISSING
    )


def _incomplete(policy: ReviewPolicy, reviews: Sequence[Review], evidence: Evidence) -> tuple[Finding, ...]:
    if len(reviews) >= policy.independent_reviews:
        return ()
    message = f"independent reviews: {len(reviews)}, the rubric asks for {policy.independent_reviews}"
    unscored = len(independent(evidence.reviews)) - len(reviews)
    if unscored:
        message += f"; further ones that leave a criterion without a score: {unscored}"
    return (_finding(REVIEW_INCOMPLETE, message),)


def _unscored(rubric: Rubric, scores: Mapping[str, Sequence[Decimal]]) -> Iterator[Finding]:
    for criterion in rubric.criteria:
        if criterion.qualification and not scores[criterion.id]:
            message = f"no adjudicator qualified for {criterion.qualification} has scored {criterion.id}"
            yield _finding(QUALIFIED_SCORE_MISSING, message)


def _below_acceptance(rubric: Rubric, weighted: Decimal) -> Iterator[Finding]:
    if weighted < rubric.acceptance:
        message = f"the weighted score is {plain(weighted)}, {plain(rubric.acceptance)} is accepted"
        yield _finding(SCORE_BELOW_ACCEPTANCE, message)


def _below_minimum(criteria: Sequence[CriterionResult]) -> Iterator[Finding]:
    for result in criteria:
        if result.aggregate < result.minimum:
            score, least = plain(result.aggregate), plain(result.minimum)
            message = f"the score of {result.id} is {score}, its minimum is {least}"
            yield _finding(CRITERION_BELOW_MINIMUM, message, member=result.id)


def _voted(policy: ReviewPolicy, decision: Decision, evidence: Evidence) -> tuple[Finding, ...]:
    accepting, rejecting = len(decision.accepting), len(decision.rejecting)
    if accepting >= policy.minimum_accept_votes and accepting > rejecting:
        return ()
    votes = f"votes to accept: {accepting}, to reject: {rejecting}"
    if not accepting:
        return (_finding(REVIEW_REJECTED, votes),)
    if policy.disagreement is Disagreement.ADJUDICATE:
        asked = [one for one in evidence.adjudications if one.subject == _ACCEPTANCE]
        decided = [one.vote for one in asked if stands_apart(one, evidence.reviews)]
        if decided:
            return _adjudicated(decided, votes)
        if asked:
            votes += f"; adjudications by reviewers of the record, which decide nothing: {len(asked)}"
    severity = Severity.REJECT if policy.disagreement is Disagreement.REJECT else Severity.HOLD
    message = f"{votes}; at least {policy.minimum_accept_votes} must accept, and more than reject"
    return (replace(_finding(REVIEW_DISAGREEMENT, message), severity=severity),)


def _adjudicated(decided: Sequence[Vote], votes: str) -> tuple[Finding, ...]:
    accepting = decided.count(Vote.ACCEPT)
    if accepting == len(decided):
        return ()
    message = f"{votes}; adjudications to accept: {accepting}, to reject: {len(decided) - accepting}"
    return (_finding(ADJUDICATION_CONFLICT if accepting else ADJUDICATION_REJECTED, message),)


def _finding(code: Code, message: str, *, member: str = "") -> Finding:
    """A finding of a row of the catalogue, or of that `member` of its family."""
    return Finding(f"{code.code}/{member}" if member else code.code, message, severity=code.severity)
