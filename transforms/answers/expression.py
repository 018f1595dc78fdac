"""Expressions as plain trees, which nothing simplifies: what `grammar` reads and all later steps take."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Number:
    """An exact number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable that the task declares, or the constant of integration."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """One of "pi", "e", "i"."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of two or more terms."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """The product of two or more factors."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """The principal value of a power; division and roots are powers too."""

    base: Expression
    exponent: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """The principal value of one of `FUNCTIONS`, or of "sign", which no answer can write."""

    function: str
    argument: Expression


@dataclass(frozen=True, slots=True)
class Infinity:
    """An infinite answer; it is no part of an expression."""

    negative: bool


Expression = Number | Variable | Constant | Sum | Product | Power | Call
Item = Expression | Infinity

FUNCTIONS = ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "abs")
CONSTANTS = ("pi", "e", "i")

ZERO, ONE, MINUS_ONE, TWO = (Number(Fraction(value)) for value in (0, 1, -1, 2))
HALF = Number(Fraction(1, 2))


def negated(value: Expression) -> Expression:
    """-value"""
    return Number(-value.value) if isinstance(value, Number) else Product((MINUS_ONE, value))


def inverse(value: Expression) -> Expression:
    """1 / value"""
    return Power(value, MINUS_ONE)


def difference(first: Expression, second: Expression) -> Expression:
    """first - second"""
    return Sum((first, negated(second)))


def parts(value: Expression) -> tuple[Expression, ...]:
    """What the outermost operation of `value` is applied to."""
    match value:
        case Sum(terms):
            return terms
        case Product(factors):
            return factors
        case Power(base, exponent):
            return base, exponent
        case Call(_, argument):
            return (argument,)
    return ()


def size(value: Expression) -> int:
    """The number of nodes."""
    return 1 + sum(map(size, parts(value)))
