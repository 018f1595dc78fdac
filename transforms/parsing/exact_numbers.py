"""Numbers with the digits in which they were written, where a double says the same of them.

Schemas and columns go by doubles, rules by the digits. Both must agree on whether a number is an integer and whether it
is zero: as a double 9.9999999999999999999 is 10, and cut to an integer it is 9. Numbers that are weighed and
no more need no such agreement, but a bound: arithmetic on 1e-999999999 would write all its zeros.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

Exact = Callable[[str], Decimal | str]
"""Reads a number that has a fraction or an exponent, and that no double overflows for; text says what is wrong."""

MOST_DIGITS = 50
"""The most digits of a number that is weighed, written without an exponent; zeros count, so 0.001 has four."""

# More than sign, point, exponent and its sign can take beside that many digits.
_LONGEST_TEXT = 2 * MOST_DIGITS
_NOT_ZERO = re.compile(r"-?[0.]*[1-9]")


def exact_number(text: str) -> Decimal | str:
    """The number that `text` writes as JSON does, with a fraction or an exponent, and that no double overflows for.

    Or what is wrong with it: it is no integer, or not zero, and its double is.
    """
    double = float(text)
    if double == 0 and _NOT_ZERO.match(text):
        return "is not zero, but becomes zero as a double"
    try:
        number = Decimal(text)
    except InvalidOperation:
        # Decimal takes exponents of 18 digits, and with a longer one a finite number is zero.
        return Decimal(0)
    if double.is_integer() and number != number.to_integral_value():
        return "is no integer, but becomes one as a double"
    return number


def bounded_number(text: str) -> Decimal | str:
    """The number that `text` writes, as in `exact_number`, with all its digits; or that there are more than 50."""
    too_long = f"has over {MOST_DIGITS} digits"
    if len(text) > _LONGEST_TEXT:
        return too_long
    try:
        number = Decimal(text)
    except InvalidOperation:
        return too_long
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int), "JSON has no other numbers"
    return number if max(number.adjusted() + 1, 1) + max(-exponent, 0) <= MOST_DIGITS else too_long


def as_doubles(value: Any) -> Any:
    """The JSON value with doubles for its decimals."""
    if type(value) is dict:
        return {key: as_doubles(member) for key, member in value.items()}
    if type(value) is list:
        return [as_doubles(item) for item in value]
    return float(value) if type(value) is Decimal else value
