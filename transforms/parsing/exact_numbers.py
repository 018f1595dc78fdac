"""Numbers with the digits in which they were written, where a double says the same of them.

Schemas and columns go by doubles, rules by the digits. Both must agree on whether a number is an integer and whether it
is zero: as a double 9.9999999999999999999 is 10, and cut to an integer it is 9.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

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
