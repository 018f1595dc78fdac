"""Is a number with its unit the one that the task expects? Exact fractions throughout."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10

from transforms.answers.expected import NumericExpected, Rounding, RoundingMode
from transforms.answers.quantity import Quantity, parse_quantity
from transforms.answers.units import Unit, measure, parse_unit
from transforms.answers.verdict import (
    NUMERIC_ANSWER_MISMATCH,
    RIGHT,
    UNIT_MISMATCH,
    UNPARSABLE_ANSWER,
    AnswerVerdict,
    UnparsableError,
)
from transforms.rules.text import excerpt


def check_numeric(answer: str, expected: NumericExpected) -> AnswerVerdict:
    """The verdict on an answer; a unit is judged before the number."""
    try:
        quantity = parse_quantity(answer)
        value = _in_expected_unit(quantity, expected)
    except UnparsableError as fault:
        return AnswerVerdict(UNPARSABLE_ANSWER, str(fault))
    if isinstance(value, AnswerVerdict):
        return value
    if _close(value, expected.value, expected):
        return RIGHT
    rounding = expected.rounding
    if rounding and _close(rounded_to(value, rounding), rounded_to(expected.value, rounding), expected):
        return RIGHT
    return AnswerVerdict(NUMERIC_ANSWER_MISMATCH, f"{excerpt(answer)} is beyond the tolerance of the task")


def declared_units(expected: NumericExpected) -> tuple[Unit, tuple[Unit, ...]]:
    """The unit of the expected number, and the other units that are accepted.

    Raises ValueError for one that is not known.
    """
    try:
        wanted = parse_unit(expected.unit) if expected.unit is not None else Unit(())
        return wanted, tuple(parse_unit(unit) for unit in expected.accepted_units or () if unit is not None)
    except UnparsableError as fault:
        raise ValueError(f"of the expected answer, {fault}") from fault


def _in_expected_unit(quantity: Quantity, expected: NumericExpected) -> Fraction | AnswerVerdict:
    accepted = expected.accepted_units
    wanted, also = declared_units(expected)
    if not quantity.unit:
        if not wanted.factors or (accepted is not None and None in accepted):
            return quantity.value
        return AnswerVerdict(UNIT_MISMATCH, "the answer has no unit, the task asks for one")
    given = parse_unit(quantity.unit)
    if wanted.is_difference:
        given = given.as_difference()
    if accepted is not None and given != wanted and given not in also:
        return AnswerVerdict(UNIT_MISMATCH, f"the task does not accept the unit {excerpt(quantity.unit)}")
    have, want = measure(given), measure(wanted)
    if have.dimension != want.dimension:
        asked = "another dimension than" if wanted.factors else "a dimension, unlike"
        return AnswerVerdict(UNIT_MISMATCH, f"the unit {excerpt(quantity.unit)} has {asked} what the task asks for")
    return (quantity.value * have.scale + have.offset - want.offset) / want.scale


def _close(value: Fraction, target: Fraction, expected: NumericExpected) -> bool:
    bound = max(expected.absolute_tolerance, expected.relative_tolerance * abs(expected.value))
    return abs(value - target) <= bound


def rounded_to(value: Fraction, rounding: Rounding) -> Fraction:
    """`value` rounded as declared; "half-up" is away from zero at a half, "down" is towards zero."""
    if value == 0:
        return value
    if rounding.places is not None:
        places = rounding.places
    else:
        places = (rounding.significant or 1) - 1 - _magnitude(abs(value))
    step = Fraction(10) ** places
    return _whole(value * step, rounding.mode) / step


def _magnitude(value: Fraction) -> int:
    """The power of ten of the first digit of a positive number: 0 for 1 to 9.99…"""
    power = floor((value.numerator.bit_length() - value.denominator.bit_length()) * log10(2))
    while value >= Fraction(10) ** (power + 1):
        power += 1
    while value < Fraction(10) ** power:
        power -= 1
    return power


def _whole(value: Fraction, mode: RoundingMode) -> int:
    if mode is RoundingMode.HALF_EVEN:
        return round(value)
    size = floor(abs(value) + Fraction(1, 2)) if mode is RoundingMode.HALF_UP else floor(abs(value))
    return size if value > 0 else -size
