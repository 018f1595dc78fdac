"""Numbers as they are stated: rounded to so many digits, and compared exactly with what they stand for."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

FEWEST_DIGITS, MOST_DIGITS = 4, 9

_NONE = Fraction(0)


def agrees(stated: float, exact: Fraction, doubt: Fraction = _NONE) -> bool:
    """Whether `stated` is `exact` rounded to the digits after the point that it is stated in.

    It may be off by half a unit of its last digit; at an exact half both neighbours are right. The digits are
    those of `repr`, the shortest decimal that reads back as the same float: the literal as written, but for
    its trailing zeros. So fewer than 4 digits count as 4, and more than 9 as 9. `doubt` is how far `exact`
    itself may be off; at most another half unit of it counts.
    """
    written = Decimal(repr(stated))
    exponent = written.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{stated!r} is not finite")
    half = Fraction(1, 2 * 10 ** min(max(-exponent, FEWEST_DIGITS), MOST_DIGITS))
    return abs(Fraction(written) - exact) <= half + min(doubt, half)
