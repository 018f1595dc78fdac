"""Decisions against an oracle in fractions, written from the contract as one list of conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from statistics import median as median_of

from evidence_values import sha
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.acceptance.decision import decide, dissent, median, plain, weighted_score
from transforms.acceptance.values import (
    Adjudication,
    Answer,
    Criterion,
    CriterionResult,
    Decision,
    Disagreement,
    Evidence,
    Gate,
    GateAnswer,
    Review,
    ReviewPolicy,
    Rubric,
    Vote,
)
from transforms.records import Outcome, outcome_of

# Few numbers, near each other, so that boundaries are hit; bounds that most reach, so that votes come to count.
_SCORES = ("4", "4.0", "4", "4.5", "5", "3.9999999999999996", "4.000000000000001", "3.5", "1")
SCORES = st.sampled_from(_SCORES).map(Decimal)
BOUNDS = st.sampled_from(("1", "1", "1", "3.5", "4")).map(Decimal)
VOTES = st.sampled_from(Vote)
IDS = ("correctness", "readability", "style")


@st.composite
def rubrics(draw: st.DrawFn) -> Rubric:
    cuts = sorted(draw(st.lists(st.integers(0, 100), min_size=len(IDS) - 1, max_size=len(IDS) - 1)))
    weights = [end - start for start, end in zip([0, *cuts], [*cuts, 100], strict=True)]
    criteria = tuple(
        Criterion(name, Decimal(weight) / 100, draw(BOUNDS)) for name, weight in zip(IDS, weights, strict=True)
    )
    wanted = draw(st.integers(1, 3))
    policy = ReviewPolicy(wanted, draw(st.integers(1, wanted)), draw(st.sampled_from(Disagreement)))
    gates = tuple(Gate(name, True) for name in ("one", "two")[: draw(st.integers(0, 2))])
    return Rubric("r", Decimal(1), Decimal(5), criteria, draw(BOUNDS), gates, policy)


@st.composite
def evidence(draw: st.DrawFn) -> Evidence:
    given = []
    for own in "abcdef"[: draw(st.integers(0, 6))]:
        name, counts = draw(st.sampled_from((own, own, own, "a"))), draw(st.integers(0, 9)) > 0
        ids = IDS if draw(st.integers(0, 9)) else IDS[:2]
        # As a rule reviewers are of one mind: with scores at random hardly a record would come as far as the votes.
        same = draw(SCORES)
        scores = {key: draw(st.just(same) | SCORES) for key in ids}
        given.append(Review(name, sha(name), draw(VOTES), scores, independent=counts, automatic=not counts))
    subjects = st.sampled_from(("acceptance", "acceptance", "acceptance", "clinical"))
    words = draw(st.lists(st.builds(Adjudication, st.just("z"), st.just(sha("z")), subjects, VOTES), max_size=3))
    return Evidence(tuple(given), tuple(words))


def answers_to(rubric: Rubric) -> st.SearchStrategy[tuple[GateAnswer, ...]]:
    kinds = st.sampled_from((*[Answer.PASS] * 8, Answer.FAIL, Answer.MISSING))
    return st.tuples(*(st.builds(GateAnswer, st.just(gate.name), kinds, st.just("so")) for gate in rubric.gates))


def expected(rubric: Rubric, answers: Sequence[GateAnswer], evidence: Evidence) -> tuple[Outcome, set[str]]:
    """The outcome and its codes, from numbers of votes and fractions."""
    seen: set[str] = set()
    rows: list[tuple[list[Fraction], bool]] = []
    for review in evidence.reviews:
        if review.independent and review.reviewer not in seen:
            seen.add(review.reviewer)
            if len(review.scores) == len(IDS):
                rows.append(([Fraction(review.scores[key]) for key in IDS], review.vote is Vote.ACCEPT))
    said = [answer.answer for answer in answers]
    if Answer.FAIL in said:
        return Outcome.REJECTED, {f"gate-failed/{answer.gate}" for answer in answers if answer.answer is Answer.FAIL}
    if Answer.MISSING in said:
        return Outcome.HELD, {"gate-evidence-missing"}
    if len(rows) < rubric.policy.independent_reviews:
        return Outcome.HELD, {"review-incomplete"}
    middles = [median_of(column) for column in zip(*(scores for scores, _ in rows), strict=True)]
    hundredths = sum(
        int(criterion.weight * 100) * middle for criterion, middle in zip(rubric.criteria, middles, strict=True)
    )
    low = {"score-below-acceptance"} if hundredths < 100 * Fraction(rubric.acceptance) else set()
    low |= {
        f"criterion-below-minimum/{criterion.id}"
        for criterion, middle in zip(rubric.criteria, middles, strict=True)
        if not middle >= Fraction(criterion.minimum)
    }
    if low:
        return Outcome.REJECTED, low
    return voted(rubric.policy, sum(accepts for _, accepts in rows), len(rows), evidence)


def voted(policy: ReviewPolicy, accepting: int, votes: int, evidence: Evidence) -> tuple[Outcome, set[str]]:
    if 2 * accepting > votes and not accepting < policy.minimum_accept_votes:
        return Outcome.ACCEPTED, set()
    if accepting == 0:
        return Outcome.REJECTED, {"review-rejected"}
    words = {one.vote for one in evidence.adjudications if one.subject == "acceptance"}
    if policy.disagreement is Disagreement.REJECT:
        return Outcome.REJECTED, {"review-disagreement"}
    if policy.disagreement is Disagreement.HOLD or not words:
        return Outcome.HELD, {"review-disagreement"}
    return {
        frozenset({Vote.ACCEPT}): (Outcome.ACCEPTED, set[str]()),
        frozenset({Vote.REJECT}): (Outcome.REJECTED, {"adjudication-rejected"}),
    }.get(frozenset(words), (Outcome.HELD, {"adjudication-conflict"}))


@settings(max_examples=500)
@given(rubrics(), evidence(), st.data())
def test_a_decision_is_what_the_contract_says(rubric: Rubric, given: Evidence, data: st.DataObject) -> None:
    answers = data.draw(answers_to(rubric))
    decision = decide(rubric, answers, given)
    outcome, codes = expected(rubric, answers, given)
    assert (decision.outcome, {finding.code for finding in decision.findings}) == (outcome, codes)
    assert decision.outcome is outcome_of(decision.findings)
    assert decision.answers == answers
    check_record(decision)


def check_record(decision: Decision) -> None:
    """Whatever is decided, who voted what is written down once, and the numbers with it."""
    assert len({*decision.accepting, *decision.rejecting}) == len(decision.accepting) + len(decision.rejecting)
    against = {Outcome.ACCEPTED: decision.rejecting, Outcome.REJECTED: decision.accepting, Outcome.HELD: ()}
    assert dissent(decision) == against[decision.outcome]
    assert (decision.weighted is None) == (decision.criteria == ())
    if decision.outcome is Outcome.ACCEPTED:
        assert all(result.aggregate >= result.minimum for result in decision.criteria)


@given(rubrics(), evidence(), st.data())
def test_the_order_of_reviews_and_answers_decides_nothing(rubric: Rubric, given: Evidence, data: st.DataObject) -> None:
    answers = data.draw(answers_to(rubric))
    once = {review.reviewer: review for review in given.reviews}
    given = replace(given, reviews=tuple(once.values()))
    shuffled = Evidence(
        tuple(data.draw(st.permutations(given.reviews))), tuple(data.draw(st.permutations(given.adjudications)))
    )
    one, two = decide(rubric, answers, given), decide(rubric, answers[::-1], shuffled)
    assert (one.outcome, one.findings, one.weighted) == (two.outcome, two.findings, two.weighted)


DOUBLES = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: Decimal(repr(number)))


@given(st.lists(DOUBLES, min_size=1, max_size=7))
def test_the_median_is_exact(scores: list[Decimal]) -> None:
    assert Fraction(median(scores)) == median_of(map(Fraction, scores))


@given(st.lists(st.tuples(st.floats(0, 1).map(repr).map(Decimal), DOUBLES), min_size=1, max_size=8))
def test_the_weighted_score_is_exact(pairs: list[tuple[Decimal, Decimal]]) -> None:
    criteria = tuple(Criterion(f"c{at}", weight, Decimal(0)) for at, (weight, _) in enumerate(pairs))
    rubric = Rubric("r", Decimal(1), Decimal(5), criteria, Decimal(3))
    results = [CriterionResult(f"c{at}", (score,), score, Decimal(0)) for at, (_, score) in enumerate(pairs)]
    total = sum(Fraction(weight) * Fraction(score) for weight, score in pairs)
    assert Fraction(weighted_score(rubric, results)) == total


@given(st.decimals(allow_nan=False, allow_infinity=False), st.integers(0, 5))
def test_plain_digits_are_canonical(number: Decimal, zeros: int) -> None:
    text = plain(number)
    assert Decimal(text) == number
    assert set(text) <= set("-.0123456789")
    assert "." not in text or text[-1] not in "0."
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    assert plain(Decimal((sign, (*digits, *(0,) * zeros), exponent - zeros))) == text
