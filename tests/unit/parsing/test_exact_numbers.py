"""Numbers with their digits as written, and those of which a double would say something else."""

from __future__ import annotations

from decimal import Decimal

import pytest

from transforms.parsing.exact_numbers import MOST_DIGITS, as_doubles, bounded_number, exact_number
from transforms.parsing.json_reference import parse_exact
from transforms.records import Finding

NO_INTEGER = "is no integer, but becomes one as a double"
NOT_ZERO = "is not zero, but becomes zero as a double"


@pytest.mark.parametrize(
    "text",
    [
        *("0.200000", "10.0", "10.00000000000000000000", "1e1", "100e-1", "-0.0", "0.000", "0e5", "0e-99", "-0e0"),
        *("9.99999999999999", "0.9999999999999999", "0.95000000000000000000001", "5e-324", "2.5e-324", "1e308"),
        *("9007199254740991.5e-1", "1E+3", "123456789012345678901234567890.0"),
    ],
)
def test_a_number_that_stays_what_it_is(text: str) -> None:
    number = exact_number(text)
    assert isinstance(number, Decimal)
    assert str(number) == str(Decimal(text))


@pytest.mark.parametrize("exponent", ["9" * 19, "-" + "9" * 19, "+" + "9" * 100])
def test_zero_with_an_exponent_beyond_those_of_decimals(exponent: str) -> None:
    assert repr(exact_number(f"0.0e{exponent}")) == repr(Decimal(0))


@pytest.mark.parametrize(
    "text",
    [
        *("9.9999999999999999999", "8.00000000000000000001", "-1.99999999999999999999", "0.99999999999999999999"),
        *("1.00000000000000000001", "0." + "9" * 1_000_000, "8." + "0" * 1_000_000 + "1", "99999999999999999999e-19"),
        *("9007199254740993.5", "4503599627370497.25"),
    ],
)
def test_a_fraction_that_becomes_an_integer(text: str) -> None:
    assert exact_number(text) == NO_INTEGER


@pytest.mark.parametrize("text", ["1e-400", "-1e-400", "0." + "0" * 400 + "1", "2e-324", "1e-" + "9" * 30, "0.5E-999"])
def test_a_number_that_becomes_zero(text: str) -> None:
    assert exact_number(text) == NOT_ZERO


def test_a_record_read_once_more() -> None:
    value = parse_exact(b' {"a": 1.50, "b": [1, 2E0, {"c": -0.0}], "d": "1.5", "\xc3\xa9": null}\r')
    expected = {"a": Decimal("1.50"), "b": [1, Decimal("2E0"), {"c": Decimal("-0.0")}], "d": "1.5", "é": None}
    assert repr(value) == repr(expected)


def test_the_first_number_that_a_double_misstates_is_named() -> None:
    data = b'{"a": [0.5, {"b/c": 9.9999999999999999999}], "d": 1e-400}'
    assert parse_exact(data) == Finding("number-out-of-range", f"'9.9999999999999999999' {NO_INTEGER}", "/a/1/b~1c")
    long = b'{"d": 0.' + b"0" * 10_000 + b"1}"
    assert parse_exact(long) == Finding("number-out-of-range", f"'0.{'0' * 38}'… {NOT_ZERO}", "/d")


@pytest.mark.parametrize(
    "text",
    [
        *("3.99999999999999999999", "1.50", "0e0", "-0.0", "1e49", "-1e-49", "0." + "9" * 49, "9" * 49 + ".0"),
        *("0e-49", "1e+0000049", "123e-45"),
    ],
)
def test_a_number_with_all_its_digits(text: str) -> None:
    number = bounded_number(text)
    assert isinstance(number, Decimal)
    assert str(number) == str(Decimal(text))
    assert len(f"{number:f}".lstrip("-").replace(".", "")) <= MOST_DIGITS


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1e50",
            "1e-50",
            "-1E-50",
            "0e-50",
            "0e50",
            "0." + "9" * 50,
            "9" * 50 + ".0",
            "1e308",
            "5e-324",
            "1e-999999999",
        ),
        *("0e-999999999", "0e999999999", "1e-" + "9" * 30, "0e" + "9" * 30, "1." + "0" * 1_000_000, "123e-50"),
    ],
    ids=lambda text: text[:20],
)
def test_a_number_of_more_digits(text: str) -> None:
    assert bounded_number(text) == "has over 50 digits"


def test_doubles_for_decimals() -> None:
    value = {"a": [Decimal("3.99999999999999999999"), 1, {"b": Decimal("0.10")}], "c": None, "d": True}
    assert repr(as_doubles(value)) == repr({"a": [4.0, 1, {"b": 0.1}], "c": None, "d": True})
