"""Numbers as they are stated: rounded to so many digits, and compared exactly with what they stand for."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from typing import Any, TypeAlias

FEWEST_DIGITS, MOST_DIGITS = 4, 9

Number: TypeAlias = int | float | Decimal

# More digits than any rule looks at; it bounds the time that a literal of a million digits costs.
_KEPT = Context(prec=40)
_LEAST_EXPONENT = -40
_LONGEST_SHOWN = 40


def agrees(stated: Number, exact: Fraction | float, doubt: float = 0.0) -> bool:
    """Whether `stated` is `exact` rounded to the digits after the point that it is stated in.

    It may be off by half a unit of its last digit; at an exact half both neighbours are right. A `Decimal` has the
    digits of its literal. A float has those of its `repr`, the shortest decimal that reads back as the same float:
    the literal as written but for its trailing zeros. Fewer than 4 digits count as 4, more than 9 as 9. `doubt` is
    how far `exact` itself may be off; at most another half unit of it counts. All but the doubt is compared
    in integers. Raises ValueError where `stated` is not finite.
    """
    written = stated if isinstance(stated, Decimal) else Decimal(repr(stated))
    exponent = written.as_tuple().exponent
    if not isinstance(exponent, int):
        raise ValueError(f"{stated!r} is not finite")
    units = 10 ** min(max(-exponent, FEWEST_DIGITS), MOST_DIGITS)
    kept = _KEPT.plus(written) if written.adjusted() >= _LEAST_EXPONENT else Decimal(0)
    (a, b), (c, d) = kept.as_integer_ratio(), exact.as_integer_ratio()
    off, half = 2 * units * abs(a * d - c * b), b * d
    return off <= half or (doubt > 0 and off <= 2 * half and (off - half) / half <= 2 * units * doubt)


def is_number(value: Any) -> bool:
    """Whether a parsed value is a number; `true` is none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def is_count(value: Any) -> bool:
    """Whether a parsed value is an integer from 0, which may be written 10.0."""
    return is_number(value) and value >= 0 and value == int(value)


def shown(number: Number) -> str:
    """A number as a message quotes it: with the digits as written, cut after 40 characters.

    A `Decimal` is written without an exponent, unless that would take more zeros than such a cut leaves.
    """
    is_plain = isinstance(number, Decimal) and abs(number.adjusted()) < _LONGEST_SHOWN
    text = f"{number:f}" if is_plain else str(number)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
