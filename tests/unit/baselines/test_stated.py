"""Numbers to the digits they are stated in."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from transforms.baselines.stated import Number, agrees, is_count, is_number, shown

THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("stated", "exact"),
    [
        (0.3333, THIRD),
        (Decimal("0.3333"), THIRD),
        (Decimal("0.333333333333333333333333"), THIRD),
        (0.2, Fraction(20005, 100000)),  # 0.2000
        (Decimal("0.2"), Fraction(20005, 100000)),
        (1, Fraction(1)),
        (Decimal("1E-5"), Fraction(1, 100000)),
        (1e-05, Fraction(1, 100000)),
        (0.0625, Fraction(1, 16)),
        (0.1, Fraction(1, 10)),
        (1e16, Fraction(10**16)),
        (5e-324, Fraction(0)),
        (Decimal("1E-999999"), Fraction(0)),
        (0.5, 0.5),
    ],
)
def test_agrees(stated: Number, exact: Fraction | float) -> None:
    assert agrees(stated, exact)


@pytest.mark.parametrize(
    ("stated", "exact"),
    [
        (0.333, THIRD),
        (0.33334, THIRD),
        (Decimal("0.200000"), Fraction(2000006, 10000000)),
        (0.2, Fraction(200051, 1000000)),
        (1e16, Fraction(10**16 + 1)),
        (0.5, 0.5 + 2**-12),
    ],
)
def test_disagrees(stated: Number, exact: Fraction | float) -> None:
    assert not agrees(stated, exact)


def test_at_an_exact_half_both_neighbours_are_right() -> None:
    half = Fraction(31255, 10**6)  # 0.031255, stated in 5 digits
    assert [agrees(stated, half) for stated in (0.03124, 0.03125, 0.03126, 0.03127)] == [False, True, True, False]
    beyond = half + Fraction(1, 10**30)
    assert [agrees(stated, beyond) for stated in (0.03125, 0.03126)] == [False, True]


def test_a_doubt_counts_up_to_half_a_unit() -> None:
    beyond = Fraction(31255, 10**6) + Fraction(1, 10**14)
    assert not agrees(0.03125, beyond, 1e-15)
    assert agrees(0.03125, beyond, 1e-13)
    assert agrees(0.03125, Fraction(3126, 10**5), 1.0)
    assert not agrees(0.03125, Fraction(31261, 10**6), 1.0)


def test_a_literal_of_a_million_digits_is_no_work() -> None:
    assert agrees(Decimal("0." + "3" * 1_000_000), THIRD)


@pytest.mark.parametrize("stated", [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity")])
def test_what_is_not_finite_is_refused(stated: Number) -> None:
    with pytest.raises(ValueError, match="not finite"):
        agrees(stated, THIRD)


@pytest.mark.parametrize(
    ("value", "number", "count"),
    [
        (0, True, True),
        (10.0, True, True),
        (Decimal("10.0"), True, True),
        (Decimal("10.5"), True, False),
        (-1, True, False),
        (-0.0, True, True),
        (1.5, True, False),
        (True, False, False),
        ("1", False, False),
        (None, False, False),
    ],
)
def test_what_is_a_number_and_what_a_count(value: Any, number: bool, count: bool) -> None:
    assert (is_number(value), is_count(value)) == (number, count)


def test_numbers_in_messages() -> None:
    assert [shown(number) for number in (3, 0.983, Decimal("0.9830"))] == ["3", "0.983", "0.9830"]
    assert shown(Decimal("0." + "3" * 1000)) == "0." + "3" * 38 + "…"
    assert shown(10**300) == "1" + "0" * 39 + "…"


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("1E-7", "0.0000001"),
        ("1.20e-5", "0.0000120"),
        ("0E-7", "0.0000000"),
        ("1e3", "1000"),
        ("-1e-30", "-0.000000000000000000000000000001"),
        ("1e-39", "0." + "0" * 38 + "…"),
        ("1e-40", "1E-40"),
        ("0e-999999999", "0E-999999999"),
        ("1e300", "1E+300"),
    ],
)
def test_decimals_are_shown_plainly(written: str, text: str) -> None:
    assert shown(Decimal(written)) == text
