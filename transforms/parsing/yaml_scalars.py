"""What an unquoted YAML scalar is: a literal or number as JSON writes it, a text, or refused.

YAML 1.1 and 1.2 type unquoted scalars differently, and both type more than JSON has. Here a scalar spelt as
a JSON literal or number is that value. One that the core schema of YAML 1.2 (YAML 1.2.2, section 10.3.2)
types as null, boolean or number in another spelling is refused. Everything else is the text it shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite

from transforms.parsing.exact_numbers import Exact
from transforms.parsing.json_reference import (
    MAX_DIGITS,
    NON_FINITE_NUMBER,
    NUMBER_OUT_OF_RANGE,
    excerpt,
    loads_reference,
)
from transforms.records import Code, Finding, Severity, Stage

NON_JSON_SCALAR = Code(
    "non-json-scalar",
    Stage.PARSING,
    Severity.REJECT,
    "An unquoted YAML scalar that stands for null, a boolean or a number, but is not written as JSON writes "
    "it; nothing after a colon or dash counts too.",
    "trials: 0x1F, passed: True or reason: ~",
    "Write null, true, false and numbers as JSON does; put text that only looks like them between quotes.",
)
CODES: tuple[Code, ...] = (NON_JSON_SCALAR,)

Scalar = str | int | float | Decimal | bool | None

_LITERALS: dict[str, bool | None] = {"null": None, "true": True, "false": False}
# The first group that matches says what a scalar is; where none does, it is text.
_TYPED = re.compile(
    # RFC 8259, section 6.
    r"(?P<integer>-?(?:0|[1-9][0-9]*))"
    r"|(?P<real>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<literal>null|true|false)"
    # The last two are texts in YAML; but JSON's encoders write them for numbers.
    r"|(?P<non_finite>[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|NaN|-?Infinity)"
    # What is left of YAML 1.2's core schema.
    r"|(?P<foreign>|~|Null|NULL|True|TRUE|False|FALSE|0o[0-7]+|0x[0-9a-fA-F]+"
    r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)"
)
# Fifteen characters are below 2^53 whatever they are.
_SAFE_CHARACTERS = 15


@dataclass(frozen=True, slots=True)
class Refused:
    """A scalar that has no value: the code it has and what to say of it."""

    code: str
    message: str


def plain_scalar(text: str, *, exact: Exact | None = None) -> Scalar | Refused:
    """Type one unquoted scalar. With `exact`, numbers with a fraction or exponent come as Decimal.

    Limits and messages for numbers are those of `json_reference`, and for Decimals also those of `exact`.
    """
    typed = _TYPED.fullmatch(text)
    if typed is None:
        return text
    kind = typed.lastgroup
    if kind == "integer":
        return int(text) if len(text) <= _SAFE_CHARACTERS else _by_reference(text)
    if kind == "real":
        return _real(text, exact)
    if kind == "literal":
        return _LITERALS[text]
    if kind == "non_finite":
        return Refused(NON_FINITE_NUMBER.code, f"{excerpt(text)} is not a JSON number")
    shown = f"{excerpt(text)} is" if text else "a missing value counts as null but is"
    return Refused(NON_JSON_SCALAR.code, f"{shown} not written as JSON writes it")


def _real(text: str, exact: Exact | None) -> Scalar | Refused:
    number = float(text)
    value = number if isfinite(number) and len(text) <= MAX_DIGITS else _by_reference(text)
    if exact is None or isinstance(value, Refused):
        return value
    digits = exact(text)
    return digits if isinstance(digits, Decimal) else Refused(NUMBER_OUT_OF_RANGE.code, f"{excerpt(text)} {digits}")


def _by_reference(text: str) -> Scalar | Refused:
    """Leave a number that is long or not finite to the JSON reader, so that the limits are the same."""
    value: Scalar | Finding = loads_reference(text.encode(), 1)
    return Refused(value.code, value.message) if isinstance(value, Finding) else value
