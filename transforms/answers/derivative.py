"""The derivative of an expression, as an expression; nothing is simplified but terms that are plainly zero."""

from __future__ import annotations

from collections.abc import Callable

from transforms.answers.expression import (
    HALF,
    ONE,
    TWO,
    ZERO,
    Call,
    Constant,
    Expression,
    Number,
    Power,
    Product,
    Sum,
    Variable,
    difference,
    inverse,
    negated,
)


def derivative(expression: Expression, name: str) -> Expression:
    """The derivative by the variable `name`. That of |u| is sign(u)·u', which holds for a real u."""
    match expression:
        case Variable(own):
            return ONE if own == name else ZERO
        case Sum(terms):
            return _sum([derivative(term, name) for term in terms])
        case Product(factors):
            return _sum([_product(factors, index, name) for index in range(len(factors))])
        case Power(base, exponent):
            return _of_power(expression, base, exponent, name)
        case Call(function, argument):
            inner = derivative(argument, name)
            return ZERO if inner == ZERO else Product((_OUTER[function](argument), inner))
    return ZERO


def _sum(terms: list[Expression]) -> Expression:
    kept = tuple(term for term in terms if term != ZERO)
    if not kept:
        return ZERO
    return kept[0] if len(kept) == 1 else Sum(kept)


def _product(factors: tuple[Expression, ...], index: int, name: str) -> Expression:
    inner = derivative(factors[index], name)
    return ZERO if inner == ZERO else Product((*factors[:index], inner, *factors[index + 1 :]))


def _of_power(power: Power, base: Expression, exponent: Expression, name: str) -> Expression:
    below, above = derivative(base, name), derivative(exponent, name)
    terms: list[Expression] = []
    if below != ZERO:
        terms.append(Product((exponent, Power(base, _less_one(exponent)), below)))
    if above != ZERO:
        logarithm = ONE if base == Constant("e") else Call("log", base)
        terms.append(Product((power, logarithm, above)))
    return _sum(terms)


def _less_one(exponent: Expression) -> Expression:
    if isinstance(exponent, Number):
        return Number(exponent.value - 1)
    return difference(exponent, ONE)


def _square(value: Expression) -> Expression:
    return Power(value, TWO)


def _inverse_root(value: Expression) -> Expression:
    """1 / sqrt(1 - value²)"""
    return inverse(Power(difference(ONE, _square(value)), HALF))


_OUTER: dict[str, Callable[[Expression], Expression]] = {
    "exp": lambda u: Call("exp", u),
    "log": inverse,
    "sin": lambda u: Call("cos", u),
    "cos": lambda u: negated(Call("sin", u)),
    "tan": lambda u: Sum((ONE, _square(Call("tan", u)))),
    "asin": _inverse_root,
    "acos": lambda u: negated(_inverse_root(u)),
    "atan": lambda u: inverse(Sum((ONE, _square(u)))),
    "sinh": lambda u: Call("cosh", u),
    "cosh": lambda u: Call("sinh", u),
    "tanh": lambda u: difference(ONE, _square(Call("tanh", u))),
    "abs": lambda u: Call("sign", u),
}
