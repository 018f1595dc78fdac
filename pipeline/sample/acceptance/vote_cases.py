"""Preference pairs that reviewers decide: scores, minimums, votes, adjudications, and whose reviews count."""

from __future__ import annotations

from pipeline.sample.acceptance.case import Case, Given
from pipeline.sample.acceptance.evidence import ACCEPT, REJECT, adjudicated, failing, judged, panel, review, tested
from pipeline.sample.acceptance.rubrics import STYLE
from pipeline.sample.acceptance.subjects import pair
from pipeline.sample.acceptance.trusted import (
    COUNTED,
    LEAD,
    PRIVACY,
    REVIEWERS,
    REVIEWING_ADJUDICATOR,
    SCREEN,
    SECOND,
)

_PAIR = panel("ann", "ben")
_INCOMPLETE, _DISAGREEMENT, _BELOW = ("review-incomplete",), ("review-disagreement",), ("score-below-acceptance",)


def _minimum(*criteria: str) -> tuple[str, ...]:
    return tuple(f"criterion-below-minimum/{name}" for name in criteria)


def _scored(*scores: float) -> tuple[Given, ...]:
    """Three reviewers accept with the same scores; the tests passed."""
    return (*(review(name, ACCEPT, *scores) for name in ("ann", "ben", "cho")), tested())


def _votes(accepting: int, rejecting: int) -> tuple[Given, ...]:
    """Good scores, so many votes, and tests that passed."""
    votes = [ACCEPT] * accepting + [REJECT] * rejecting
    return (*(review(name, vote) for name, vote in zip(REVIEWERS, votes, strict=False)), tested())


_SCORES = (
    Case(
        "accepted-with-dissent",
        pair(),
        (
            review("ann", ACCEPT, 4, 5, 4, 3),
            review("ben", REJECT, 4, 4, 3, 2),
            review("cho", ACCEPT, 5, 5, 4, 4),
            tested(),
        ),
    ),
    # In binary floating point the weights of these give 3.9999999999999996.
    Case("accepted-at-the-bound", pair("B"), _scored(4, 4, 4, 4)),
    Case(
        "even-number-of-reviews",
        pair(),
        (
            review("ann", ACCEPT, 4, 4, 4, 3),
            review("ben", ACCEPT, 5, 4, 4, 3),
            review("cho", ACCEPT, 4, 4, 4, 3),
            review("dan", ACCEPT, 5, 4, 4, 3),
            tested(),
        ),
    ),
    Case("score-below", pair(), _scored(4, 4, 4, 3), _BELOW),
    Case("incorrect", pair(), _scored(3, 5, 5, 5), _minimum("correctness")),
    Case("not-as-instructed", pair(), _scored(5, 3.5, 5, 5), _minimum("instruction_adherence")),
    Case("without-evidence", pair(), _scored(5, 5, 2, 5), _minimum("reasoning_evidence")),
    Case("unreadable", pair(), _scored(5, 5, 5, 2), _minimum("readability")),
    Case(
        "score-and-minimums-below",
        pair(),
        _scored(3, 3, 5, 5),
        (*_BELOW, *_minimum("correctness", "instruction_adherence")),
    ),
)
_VOTES = (
    Case("all-reject", pair(), _votes(0, 3), ("review-rejected",)),
    Case("one-to-two", pair(), _votes(1, 2), _DISAGREEMENT),
    Case("two-to-two", pair(), _votes(2, 2), _DISAGREEMENT),
    Case("two-to-three", pair(), _votes(2, 3), _DISAGREEMENT),
    Case("three-to-two", pair(), _votes(3, 2)),
    Case(
        "one-to-one-held",
        pair(rubric=STYLE),
        (review("ann"), review("ben", REJECT)),
        _DISAGREEMENT,
    ),
)
_ADJUDICATED = (
    Case("adjudicated-to-accept", pair(), (*_votes(1, 2), adjudicated(LEAD))),
    Case("adjudicated-to-reject", pair(), (*_votes(2, 2), adjudicated(LEAD, REJECT)), ("adjudication-rejected",)),
    Case(
        "adjudicated-twice-alike",
        pair(),
        (*_votes(1, 2), adjudicated(LEAD), adjudicated(SECOND)),
    ),
    Case(
        "adjudicators-disagree",
        pair(),
        (*_votes(1, 2), adjudicated(LEAD), adjudicated(SECOND, REJECT)),
        ("adjudication-conflict",),
    ),
    Case(
        "adjudicated-on-privacy-alone", pair(), (*_votes(1, 2), adjudicated(PRIVACY, ACCEPT, "privacy")), _DISAGREEMENT
    ),
    Case("adjudicated-by-a-reviewer", pair(), (*_votes(1, 2), adjudicated(REVIEWING_ADJUDICATOR)), _DISAGREEMENT),
    Case(
        "adjudicated-by-another-as-well",
        pair(),
        (*_votes(1, 2), adjudicated(REVIEWING_ADJUDICATOR, REJECT), adjudicated(LEAD)),
    ),
    # The stream of adjudications refuses all copies, so none decides.
    Case(
        "adjudicated-twice-the-same",
        pair(),
        (*_votes(1, 2), *[adjudicated(LEAD, codes=("duplicate-record",))] * 2),
        _DISAGREEMENT,
    ),
    # An adjudication stands for votes that disagree, and for nothing else.
    Case("adjudicated-for-nothing", pair(), (*_votes(3, 0), adjudicated(LEAD, REJECT))),
    Case("adjudicated-below-score", pair(), (*_scored(4, 4, 4, 3), adjudicated(LEAD)), _BELOW),
    Case("adjudicated-but-incomplete", pair(), (*_votes(1, 1), adjudicated(LEAD)), _INCOMPLETE),
    Case(
        "adjudicated-but-failing",
        pair(),
        (*panel("ann", "ben", "cho"), tested(**failing("test_order")), adjudicated(LEAD)),
        ("gate-failed/required_tests_pass",),
    ),
)
_COUNTING = (
    Case("two-reviews", pair(), (*_PAIR, tested()), _INCOMPLETE),
    Case("judge-is-counted", pair(), (*_PAIR, judged(COUNTED), tested())),
    Case("judge-is-not-counted", pair(), (*_PAIR, judged(SCREEN), tested()), _INCOMPLETE),
    Case("judge-dissents-unheard", pair(), (*panel("ann", "ben", "cho"), judged(SCREEN, REJECT, 1, 1, 1, 1), tested())),
    Case(
        "own-review",
        pair(),
        (*_PAIR, review("dan", codes=("self-review",)), tested()),
        _INCOMPLETE,
        contributor="dan",
    ),
    Case(
        "reviewed-twice-by-one",
        pair(),
        (*_PAIR, review("ben", REJECT, 1, 1, 1, 1, codes=("duplicate-review",)), tested()),
        _INCOMPLETE,
    ),
    Case(
        "own-review-spelled-otherwise",
        pair(),
        (*_PAIR, review("DAN ", codes=("self-review",)), tested()),
        _INCOMPLETE,
        contributor="dan",
    ),
    Case(
        "reviewed-twice-in-two-spellings",
        pair(),
        (*_PAIR, review("Ben", codes=("duplicate-review",)), tested()),
        _INCOMPLETE,
    ),
    Case("spelled-otherwise", pair(), (*panel("ann", "Ben", " CHO"), tested())),
    Case(
        "judge-poses-as-a-person",
        pair(),
        (*_PAIR, review("Examiner", codes=("unauthorized-evidence",)), tested()),
        _INCOMPLETE,
    ),
    Case("contributor-unknown", pair(), (*panel("ann", "ben", "cho"), tested()), contributor=None),
    Case(
        "other-rubric-first",
        pair(),
        (
            *_PAIR,
            review(
                "cho",
                rubric_version=STYLE,
                scores={"readability": 4, "naming": 4},
                codes=("review-of-other-rubric",),
            ),
            review("cho"),
            tested(),
        ),
    ),
    Case(
        "reviewed-by-a-stranger",
        pair(),
        (*_PAIR, review("zed", codes=("unauthorized-evidence",)), tested()),
        _INCOMPLETE,
    ),
)
CASES: tuple[Case, ...] = (*_SCORES, *_VOTES, *_ADJUDICATED, *_COUNTING)
