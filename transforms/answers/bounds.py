"""How large an expression may become, found before any arithmetic: "9^9^9" is refused, not computed.

All figures are formed from the tree alone, bottom up; a few are capped.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import ceil, comb
from operator import mul

from transforms.answers.expression import Call, Constant, Expression, Number, Power, Product, Sum
from transforms.answers.verdict import UnparsableError

MOST_BITS = 8_192
LARGEST_EXPONENT = 1_000
_CAP = 10**9
_MOST_TERMS_TO_RAISE = 10_000
_E = Constant("e")
_PERIODIC = ("exp", "sin", "cos", "tan", "sinh", "cosh", "tanh")


@dataclass(frozen=True, slots=True)
class Bound:
    """What an expression comes to at most.

    `value` is its exact value where it is made of rational numbers alone, else None; `bits` bounds the rational
    numbers in it once everything is multiplied out, `terms` the number of terms then, `degree` that of a polynomial
    in its variables and functions. `weight` is roughly the sum of the coefficients (7 for 3x - 4): what may become
    of it as an exponent. `logarithm` says whether it has one, which exponentials turn into a power.
    """

    value: Fraction | None
    bits: int
    terms: int = 1
    degree: int = 1
    weight: Fraction = Fraction(1)
    logarithm: bool = False


def bound(expression: Expression) -> Bound:
    """Bound an expression; raises UnparsableError where a number in it is too large or divides by zero."""
    match expression:
        case Number(value):
            return _rational(value)
        case Sum(terms):
            return _of_sum([bound(term) for term in terms])
        case Product(factors):
            return _of_product([bound(factor) for factor in factors])
        case Power(base, exponent):
            above = bound(exponent)
            if base == _E:
                return _of_call(above, "exp")
            return _of_power(bound(base), above)
        case Call(function, argument):
            inner = bound(argument)
            if function == "abs" and inner.value is not None:
                return _rational(abs(inner.value))
            return _of_call(inner, function)
    return Bound(None, 1)


def _rational(value: Fraction) -> Bound:
    bits = max(value.numerator.bit_length(), value.denominator.bit_length(), 1)
    return Bound(value, _fitting(bits), degree=0, weight=min(Fraction(_CAP), abs(value)))


def _fitting(bits: int) -> int:
    if bits > MOST_BITS:
        raise UnparsableError(f"its numbers may have more than {MOST_BITS} bits")
    return bits


def _of_sum(terms: list[Bound]) -> Bound:
    bits = _fitting(sum(term.bits + 1 for term in terms))
    values = [term.value for term in terms if term.value is not None]
    if len(values) == len(terms):
        return _rational(sum(values, Fraction(0)))
    return Bound(
        None,
        bits,
        min(_CAP, sum(term.terms for term in terms)),
        max(term.degree for term in terms),
        sum((term.weight for term in terms), Fraction(0)),
        any(term.logarithm for term in terms),
    )


def _of_product(factors: list[Bound]) -> Bound:
    bits = _fitting(sum(factor.bits for factor in factors))
    values = [factor.value for factor in factors if factor.value is not None]
    if len(values) == len(factors):
        return _rational(reduce(mul, values))
    return Bound(
        None,
        bits,
        min(_CAP, reduce(mul, (factor.terms for factor in factors))),
        min(_CAP, sum(factor.degree for factor in factors)),
        min(Fraction(_CAP), reduce(mul, (factor.weight for factor in factors))),
        any(factor.logarithm for factor in factors),
    )


def _of_call(inner: Bound, function: str) -> Bound:
    """A function of a bounded argument. One of a logarithm may be a power: e^(9 ln 9) is 9^9."""
    times = 1
    if inner.logarithm and function != "log":
        times = _exponent_size(inner)
    # sin(9x) is a polynomial of degree 9 in sin(x) and cos(x), e^(9x) in e^x.
    degree = max(1, ceil(min(inner.weight, Fraction(_CAP)))) if function in _PERIODIC else 1
    weight = Fraction(_CAP) if times > 1 else max(Fraction(1), inner.weight)
    return Bound(None, _fitting(inner.bits * times), inner.terms, degree, weight, inner.logarithm or function == "log")


def _exponent_size(exponent: Bound) -> int:
    if exponent.weight > LARGEST_EXPONENT:
        raise UnparsableError(f"an exponent may be beyond {LARGEST_EXPONENT}")
    return max(1, ceil(exponent.weight))


def _of_power(base: Bound, exponent: Bound) -> Bound:
    times = _exponent_size(exponent)
    bits = _fitting(base.bits * times + (exponent.bits if exponent.value is None else 0))
    logarithm = base.logarithm or exponent.logarithm
    degree = min(_CAP, max(1, base.degree) * times)
    if exponent.value is None:
        # With a logarithm above it may be any power: 10^(ln 9 / ln 10) is 9.
        weight = Fraction(_CAP if exponent.logarithm else max(1, ceil(base.weight)))
        return Bound(None, bits, max(base.terms, exponent.terms), degree, weight, logarithm)
    power = exponent.value
    if base.value == 0 and power <= 0:
        raise UnparsableError("it divides by zero")
    if power.denominator > LARGEST_EXPONENT:
        raise UnparsableError(f"a root is beyond the {LARGEST_EXPONENT}th")
    if base.value is not None and power.denominator == 1:
        return _rational(base.value**power.numerator)
    weight = min(Fraction(_CAP), max(Fraction(1), base.weight)) if power < 0 else _raised(base.weight, ceil(power))
    return Bound(None, bits, _terms(base.terms, power, times), degree * power.denominator, weight, logarithm)


def _terms(terms: int, power: Fraction, times: int) -> int:
    if terms == 1 or power.denominator != 1:
        return terms
    return min(_CAP, comb(times + terms - 1, times)) if terms <= _MOST_TERMS_TO_RAISE else _CAP


def _raised(weight: Fraction, power: int) -> Fraction:
    """weight^power, capped before it is computed."""
    if weight <= 1:
        return Fraction(1)
    return Fraction(_CAP) if weight.numerator.bit_length() * power > 64 else min(Fraction(_CAP), weight**power)
