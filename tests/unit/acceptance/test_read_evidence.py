from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from evidence_records import (
    CODE,
    ELSE,
    RUBRIC,
    SUITE,
    TERMS,
    a_review,
    an_adjudication,
    an_execution,
    by_judge,
    claim,
    grounded,
)
from hypothesis import given
from hypothesis import strategies as st

from transforms.acceptance.read_evidence import read_adjudication, read_execution, read_review
from transforms.acceptance.values import Adjudication, Claim, EvidenceTerms, Execution, Review, Suite, Vote
from transforms.records import Json

# reviews


def test_a_person() -> None:
    assert read_review(a_review(), ELSE, TERMS) == Review(
        reviewer="ann-3",
        sha256=ELSE,
        vote=Vote.ACCEPT,
        scores={"correctness": Decimal(5), "readability": Decimal(3)},
        gates={},
        claims=(),
        independent=True,
        automatic=False,
    )


def test_gates_and_claims() -> None:
    claims = [claim(citations=[1]), claim("It is calm.", material=False, support="contradicted", factual=True)]
    value = grounded(vote="reject", gates={"claim_support": False}, claims=claims)
    read = read_review(value, ELSE, TERMS)
    assert (read.vote, read.gates) == (Vote.REJECT, {"claim_support": False})
    assert read.claims == (
        Claim("High tide is at 06:40.", True, "supported", None),
        Claim("It is calm.", False, "contradicted", True),
    )


@pytest.mark.parametrize(
    ("value", "terms", "automatic", "independent"),
    [
        (a_review(), TERMS, False, True),
        (a_review(), EvidenceTerms(), False, True),
        (by_judge("judge-a"), TERMS, True, False),
        (by_judge("judge-b"), TERMS, True, True),
        (by_judge("judge-b"), EvidenceTerms(anyone=True), True, False),
    ],
)
def test_which_reviews_are_independent(value: Json, terms: EvidenceTerms, automatic: bool, independent: bool) -> None:
    read = read_review(value, ELSE, terms)
    assert (read.automatic, read.independent) == (automatic, independent)


@pytest.mark.parametrize(
    ("score", "decimal"),
    [
        (4, "4"),
        (4.0, "4"),
        (4.1, "4.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (-2.5, "-2.5"),
        ("3.99999999999999999999", "3.99999999999999999999"),
    ],
)
def test_scores_are_the_decimals_that_were_written(score: float | str, decimal: str) -> None:
    read = read_review(grounded() | {"scores": {"correctness": score}}, ELSE, TERMS)
    assert read.scores == {"correctness": Decimal(decimal)}


@given(st.decimals(-100, 100, places=6))
def test_every_short_decimal_survives(written: Decimal) -> None:
    read = read_review(a_review(scores={"correctness": float(written)}), ELSE, TERMS)
    assert read.scores["correctness"] == written


# adjudications


@pytest.mark.parametrize(
    ("changes", "vote", "scores"),
    [
        ({}, Vote.ACCEPT, {}),
        ({"decision": "reject"}, Vote.REJECT, {}),
        ({"rubric_version": RUBRIC, "scores": {"correctness": 2.5}}, Vote.ACCEPT, {"correctness": Decimal("2.5")}),
    ],
)
def test_an_adjudication(changes: dict[str, Any], vote: Vote, scores: dict[str, Decimal]) -> None:
    read = read_adjudication(an_adjudication(**changes), ELSE, TERMS)
    assert read == Adjudication("dr-lee", ELSE, "clinical", vote, scores)


# executions


def test_an_execution() -> None:
    expected = Execution("sandbox-1", ELSE, CODE, Suite(SUITE, "sponsor"), 0, False, 12, (), 0)
    assert read_execution(an_execution(), ELSE, TERMS) == expected
    spelt_otherwise = an_execution(exit_status=0.0, tests={"passed": 12.0, "failed": [], "errors": 0.0})
    read = read_execution(spelt_otherwise, ELSE, TERMS)
    assert read == expected
    assert [type(number) for number in (read.exit_status, read.passed, read.errors)] == [int, int, int]


def test_a_run_that_failed() -> None:
    tests = {"passed": 3, "failed": ["test_b", "test_a"], "errors": 1}
    read = read_execution(an_execution(exit_status=None, timed_out=True, tests=tests), ELSE, TERMS)
    assert (read.exit_status, read.timed_out, read.passed) == (None, True, 3)
    assert (read.failed, read.errors) == (("test_b", "test_a"), 1)
