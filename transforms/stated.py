"""Numbers as they are stated: rounded to so many digits, and compared exactly with what they stand for."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

FEWEST_DIGITS, MOST_DIGITS = 4, 9


def agrees(stated: float, exact: Fraction | float, doubt: float = 0.0) -> bool:
    """Whether `stated` is `exact` rounded to the digits after the point that it is stated in.

    It may be off by half a unit of its last digit; at an exact half both neighbours are right. The digits are
    those of `repr`, the shortest decimal that reads back as the same float: the literal as written, but for
    its trailing zeros. So fewer than 4 digits count as 4, and more than 9 as 9. `doubt` is how far `exact`
    itself may be off; at most another half unit of it counts. All is compared in integers but the doubt.
    """
    written = Decimal(repr(stated))
    exponent = written.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{stated!r} is not finite")
    units = 10 ** min(max(-exponent, FEWEST_DIGITS), MOST_DIGITS)
    (a, b), (c, d) = written.as_integer_ratio(), exact.as_integer_ratio()
    off, half = 2 * units * abs(a * d - c * b), b * d
    return off <= half or (doubt > 0 and off <= 2 * half and (off - half) / half <= 2 * units * doubt)
