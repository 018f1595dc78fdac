from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from evidence_records import (
    CAMPAIGN,
    ELSE,
    GROUNDED,
    NO_CAMPAIGN,
    RUBRIC,
    a_review,
    by_judge,
    claim,
    findings,
    found,
    grounded,
)

from transforms.records import Finding, Json
from transforms.rules import review

_NO_REVIEWER = "the reviewer is none of the campaign's reviewers"
_NO_JUDGE = "the reviewer is none of the campaign's judges"
_NO_MODEL = "the reviewer is a judge, and the review names no model"
_ANOTHER = "the campaign pins this judge with another"

# people and judges


@pytest.mark.parametrize(
    ("value", "pointer", "message"),
    [
        (a_review(reviewer="ann-2"), "/reviewer", _NO_REVIEWER),
        (a_review(reviewer="ann3"), "/reviewer", _NO_REVIEWER),
        (a_review(reviewer="judge-a"), "/reviewer", _NO_MODEL),
        (a_review(reviewer="Judge-A"), "/reviewer", _NO_MODEL),
        (a_review(reviewer="judge\u200b-a "), "/reviewer", _NO_MODEL),
        (by_judge("judge-c"), "/reviewer", _NO_JUDGE),
        (by_judge("ann-3"), "/reviewer", _NO_JUDGE),
        (by_judge(model="model-3"), "/judge/model", _ANOTHER),
        (by_judge(prompt_sha256=ELSE), "/judge/prompt_sha256", _ANOTHER),
        (by_judge(parameters_sha256=ELSE), "/judge/parameters_sha256", _ANOTHER),
    ],
)
def test_whose_reviews_do_not_count(value: Json, pointer: str, message: str) -> None:
    assert findings(value) == (Finding("unauthorized-evidence", message, pointer),)


def test_every_difference_of_a_judge_is_named() -> None:
    value = by_judge(model="model-3", prompt_sha256=ELSE, parameters_sha256=ELSE)
    assert [pointer for _, pointer in found(value)] == [
        "/judge/model",
        "/judge/prompt_sha256",
        "/judge/parameters_sha256",
    ]


def test_a_judge_listed_among_the_reviewers_still_says_which_model_it_is() -> None:
    terms = replace(CAMPAIGN.evidence, reviewers=frozenset({"judge-a"}))
    value = a_review(reviewer="judge-a")
    assert found(value, replace(CAMPAIGN, evidence=terms)) == [("unauthorized-evidence", "/reviewer")]


@pytest.mark.parametrize("name", ["Judge-A", " judge-a", "\u200bJUDGE-\uff21"])
def test_another_spelling_is_the_same_judge(name: str) -> None:
    assert found(by_judge(name)) == []


@pytest.mark.parametrize("name", ["Ann-3", "ann-3 ", "\u200bANN-\uff13"])
def test_another_spelling_is_the_same_person(name: str) -> None:
    assert found(a_review(reviewer=name)) == []


# criteria


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ({"correctness": 5}, [("/scores", 'there is no score for "readability"')]),
        (
            {"correctness": 5, "readability": 3, "style": 4},
            [("/scores/style", 'rubric "code-review-v1" has no criterion "style"')],
        ),
        (
            {"style": 4, "Correctness": 5},
            [
                ("/scores", 'there is no score for "correctness"'),
                ("/scores", 'there is no score for "readability"'),
                ("/scores/style", 'rubric "code-review-v1" has no criterion "style"'),
                ("/scores/Correctness", 'rubric "code-review-v1" has no criterion "Correctness"'),
            ],
        ),
    ],
)
def test_each_missing_and_each_unknown_criterion(scores: Json, expected: list[tuple[str, str]]) -> None:
    wanted = tuple(Finding("review-criteria", message, pointer) for pointer, message in expected)
    assert findings(a_review(scores=scores)) == wanted


def test_a_score_of_an_unknown_criterion_is_held_against_the_scale_too() -> None:
    value = a_review(scores={"correctness": 5, "readability": 3, "style": 9})
    assert found(value) == [("review-criteria", "/scores/style"), ("score-out-of-scale", "/scores/style")]


def test_a_criterion_that_asks_for_a_qualification_may_be_left_out() -> None:
    rubric = CAMPAIGN.rubrics[RUBRIC]
    own = (rubric.criteria[0], replace(rubric.criteria[1], qualification="clinical"))
    context = replace(CAMPAIGN, rubrics={RUBRIC: replace(rubric, criteria=own)})
    assert found(a_review(scores={"correctness": 5}), context) == []
    assert found(a_review(scores={"readability": 5}), context) == [("review-criteria", "/scores")]


# gates


def test_what_a_review_says_of_a_gate_of_its_rubric() -> None:
    assert found(grounded(gates={"claim_support": False})) == []
    assert found(grounded(gates={})) == []


@pytest.mark.parametrize(
    ("gates", "message"),
    [
        ({"required_tests_pass": True}, 'no review can answer "required_tests_pass"'),
        ({"quote_alignment": True}, 'no review can answer "quote_alignment"'),  # although the rubric has it
        ({"source_integrity": True}, 'no review can answer "source_integrity"'),  # the documents do
        ({"syntax_valid": False}, 'no review can answer "syntax_valid"'),
        ({"be_kind": True}, 'no review can answer "be_kind"'),
        ({"steps_checked": True}, 'the rubric has no gate "steps_checked"'),
    ],
)
def test_what_a_review_cannot_say_of_gates(gates: Json, message: str) -> None:
    expected = Finding("review-gate", message, f"/gates/{next(iter(gates))}")
    assert findings(grounded(gates=gates)) == (expected,)


def test_without_a_rubric_a_review_still_cannot_answer_for_machines() -> None:
    value = grounded(gates={"steps_checked": True, "answer_matches": True})
    assert found(value, NO_CAMPAIGN) == [("review-gate", "/gates/answer_matches")]


# claims


def test_a_claim_stands_once() -> None:
    claims = [
        claim(),
        claim("Low tide follows."),
        claim("High tide\u00a0is at 06:40.", support="contradicted"),
        claim(),
    ]
    message = "the same text as claim 0, counted from 0"
    assert findings(grounded(claims=claims)) == (
        Finding("review-claims", message, "/claims/2/text"),
        Finding("review-claims", message, "/claims/3/text"),
    )


def test_blank_claims_are_empty_not_repeated() -> None:
    value = grounded(claims=[claim(" "), claim("\u200b")])
    assert found(value) == [("empty-text", "/claims/0/text"), ("empty-text", "/claims/1/text")]


@pytest.mark.parametrize("support", ["unsupported", "contradicted"])
def test_claim_support_cannot_hold_against_a_material_claim(support: str) -> None:
    claims = [claim(), claim("It is calm.", support=support), claim("It is wet.", support=support)]
    value = grounded(gates={"claim_support": True}, claims=claims)
    message = f"claim_support is said to hold, and material claim 1, counted from 0, is {support}"
    assert findings(value) == (Finding("review-claims", message, "/gates/claim_support"),)


@pytest.mark.parametrize(
    "changes",
    [
        {"claims": [claim(support="unsupported")]},
        {"claims": [claim(support="unsupported")], "gates": {"claim_support": False}},
        {"claims": [claim(support="unsupported", material=False)], "gates": {"claim_support": True}},
        {"claims": [claim(factual=False)], "gates": {"claim_support": True}},  # faithful, and not factual
        {"claims": [claim()], "gates": {"claim_support": False}},  # the list may leave something out
        {"claims": [], "gates": {"claim_support": True}},
    ],
)
def test_claims_that_add_up(changes: dict[str, Any]) -> None:
    assert found(grounded(**changes)) == []


# text


@pytest.mark.parametrize(
    ("changes", "pointer"), [({"comment": "\u2800"}, "/comment"), ({"claims": [claim("\u0301")]}, "/claims/0/text")]
)
def test_text_with_nothing_visible(changes: Json, pointer: str) -> None:
    assert findings(grounded(**changes)) == (Finding("empty-text", "nothing visible", pointer),)


# private


@pytest.mark.parametrize(
    ("value", "private"),
    [
        (a_review(), False),
        (by_judge(), False),
        (grounded(gates={"claim_support": True}), False),
        ({}, False),
        (grounded(claims=[]), True),
        (a_review(comment="It says so."), True),
        (a_review(coment="It says so."), True),
        (None, True),
    ],
)
def test_reviews_with_prose_are_private(value: Json | None, private: bool) -> None:
    assert review.private(value) is private


def test_the_rubrics_of_these_tests() -> None:
    assert {gate.name for gate in CAMPAIGN.rubrics[GROUNDED].gates} == {"claim_support", "quote_alignment"}
