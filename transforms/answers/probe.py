"""The values of an expression at fixed points of its domain: a disproof of equality, never a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import cache, reduce

from transforms.answers.ball import BallArithmetic, UndefinedError, Value
from transforms.answers.expected import Domain
from transforms.answers.expression import Call, Constant, Expression, Number, Power, Product, Sum, Variable, parts, size
from transforms.answers.fuel import Fuel

PRECISIONS = (256, 1_024, 4_096)
"""Working precisions in bits, each tried where the one before left open whether a value is zero."""
_ZERO_BITS = 160
_REAL = tuple(
    Fraction(over, under)
    for over, under in ((3, 7), (-5, 11), (13, 5), (-17, 6), (29, 9), (-2, 13), (211, 19), (-307, 23), (8, 3))
)
_IMAGINARY = tuple(Fraction(over, under) for over, under in ((2, 9), (-7, 8), (11, 10), (5, 12), (-13, 14)))
_INTEGER = tuple(map(Fraction, (3, -2, 8, 5, -7, 12, 1, -4, 6)))

Point = Mapping[str, tuple[Fraction, Fraction]]


class Sight(Enum):
    """What was seen of an expression at the points."""

    NOT_ZERO = "certainly not zero at a point"
    ZERO = "zero at some points, as far as can be seen, and at none it is not"
    DISPUTED = "zero where all of it is real, not zero elsewhere, and meant for real numbers"
    NOTHING = "could be told at no point"


def points(variables: tuple[tuple[str, Domain], ...]) -> Iterator[Point]:
    """The points, as (real part, imaginary part) of each variable: no two variables are equal at one."""
    for index in range(len(_REAL)):
        yield {name: _coordinate(domain, index, place) for place, (name, domain) in enumerate(variables)}
        if not variables:
            return


def _coordinate(domain: Domain, index: int, place: int) -> tuple[Fraction, Fraction]:
    if domain is Domain.INTEGER:
        return _INTEGER[(index + place) % len(_INTEGER)], Fraction(0)
    real = _REAL[(index + 2 * place) % len(_REAL)]
    if domain is Domain.POSITIVE:
        return abs(real), Fraction(0)
    if domain is Domain.COMPLEX:
        return real, _IMAGINARY[(index + place) % len(_IMAGINARY)]
    return real, Fraction(0)


def look(expression: Expression, variables: tuple[tuple[str, Domain], ...], fuel: Fuel) -> Sight:
    """Whether an expression is zero at the points, as far as the precisions and the fuel allow.

    Where nothing in it is complex, a point at which a part of it is (ln x at -1) is outside what is meant: it
    counts only where there is no other.
    """
    for_reals = all(domain is not Domain.COMPLEX for _, domain in variables) and not _names_i(expression)
    nodes = size(expression)
    found: set[tuple[bool, bool]] = set()
    for point in points(variables):
        seen = _seen(expression, point, nodes, fuel)
        if seen is None:
            continue
        zero, real = seen
        if not zero and (real or not for_reals):
            return Sight.NOT_ZERO
        found.add((zero, real))
    if (False, False) in found:
        return Sight.DISPUTED if (True, True) in found else Sight.NOT_ZERO
    return Sight.ZERO if found else Sight.NOTHING


def _names_i(expression: Expression) -> bool:
    return expression == Constant("i") or any(map(_names_i, parts(expression)))


def _seen(expression: Expression, point: Point, nodes: int, fuel: Fuel) -> tuple[bool, bool] | None:
    """Whether it is zero at a point, and whether all of it is real there; None where it cannot be told."""
    for bits in PRECISIONS:
        if not fuel.evaluate(nodes * (bits // PRECISIONS[0])):
            return None
        arithmetic = _arithmetic(bits)
        try:
            value = evaluate(expression, point, arithmetic)
        except UndefinedError:
            continue
        real = isinstance(value, Fraction) or value.is_real
        if arithmetic.apart(value):
            return False, real
        if arithmetic.tight(value, _ZERO_BITS):
            return True, real
    return None


@cache
def _arithmetic(bits: int) -> BallArithmetic:
    return BallArithmetic(bits)


def evaluate(expression: Expression, point: Point, arithmetic: BallArithmetic) -> Value:
    """The value at a point; raises UndefinedError where there is none that can be vouched for."""
    match expression:
        case Number(value):
            return value
        case Variable(name):
            real, imaginary = point[name]
            return real if imaginary == 0 else arithmetic.point(real, imaginary)
        case Constant(name):
            return arithmetic.constant(name)
        case Sum(terms):
            return reduce(arithmetic.add, (evaluate(term, point, arithmetic) for term in terms))
        case Product(factors):
            return reduce(arithmetic.multiply, [evaluate(factor, point, arithmetic) for factor in factors])
        case Power(base, exponent):
            above = evaluate(exponent, point, arithmetic)
            if base == Constant("e"):
                return arithmetic.exp(above)
            return arithmetic.power(evaluate(base, point, arithmetic), above)
        case Call(function, argument):
            return _function(arithmetic, function)(evaluate(argument, point, arithmetic))


def _function(arithmetic: BallArithmetic, name: str) -> Callable[[Value], Value]:
    named: dict[str, Callable[[Value], Value]] = {
        "exp": arithmetic.exp,
        "log": arithmetic.log,
        "sin": arithmetic.sin,
        "cos": arithmetic.cos,
        "tan": lambda x: arithmetic.multiply(arithmetic.sin(x), arithmetic.inverse(arithmetic.cos(x))),
        "asin": arithmetic.asin,
        "acos": arithmetic.acos,
        "atan": arithmetic.atan,
        "sinh": lambda x: _hyperbolic(arithmetic, x, Fraction(-1)),
        "cosh": lambda x: _hyperbolic(arithmetic, x, Fraction(1)),
        "tanh": lambda x: arithmetic.multiply(
            _hyperbolic(arithmetic, x, Fraction(-1)), arithmetic.inverse(_hyperbolic(arithmetic, x, Fraction(1)))
        ),
        "abs": arithmetic.absolute,
        "sign": arithmetic.sign,
    }
    return named[name]


def _hyperbolic(arithmetic: BallArithmetic, value: Value, sign: Fraction) -> Value:
    """(e^x + sign·e^-x) / 2: the hyperbolic cosine or sine."""
    opposite = arithmetic.exp(arithmetic.multiply(Fraction(-1), value))
    both = arithmetic.add(arithmetic.exp(value), arithmetic.multiply(sign, opposite))
    return arithmetic.multiply(Fraction(1, 2), both)
