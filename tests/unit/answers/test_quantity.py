from __future__ import annotations

from fractions import Fraction

import pytest

from transforms.answers.quantity import Quantity, parse_quantity
from transforms.answers.verdict import UnparsableError


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("9.81", Fraction(981, 100), ""),
        (" 9.81 \n", Fraction(981, 100), ""),
        ("9.81.", Fraction(981, 100), ""),
        (".5", Fraction(1, 2), ""),
        ("007", Fraction(7), ""),
        ("+5", Fraction(5), ""),
        ("- 5", Fraction(-5), ""),
        ("−5", Fraction(-5), ""),
        ("-0", Fraction(0), ""),
        # Groups of exactly three digits, with one separator throughout
        ("1,200", Fraction(1200), ""),
        ("1,234,567.5", Fraction(2469135, 2), ""),
        ("12 000", Fraction(12000), ""),
        ("12\u202f000", Fraction(12000), ""),
        ("12\u2009000\u2009000", Fraction(12_000_000), ""),
        ("12\\,000", Fraction(12000), ""),
        ("12{,}000", Fraction(12000), ""),
        # Exponents
        ("1.5e-3", Fraction(3, 2000), ""),
        ("2E5", Fraction(200_000), ""),
        ("6.02×10^23", Fraction(602 * 10**21), ""),
        ("6.02 x 10^23", Fraction(602 * 10**21), ""),
        ("6.02*10**23", Fraction(602 * 10**21), ""),
        ("6.02·10²³", Fraction(602 * 10**21), ""),
        ("2 × 10⁻³", Fraction(1, 500), ""),
        ("2\\times 10^{-3}", Fraction(1, 500), ""),
        ("2\\cdot10^(-3)", Fraction(1, 500), ""),
        ("10^5", Fraction(100_000), ""),
        ("-10^-2", Fraction(-1, 100), ""),
        ("10³", Fraction(1000), ""),
        ("1e999", Fraction(10**999), ""),
        # Fractions
        ("3/4", Fraction(3, 4), ""),
        ("-1.5 / 2", Fraction(-3, 4), ""),
        ("\\frac{1}{3}", Fraction(1, 3), ""),
        ("-\\dfrac{1}{3} m", Fraction(-1, 3), "m"),
        # What stands around it
        ("x = 5", Fraction(5), ""),
        ("v(t) = 5", Fraction(5), ""),
        ("x_1 ≈ 5", Fraction(5), ""),
        ("θ = 5", Fraction(5), ""),
        ("$5$", Fraction(5), ""),
        ("$\\boxed{5}$.", Fraction(5), ""),
        ("\\(x = 5\\)", Fraction(5), ""),
        # What follows is a unit's text, to be read by another grammar
        ("5 m", Fraction(5), "m"),
        ("5m", Fraction(5), "m"),
        ("5 m.", Fraction(5), "m"),
        ("3/4 m", Fraction(3, 4), "m"),
        ("3/s", Fraction(3), "/s"),
        ("45%", Fraction(45), "%"),
        ("45 \\%", Fraction(45), "\\%"),
        ("−5 °C", Fraction(-5), "°C"),
        ("2eV", Fraction(2), "eV"),
        ("2 eV", Fraction(2), "eV"),
        ("1e5m", Fraction(100_000), "m"),
        ("9.81 m·s⁻²", Fraction(981, 100), "m*s^{-2}"),
        ("5\\,\\text{m}", Fraction(5), "\\text{m}"),
        ("1" * 100, Fraction(int("1" * 100)), ""),
    ],
)
def test_a_number_and_its_unit(text: str, value: Fraction, unit: str) -> None:
    assert parse_quantity(text) == Quantity(value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "-",
        "m",
        "about 5",
        "five",
        "inf",
        "nan",
        "~5",
        "5 ± 1",
        "5-6",
        "3,14",
        "1,23",
        "1,2345",
        "1,234,56",
        "1,234 567",
        "1234,567",
        "12 0000",
        "1_000",
        "1.2.3",
        "3 4",
        "1 1/2",
        "5 1/s",
        "1e1000",
        "1e-3e5",
        "10^2^3",
        "10^5e3",
        "2²",
        "10^1.5",
        "2^10",
        "x = y = 5",
        "x = 2*3 = 6",
        "5(m)",
        "$5",
        "$5$ or $6$",
        "(5)",
        "--5",
        "٣",
        "５",
        "𝟝",
        "²",
        "½",
        "Ⅷ",
        "5\u200b",
        "5\x00",
        "1" * 101,
        "0." + "1" * 100,
        "9" * 1001,
    ],
)
def test_no_number(text: str) -> None:
    with pytest.raises(UnparsableError) as caught:
        parse_quantity(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("text", ["1/0", "1/0.00", "\\frac{1}{0} m"])
def test_division_by_zero(text: str) -> None:
    with pytest.raises(UnparsableError, match="it divides by zero"):
        parse_quantity(text)


@pytest.mark.parametrize("text", ["1/2/3", "0x10", "5 e3", "5 é"])
def test_what_only_the_grammar_of_units_refuses(text: str) -> None:
    assert parse_quantity(text).unit
