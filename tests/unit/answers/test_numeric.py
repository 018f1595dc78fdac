from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from transforms.answers.expected import NumericExpected, Rounding, RoundingMode, parse_expected
from transforms.answers.numeric import check_numeric, rounded_to
from transforms.answers.verdict import RIGHT

HALF_EVEN, HALF_UP, DOWN = RoundingMode


def expected(value: str, unit: str | None = None, **changes: Any) -> NumericExpected:
    document = {
        "type": "numeric",
        "value": value,
        "unit": unit,
        "absolute_tolerance": "0",
        "relative_tolerance": "0",
        "rounding": None,
    }
    parsed = parse_expected(document | changes)
    assert isinstance(parsed, NumericExpected)
    return parsed


def code(answer: str, value: str, unit: str | None = None, **changes: Any) -> str | None:
    verdict = check_numeric(answer, expected(value, unit, **changes))
    assert (verdict == RIGHT) == (verdict.code is None)
    assert len(verdict.message) < 200
    return verdict.code.code if verdict.code else None


MISMATCH, UNIT, UNPARSABLE = "numeric-answer-mismatch", "unit-mismatch", "unparsable-answer"


# Tolerance


@pytest.mark.parametrize(
    ("answer", "absolute", "relative", "found"),
    [
        ("100", "0", "0", None),
        ("100.0000", "0", "0", None),
        ("1e2", "0", "0", None),
        ("200/2", "0", "0", None),
        ("100.0000000000000000000000000000000000000001", "0", "0", MISMATCH),
        ("101", "1", "0", None),
        ("99", "1", "0", None),
        ("101.0001", "1", "0", MISMATCH),
        ("101", "0", "0.01", None),
        ("101.01", "0", "0.01", MISMATCH),  # the share is one of the expected value, not of the answer
        ("102", "1", "0.02", None),  # the larger of the two counts
        ("102", "2", "0.01", None),
        ("102.5", "2", "0.02", MISMATCH),
        ("-100", "1", "0.01", MISMATCH),
    ],
)
def test_tolerances(answer: str, absolute: str, relative: str, found: str | None) -> None:
    assert code(answer, "100", absolute_tolerance=absolute, relative_tolerance=relative) == found


def test_no_binary_rounding() -> None:
    assert code("0.3", "0.2", absolute_tolerance="0.1") is None
    assert code("0.1", "1/10") is None
    assert code("0.333", "1/3", absolute_tolerance="0.000333") == MISMATCH
    assert code("0.333", "1/3", absolute_tolerance="0.000334") is None
    assert code("-1/3", "-1/3") is None


def test_a_relative_tolerance_of_a_negative_value() -> None:
    assert code("-99", "-100", relative_tolerance="0.01") is None
    assert code("-98.9", "-100", relative_tolerance="0.01") == MISMATCH


# Rounding

TO_2_PLACES = {"places": 2, "mode": "half-even"}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("9.80665", None),
        ("9.8067", None),  # more digits than asked for are no fault
        ("9.81", None),
        ("9.8100", None),
        ("9.8", MISMATCH),
        ("9.82", MISMATCH),
        ("10", MISMATCH),
    ],
)
def test_an_answer_rounded_as_permitted(answer: str, found: str | None) -> None:
    assert code(answer, "9.80665", rounding=TO_2_PLACES) == found


def test_what_is_close_without_rounding_is_right_though_rounding_tears_it_apart() -> None:
    assert code("9.8151", "9.8149", absolute_tolerance="0.001", rounding=TO_2_PLACES) is None


@pytest.mark.parametrize(
    ("value", "rounding", "rounded"),
    [
        ("2.5", Rounding(HALF_EVEN, places=0), "2"),
        ("3.5", Rounding(HALF_EVEN, places=0), "4"),
        ("2.5", Rounding(HALF_UP, places=0), "3"),
        ("-2.5", Rounding(HALF_UP, places=0), "-3"),
        ("-2.5", Rounding(HALF_EVEN, places=0), "-2"),
        ("2.9", Rounding(DOWN, places=0), "2"),
        ("-2.9", Rounding(DOWN, places=0), "-2"),
        ("0.4", Rounding(DOWN, places=0), "0"),
        ("1234", Rounding(HALF_EVEN, places=-2), "1200"),
        ("0.125", Rounding(HALF_EVEN, places=2), "0.12"),
        ("0.1250000000000000000001", Rounding(HALF_EVEN, places=2), "0.13"),
        ("2/3", Rounding(HALF_UP, places=3), "0.667"),
        ("0", Rounding(HALF_UP, significant=3), "0"),
        ("9.995", Rounding(HALF_UP, significant=3), "10"),
        ("9.994", Rounding(HALF_UP, significant=3), "9.99"),
        ("1", Rounding(HALF_UP, significant=1), "1"),
        ("10", Rounding(HALF_UP, significant=1), "10"),
        ("0.00012345", Rounding(HALF_EVEN, significant=4), "0.0001234"),
        ("-98765", Rounding(DOWN, significant=2), "-98000"),
        ("999999", Rounding(HALF_UP, significant=3), "1e6"),
    ],
)
def test_rounding(value: str, rounding: Rounding, rounded: str) -> None:
    assert rounded_to(Fraction(value), rounding) == Fraction(rounded)


@pytest.mark.parametrize("power", [-999, -308, -17, -1, 0, 1, 2, 15, 300, 999])
def test_significant_digits_at_powers_of_ten(power: int) -> None:
    ten = Fraction(10) ** power
    assert rounded_to(ten, Rounding(DOWN, significant=1)) == ten
    assert rounded_to(ten * Fraction("9.99"), Rounding(DOWN, significant=1)) == 9 * ten
    assert rounded_to(ten * Fraction("1.99"), Rounding(DOWN, significant=2)) == ten * Fraction("1.9")


def test_rounding_is_done_in_the_expected_unit() -> None:
    assert code("981.4 cm/s^2", "9.81", "m/s^2", rounding=TO_2_PLACES) is None
    assert code("981.6 cm/s^2", "9.81", "m/s^2", rounding=TO_2_PLACES) == MISMATCH


# Units


@pytest.mark.parametrize(
    ("answer", "value", "unit", "found"),
    [
        ("36 km/h", "10", "m/s", None),
        ("10 m/s", "36", "km/h", None),
        ("1 N m", "1", "J", None),
        ("1 kWh", "3.6e6", "J", None),
        ("60 min", "1", "h", None),
        ("1 L", "1000", "cm^3", None),
        ("5/9 mm", "5/9000", "m", None),
        ("180°", "3.14159", "rad", MISMATCH),
        ("10", "10", "m/s", UNIT),
        ("10 m", "10", "m/s", UNIT),
        ("10 m/s", "10", None, UNIT),
        ("10 rad", "10", None, UNIT),
        ("10 rad/s", "10", "Hz", UNIT),  # an angle is a dimension here
        ("10 apples", "10", "m", UNPARSABLE),
        ("10 m kg", "10", "m", UNIT),
        ("9 m", "10", "m/s", UNIT),  # the unit is judged before the number
        # Percent is a number
        ("45%", "0.45", None, None),
        ("45 %", "45", "%", None),
        ("0.45", "45", "%", UNIT),
        ("450000 ppm", "45", "%", None),
        ("45%", "45", None, MISMATCH),
        # Temperatures, and their differences
        ("25 °C", "298.15", "K", None),
        ("298.15 K", "25", "°C", None),
        ("77 °F", "25", "°C", None),
        ("-40°F", "-40", "°C", None),
        ("5 °C", "5", "K", MISMATCH),
        ("5 °C", "5", "delta_degC", None),
        ("9 °F", "5", "Δ°C", None),
        ("5 K", "5", "delta_degC", None),
        ("4.18 J/(g °C)", "4.18", "J/(g K)", None),
    ],
)
def test_units(answer: str, value: str, unit: str | None, found: str | None) -> None:
    assert code(answer, value, unit) == found


def test_accepted_units() -> None:
    assert code("1 J", "1", "N m") is None
    assert code("1 J", "1", "N m", accepted_units=[]) == UNIT
    assert code("1 m N", "1", "N m", accepted_units=[]) is None
    assert code("1 J", "1", "N m", accepted_units=["J"]) is None
    assert code("1 kJ", "1000", "N m", accepted_units=["J"]) == UNIT
    assert code("100 cm/s", "1", "m/s", accepted_units=["cm s^-1"]) is None
    assert code("5 °C", "5", "delta_degC", accepted_units=[]) is None


def test_no_unit_written_may_be_accepted() -> None:
    assert code("3.14", "3.14", "rad") == UNIT
    assert code("3.14", "3.14", "rad", accepted_units=[None]) is None
    assert code("45", "45", "%", accepted_units=[None]) is None
    assert code("45 m", "45", "%", accepted_units=[None]) == UNIT


def test_a_tolerance_is_in_the_expected_unit() -> None:
    assert code("1.9 m", "200", "cm", absolute_tolerance="10") is None
    assert code("1.89 m", "200", "cm", absolute_tolerance="10") == MISMATCH
    assert code("26 °C", "25", "°C", relative_tolerance="0.04") is None


# Messages


def test_messages_do_not_tell_what_is_expected() -> None:
    wanted = expected("9.81", "m/s^2")
    answers = ("9.7 m/s^2", "9.7 kg", "9.7", "x" * 2000, "9.7 smoot")
    messages = [check_numeric(answer, wanted).message for answer in answers]
    assert messages == [
        '"9.7 m/s^2" is beyond the tolerance of the task',
        'the unit "kg" has another dimension than what the task asks for',
        "the answer has no unit, the task asks for one",
        "it has 2000 characters, an answer at most 1000",
        'no unit is known that is written "smoot"',
    ]


def test_the_largest_numbers_are_bounded() -> None:
    assert code("1e999 Ym^12*ym^-12*m", "1", "m", rounding={"significant": 3, "mode": "half-up"}) == MISMATCH
    assert code("1e-999 deg^12*arcmin^-12*rad", "1", "rad", rounding=TO_2_PLACES) == MISMATCH
    assert code("1e9999 m", "1", "m") == UNPARSABLE


def test_an_unsound_expected_answer_is_the_callers_fault() -> None:
    with pytest.raises(ValueError, match=r"of the expected answer, no unit is known"):
        check_numeric("5 m", expected("5", "furlong"))
