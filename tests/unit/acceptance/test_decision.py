"""Every branch of the decision and every boundary, by exact codes, messages and numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

import pytest
from evidence_values import CODE, N, Y, adjudication, review, reviews, sha

from transforms.acceptance.decision import counted, decide, dissent, independent, plain
from transforms.acceptance.decision_codes import CODES
from transforms.acceptance.values import (
    Adjudication,
    Answer,
    CriterionResult,
    Decision,
    Disagreement,
    Evidence,
    GateAnswer,
    Review,
    ReviewPolicy,
)
from transforms.records import Outcome, Severity, Stage

ACCEPTED, HELD, REJECTED = Outcome.ACCEPTED, Outcome.HELD, Outcome.REJECTED
TESTS, SYNTAX, IMPORTS = (gate.name for gate in CODE.gates)
EVERYONE = ("r1", "r2", "r3")
INCOMPLETE, MISSING = "review-incomplete", "gate-evidence-missing"
BELOW, DISAGREEMENT = "score-below-acceptance", "review-disagreement"


def gates(tests: str = "pass", syntax: str = "pass", imports: str = "pass") -> tuple[GateAnswer, ...]:
    said = {TESTS: tests, SYNTAX: syntax, IMPORTS: imports}
    return tuple(GateAnswer(name, Answer(answer), f"it says {answer}", sha(name)) for name, answer in said.items())


def policy(action: str, wanted: int = 3, accept: int = 2) -> ReviewPolicy:
    return ReviewPolicy(wanted, accept, Disagreement(action))


def alike(*scores: str) -> tuple[Review, ...]:
    """A reviewer for each score, who gives it to every criterion."""
    return tuple(review(f"r{at}", scores=" ".join([score] * 4)) for at, score in enumerate(scores, 1))


@dataclass(frozen=True)
class Case:
    """What is decided of `reviews` and the rest; `weighted` is None where nothing is weighed."""

    about: str
    outcome: Outcome
    codes: tuple[str, ...] = ()
    weighted: str | None = "4"
    dissent: tuple[str, ...] = ()
    answers: tuple[GateAnswer, ...] = gates()
    reviews: tuple[Review, ...] = reviews("yyy")
    adjudications: tuple[Adjudication, ...] = ()
    policy: ReviewPolicy = CODE.policy

    def evidence(self) -> Evidence:
        return Evidence(self.reviews, self.adjudications)

    def decision(self) -> Decision:
        return decide(replace(CODE, policy=self.policy), self.answers, self.evidence())


def failed(*names: str) -> tuple[str, ...]:
    return tuple(f"gate-failed/{name}" for name in names)


GATES = (
    Case("all pass, and scores of 4 weigh exactly 4", ACCEPTED),
    Case("one fails", REJECTED, failed(SYNTAX), None, EVERYONE, gates(syntax="fail")),
    Case(
        "all fail, in the rubric's order",
        REJECTED,
        failed(TESTS, SYNTAX, IMPORTS),
        None,
        EVERYONE,
        gates("fail", "fail", "fail")[::-1],
    ),
    Case(
        "with one that fails the missing ones do not count",
        REJECTED,
        failed(IMPORTS),
        None,
        EVERYONE,
        gates("missing", "missing", "fail"),
    ),
    Case("each that is missing", HELD, (MISSING, MISSING), None, answers=gates("missing", "pass", "missing")),
    Case("no answer is no pass", HELD, (MISSING, MISSING, MISSING), None, answers=()),
    Case(
        "a failure goes before reviews and scores",
        REJECTED,
        failed(TESTS),
        None,
        answers=gates("fail"),
        reviews=reviews("nn", "1 1 1 1"),
    ),
    Case("missing evidence goes before reviews", HELD, (MISSING,), None, answers=gates("missing"), reviews=()),
)
REVIEWS = (
    Case("none", HELD, (INCOMPLETE,), None, reviews=()),
    Case("one too few", HELD, (INCOMPLETE,), None, reviews=reviews("yy")),
    Case("one too few, with low scores and votes", HELD, (INCOMPLETE,), None, reviews=reviews("nn", "1 1 1 1")),
    Case(
        "a judge that does not count",
        HELD,
        (INCOMPLETE,),
        None,
        reviews=(*reviews("yy"), review("judge", automatic=True, independent=False)),
    ),
    Case("a judge that counts", ACCEPTED, reviews=(*reviews("yy"), review("judge", automatic=True))),
    Case("a judge that counts dissents", ACCEPTED, (), "4", ("j",), reviews=(*reviews("yy"), review("j", N))),
    Case(
        "what a judge that does not count thinks has no effect",
        ACCEPTED,
        reviews=(review("judge", N, "1 1 1 1", automatic=True, independent=False), *reviews("yyy")),
    ),
    Case("a reviewer twice", HELD, (INCOMPLETE,), None, reviews=(*reviews("yy"), review("r1"))),
    Case("of a reviewer's two the first", ACCEPTED, reviews=(*reviews("yyy"), review("r1", N, "1 1 1 1"))),
    Case("one without all scores", HELD, (INCOMPLETE,), None, reviews=(*reviews("yy"), review("r3", Y, "4 4 4"))),
    Case(
        "one with a score too many",
        ACCEPTED,
        reviews=(*reviews("yy"), review("r3", Y, {criterion.id: "4" for criterion in CODE.criteria} | {"style": "1"})),
    ),
)
SCORES = (
    Case("just above", ACCEPTED, (), "4.0000000000000001", reviews=reviews("yyy", "4 4 4 4.000000000000001")),
    Case(
        "just below",
        REJECTED,
        (BELOW,),
        "3.99999999999999996",
        EVERYONE,
        reviews=reviews("yyy", "4 4 4 3.9999999999999996"),
    ),
    Case(
        "one criterion below its minimum",
        REJECTED,
        ("criterion-below-minimum/correctness",),
        "4.505",
        EVERYONE,
        reviews=reviews("yyy", "3.9 5 5 5"),
    ),
    Case(
        "several, and the weighted score as well",
        REJECTED,
        (BELOW, "criterion-below-minimum/correctness", "criterion-below-minimum/readability"),
        "3.15",
        reviews=reviews("nnn", "3 4 3 2"),
    ),
    Case("criteria exactly at their minimums", ACCEPTED, (), "4.15", reviews=reviews("yyy", "5 4 3 3")),
    Case("low scores go before votes", REJECTED, (BELOW,), "3.7", reviews=reviews("nnn", "4 4 3 3")),
    Case("of an odd number the middle one", ACCEPTED, reviews=alike("1", "5", "4")),
    Case("of an even number the middle of two", ACCEPTED, reviews=alike("1", "4.5", "5", "3.5")),
    Case(
        "which may be just below",
        REJECTED,
        (BELOW, "criterion-below-minimum/correctness", "criterion-below-minimum/instruction_adherence"),
        "3.95",
        ("r1", "r2", "r3", "r4"),
        reviews=alike("1", "4.5", "5", "3.4"),
    ),
)
VOTES = (
    Case("just enough", ACCEPTED, (), "4", ("r2",), reviews=reviews("yny")),
    Case("one too few", HELD, (DISAGREEMENT,), reviews=reviews("ynn")),
    Case("enough, and as many against", HELD, (DISAGREEMENT,), reviews=reviews("yynn")),
    Case("enough, and more against", HELD, (DISAGREEMENT,), reviews=reviews("yynnn")),
    Case("enough, and one less against", ACCEPTED, (), "4", ("r4", "r5"), reviews=reviews("yyynn")),
    Case("a majority of too few", HELD, (DISAGREEMENT,), reviews=reviews("yyn"), policy=policy("hold", 3, 3)),
    Case("all reject", REJECTED, ("review-rejected",), reviews=reviews("nnn")),
    Case(
        "all reject, and no adjudicator is asked",
        REJECTED,
        ("review-rejected",),
        reviews=reviews("nnn"),
        adjudications=(adjudication("a1", Y),),
    ),
    Case("the only one rejects", REJECTED, ("review-rejected",), reviews=reviews("n"), policy=ReviewPolicy()),
    Case("the only one accepts", ACCEPTED, reviews=reviews("y"), policy=ReviewPolicy()),
    Case("more than asked for all count", HELD, (DISAGREEMENT,), reviews=reviews("yn"), policy=ReviewPolicy()),
    Case("the policy holds", HELD, (DISAGREEMENT,), reviews=reviews("ynn"), policy=policy("hold")),
    Case(
        "the policy rejects", REJECTED, (DISAGREEMENT,), "4", ("r1",), reviews=reviews("ynn"), policy=policy("reject")
    ),
)
FOR, AGAINST = adjudication("a1", Y), adjudication("a2", N)
ADJUDICATIONS = (
    Case("for it", ACCEPTED, (), "4", ("r2", "r3"), reviews=reviews("ynn"), adjudications=(FOR,)),
    Case("against it", REJECTED, ("adjudication-rejected",), "4", ("r1",), gates(), reviews("ynn"), (AGAINST,)),
    Case("both for it", ACCEPTED, (), "4", ("r2", "r3"), gates(), reviews("ynn"), (FOR, adjudication("a3", Y))),
    Case(
        "both against it",
        REJECTED,
        ("adjudication-rejected",),
        "4",
        ("r1",),
        gates(),
        reviews("ynn"),
        (AGAINST, adjudication("a3", N)),
    ),
    Case(
        "contradicting each other",
        HELD,
        ("adjudication-conflict",),
        reviews=reviews("ynn"),
        adjudications=(FOR, AGAINST, adjudication("a3", Y)),
    ),
    Case(
        "of something else",
        HELD,
        (DISAGREEMENT,),
        reviews=reviews("ynn"),
        adjudications=(adjudication("a1", Y, "clinical"), adjudication("a2", N, "privacy")),
    ),
    Case(
        "by somebody who voted", HELD, (DISAGREEMENT,), reviews=reviews("ynn"), adjudications=(adjudication("R2", Y),)
    ),
    Case(
        "by somebody who voted, and by another",
        REJECTED,
        ("adjudication-rejected",),
        "4",
        ("r1",),
        gates(),
        reviews("ynn"),
        (adjudication(" r1", Y), AGAINST),
    ),
    Case("without a disagreement", ACCEPTED, (), "4", ("r3",), gates(), reviews("yyn"), (AGAINST,)),
    Case("in a tie", ACCEPTED, (), "4", ("r3", "r4"), gates(), reviews("yynn"), (FOR,)),
    Case("the policy holds", HELD, (DISAGREEMENT,), "4", (), gates(), reviews("ynn"), (FOR,), policy("hold")),
    Case("it rejects", REJECTED, (DISAGREEMENT,), "4", ("r1",), gates(), reviews("ynn"), (FOR,), policy("reject")),
    Case("no gate is replaced", REJECTED, failed(TESTS), None, ("r1",), gates("fail"), reviews("ynn"), (FOR,)),
    Case("no evidence either", HELD, (MISSING,), None, (), gates("missing"), reviews("ynn"), (FOR,)),
    Case("nor a review", HELD, (INCOMPLETE,), None, (), gates(), reviews("yn"), (FOR,)),
    Case("nor a score", REJECTED, (BELOW,), "3.7", ("r1",), gates(), reviews("ynn", "4 4 3 3"), (FOR,)),
    Case(
        "nor a minimum",
        REJECTED,
        ("criterion-below-minimum/readability",),
        "4.7",
        ("r1",),
        gates(),
        reviews("ynn", "5 5 5 2"),
        (FOR,),
    ),
)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{name}: {case.about}")
        for name, cases in (
            ("gates", GATES),
            ("reviews", REVIEWS),
            ("scores", SCORES),
            ("votes", VOTES),
            ("adjudications", ADJUDICATIONS),
        )
        for case in cases
    ],
)
def test_a_decision(case: Case) -> None:
    decision = case.decision()
    assert (decision.outcome, tuple(finding.code for finding in decision.findings)) == (case.outcome, case.codes)
    assert (None if decision.weighted is None else plain(decision.weighted)) == case.weighted
    assert dissent(decision) == case.dissent
    assert decision.rubric == "code-review-v1"
    assert [answer.gate for answer in decision.answers] == [TESTS, SYNTAX, IMPORTS]
    assert len(decision.criteria) == (0 if case.weighted is None else 4)
    counting = {one.reviewer: one.vote for one in counted(CODE, case.reviews)}
    assert decision.accepting == tuple(name for name, vote in counting.items() if vote is Y)
    assert decision.rejecting == tuple(name for name, vote in counting.items() if vote is N)
    assert {finding.pointer for finding in decision.findings} <= {""}


MESSAGES = {
    "gates: one fails": ["the gate syntax_valid does not hold: it says fail"],
    "gates: each that is missing": [
        "the gate required_tests_pass is not answered: it says missing",
        "the gate unapproved_dependencies is not answered: it says missing",
    ],
    "gates: no answer is no pass": [
        "the gate required_tests_pass is not answered: nothing answers it",
        "the gate syntax_valid is not answered: nothing answers it",
        "the gate unapproved_dependencies is not answered: nothing answers it",
    ],
    "reviews: one too few": ["independent reviews: 2, the rubric asks for 3"],
    "reviews: one without all scores": [
        "independent reviews: 2, the rubric asks for 3; further ones that leave a criterion without a score: 1"
    ],
    "scores: just below": ["the weighted score is 3.99999999999999996, 4 is accepted"],
    "scores: several, and the weighted score as well": [
        "the weighted score is 3.15, 4 is accepted",
        "the score of correctness is 3, its minimum is 4",
        "the score of readability is 2, its minimum is 3",
    ],
    "votes: one too few": ["votes to accept: 1, to reject: 2; at least 2 must accept, and more than reject"],
    "votes: all reject": ["votes to accept: 0, to reject: 3"],
    "adjudications: against it": ["votes to accept: 1, to reject: 2; adjudications to accept: 0, to reject: 1"],
    "adjudications: contradicting each other": [
        "votes to accept: 1, to reject: 2; adjudications to accept: 2, to reject: 1"
    ],
}
TABLE = {"gates": GATES, "reviews": REVIEWS, "scores": SCORES, "votes": VOTES, "adjudications": ADJUDICATIONS}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_state_the_numbers(name: str) -> None:
    table, about = name.split(": ", 1)
    (case,) = (case for case in TABLE[table] if case.about == about)
    assert [finding.message for finding in case.decision().findings] == MESSAGES[name]


def test_a_message_stays_bounded_with_any_doubles() -> None:
    tiny = reviews("yyy", "4 4 3 5e-324")
    assert max(len(finding.message) for finding in decide(CODE, gates(), Evidence(tiny)).findings) < 400


def test_findings_do_what_their_rows_say_unless_the_policy_says_otherwise() -> None:
    rows = {code.code: code for code in CODES}
    seen = set()
    for cases in TABLE.values():
        for case in cases:
            for finding in case.decision().findings:
                row = rows[finding.code.partition("/")[0]]
                seen.add(row.code)
                rejects = case.policy.disagreement is Disagreement.REJECT
                assert finding.severity is (Severity.REJECT if rejects else row.severity)
    # Criteria that ask for a qualification have tests of their own.
    assert seen == rows.keys() - {"qualified-score-missing"}
    assert {code.stage for code in CODES} == {Stage.ACCEPTANCE}
    assert {code.severity for code in CODES} == {Severity.REJECT, Severity.HOLD}


def test_every_score_stands_in_the_result() -> None:
    given = (review("r1", scores="5 4 3 3.5"), review("r2", scores="4 4.0 5 3"), review("r3", scores="4.5 4 5 5"))
    decision = decide(CODE, gates(), Evidence(given))
    assert decision.criteria[0] == CriterionResult(
        "correctness", (Decimal(5), Decimal(4), Decimal("4.5")), Decimal("4.5"), Decimal(4)
    )
    assert [plain(result.aggregate) for result in decision.criteria] == ["4.5", "4", "5", "3.5"]
    assert decision.weighted == Decimal("4.375")


def test_the_surrounding_decimal_context_changes_nothing() -> None:
    """Thirty places survive in a context of three."""
    exact = "3." + "9" * 30
    given = Evidence(reviews("yyyy", f"4 4 4 {exact}"))
    with localcontext(prec=3):
        decision = decide(CODE, gates(), given)
    assert decision.weighted == Decimal("3.9999999999999999999999999999999")
    assert [finding.code for finding in decision.findings] == [BELOW]


def test_an_adjudication_by_a_reviewer_is_said_to_decide_nothing() -> None:
    evidence = Evidence(reviews("ynn"), (adjudication("r\u200b1", Y), adjudication("R3", N, "clinical")))
    (found,) = decide(CODE, gates(), evidence).findings
    assert found.message == (
        "votes to accept: 1, to reject: 2; adjudications by reviewers of the record, which decide nothing: 1; "
        "at least 2 must accept, and more than reject"
    )


def test_spellings_of_one_person_are_one_review() -> None:
    one = (review("r1"), review("R1", N), review("r1 ", N))
    assert [each.reviewer for each in independent(one)] == ["r1"]
    assert decide(CODE, gates(), Evidence(one)).findings[0].code == INCOMPLETE
