"""A number and the text of its unit, read by a strict grammar: docs/rules-math.md has it in full."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from transforms.answers.surface import bare, plain, without_label
from transforms.answers.verdict import UnparsableError
from transforms.rules.text import excerpt

_MOST_DIGITS = 100
# Digits are ASCII; a comma or blank between them stands before exactly three, or it is refused.
_WHOLE = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?: [0-9]{3})+|[0-9]+)(?![0-9])"
_DECIMAL = rf"(?:{_WHOLE}(?:\.[0-9]+)?|\.[0-9]+)"
_UNGROUPED = r"[0-9]+(?:\.[0-9]+)?"
_EXPONENT = r"[+-]?[0-9]{1,3}(?![0-9])"
_POWER_OF_TEN = rf"10(?:\^|\*\*)(?:(?P<power>{_EXPONENT})|\{{(?P<braced>{_EXPONENT})\}}|\((?P<bracketed>{_EXPONENT})\))"
_FORMS = (
    re.compile(rf"\\[dt]?frac ?\{{(?P<over>{_UNGROUPED})\}} ?\{{(?P<under>{_UNGROUPED})\}}"),
    re.compile(rf"(?P<over>{_UNGROUPED}) ?/ ?(?P<under>{_UNGROUPED})"),
    re.compile(_POWER_OF_TEN),
    re.compile(rf"(?P<mantissa>{_DECIMAL})(?:[eE](?P<letter>{_EXPONENT})| ?[*xX] ?{_POWER_OF_TEN})?"),
)
_SIGN = re.compile(r"[+-]? ?")
# What may follow a number: a unit, never more digits, a second exponent or anything else.
_AFTER = re.compile(r"(?![eE][+-]?[0-9])(?: ?[^\W\d_]| ?[/\\°%‰]|$)")
_HINT = "write a number such as 9.81, -1,200, 3/4 or 6.02×10^23, then its unit"


@dataclass(frozen=True, slots=True)
class Quantity:
    """An exact number and what is written after it, "" for nothing."""

    value: Fraction
    unit: str


def parse_quantity(text: str) -> Quantity:
    """The number that `text` states and the text of its unit.

    Raises UnparsableError, with a bounded message, where it states no number or more than one.
    """
    stated = without_label(plain(bare(text)).replace("{,}", ","))
    sign = _SIGN.match(stated)
    start = sign.end() if sign else 0
    for form in _FORMS:
        match = form.match(stated, start)
        if match and _AFTER.match(stated, match.end()):
            size = _size(match.groupdict())
            return Quantity(-size if stated.startswith("-") else size, stated[match.end() :].strip(" "))
    raise UnparsableError(f"{excerpt(text)} is no number with a unit: {_HINT}")


def _size(found: dict[str, str | None]) -> Fraction:
    if over := found.get("over"):
        under = _decimal(found["under"] or "")
        if under == 0:
            raise UnparsableError("it divides by zero")
        return _decimal(over) / under
    exponents = (found.get(name) for name in ("letter", "power", "braced", "bracketed"))
    exponent = next((int(digits) for digits in exponents if digits), 0)
    return _decimal(found.get("mantissa") or "1") * Fraction(10) ** exponent


def _decimal(digits: str) -> Fraction:
    digits = digits.replace(",", "").replace(" ", "")
    if len(digits) > _MOST_DIGITS:
        raise UnparsableError(f"a number has more than {_MOST_DIGITS} digits")
    return Fraction(digits)
