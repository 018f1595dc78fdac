"""The arithmetic of decisions: exact, over decimals of any size, and written in plain digits."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from evidence_values import CODE, N, Y, review

from transforms.acceptance.decision import decide, independent, median, plain, weighted_score
from transforms.acceptance.values import Criterion, CriterionResult, Evidence, ReviewPolicy
from transforms.records import Outcome


def test_ten_weights_of_a_tenth_make_one() -> None:
    """In binary floating point they make 0.9999999999999999."""
    tenths = tuple(Criterion(f"c{at}", Decimal("0.1"), Decimal(1)) for at in range(10))
    rubric = replace(CODE, criteria=tenths, gates=(), policy=ReviewPolicy())
    decision = decide(rubric, (), Evidence((review("r1", Y, {f"c{at}": "4" for at in range(10)}),)))
    assert (decision.outcome, decision.weighted) == (Outcome.ACCEPTED, Decimal(4))


def test_the_widest_doubles_are_weighed_exactly() -> None:
    rubric = replace(
        CODE, criteria=(Criterion("a", Decimal("5e-324"), Decimal(0)), Criterion("b", Decimal(1), Decimal(0)))
    )
    scores = (Decimal("5e-324"), Decimal("1.7976931348623157e308"))
    results = [CriterionResult(name, (score,), score, Decimal(0)) for name, score in zip("ab", scores, strict=True)]
    digits = plain(weighted_score(rubric, results))
    assert digits.startswith("17976931348623157") and digits.endswith("00025")
    assert len(digits) == 309 + 1 + 648


def test_independent_reviews_keep_their_order() -> None:
    given = (review("b"), review("judge", independent=False), review("a"), review("b", N))
    assert [(one.reviewer, one.vote) for one in independent(given)] == [("b", Y), ("a", Y)]


@pytest.mark.parametrize(
    ("scores", "middle"),
    [
        ("3", "3"),
        ("3 4", "3.5"),
        ("5 1 2", "2"),
        ("1 1 5 5", "3"),
        ("4.1 4.2", "4.15"),
        ("-1 1", "0"),
        ("2 2 2 2", "2"),
    ],
)
def test_the_median(scores: str, middle: str) -> None:
    assert median([Decimal(score) for score in scores.split()]) == Decimal(middle)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("4", "4"),
        ("4.0", "4"),
        ("4.000", "4"),
        ("3.850", "3.85"),
        ("400", "400"),
        ("4E+2", "400"),
        ("4.5E-7", "0.00000045"),
        ("0", "0"),
        ("-0", "0"),
        ("-0.00", "0"),
        ("0E+3", "0"),
        ("0E-9", "0"),
        ("-3.10", "-3.1"),
        ("3." + "9" * 50, "3." + "9" * 50),
    ],
)
def test_plain_digits(number: str, text: str) -> None:
    assert plain(Decimal(number)) == text


@pytest.mark.parametrize("number", ["NaN", "sNaN", "Infinity", "-Infinity"])
def test_what_has_no_digits(number: str) -> None:
    with pytest.raises(ValueError, match="no digits"):
        plain(Decimal(number))
