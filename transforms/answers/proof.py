"""Is an expression zero? A proof by `sympy`, or none: this never disproves.

Every step is given so much work and no more (`fuel`), so a verdict does not depend on the speed of the machine. The
expression is built node by node from our own tree; no text ever reaches sympy. All identities used hold for the
principal values over the declared domains (sympy's `force` is never given).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy  # type: ignore[import-untyped]
from sympy.core.cache import clear_cache  # type: ignore[import-untyped]

from transforms.answers.bounds import Bound
from transforms.answers.expected import Domain
from transforms.answers.expression import Call, Constant, Expression, Number, Power, Product, Sum, Variable
from transforms.answers.fuel import Fuel, OutOfFuel

# Beyond these a step is not begun: what it makes of the expression may be far larger.
_MOST_TERMS = 2_000
_HIGHEST_DEGREE = 100

_ASSUMPTIONS = {
    Domain.REAL: {"real": True},
    Domain.POSITIVE: {"positive": True},
    Domain.INTEGER: {"integer": True},
    Domain.COMPLEX: {"complex": True},
}
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    **{name: getattr(sympy, name) for name in ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan")},
    **{name: getattr(sympy, name) for name in ("sinh", "cosh", "tanh")},
    "abs": sympy.Abs,
    "sign": lambda value: value / sympy.Abs(value),
}
_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I}


def built(expression: Expression, symbols: dict[str, Any]) -> Any:
    """The sympy form; sympy evaluates as it goes, so the expression must have been bounded."""
    match expression:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Variable(name):
            return symbols[name]
        case Constant(name):
            return _CONSTANTS[name]
        case Sum(terms):
            return sympy.Add(*(built(term, symbols) for term in terms))
        case Product(factors):
            return sympy.Mul(*(built(factor, symbols) for factor in factors))
        case Power(base, exponent):
            return sympy.Pow(built(base, symbols), built(exponent, symbols))
        case Call(function, argument):
            return _FUNCTIONS[function](built(argument, symbols))


def proves_zero(expression: Expression, found: Bound, variables: tuple[tuple[str, Domain], ...], fuel: Fuel) -> bool:
    """Whether a proof was found that an expression, bounded by `found`, is zero wherever it is defined."""
    clear_cache()  # so that the work a step takes does not depend on what was asked before
    symbols = {name: sympy.Symbol(name, **_ASSUMPTIONS[domain]) for name, domain in variables}
    value = _attempt(lambda: built(expression, symbols), fuel)
    if value is None:
        return False
    if value == 0:
        return True
    if found.terms > _MOST_TERMS or found.degree > _HIGHEST_DEGREE:
        return False
    return any(_attempt(lambda step=step: step(value), fuel) == 0 for step in _STEPS)  # type: ignore[misc]


def _attempt(work: Callable[[], Any], fuel: Fuel) -> Any:
    try:
        return fuel.run(work)
    except (Exception, OutOfFuel):  # whatever sympy makes of a hostile expression, it is no proof
        return None


def _rational(value: Any) -> Any:
    return sympy.cancel(sympy.together(value))


def _exponentials(value: Any) -> Any:
    return sympy.cancel(sympy.expand(value.rewrite(sympy.exp)))


def _logarithms(value: Any) -> Any:
    return _rational(sympy.expand_log(value))


def _factored(value: Any) -> Any:
    """With what stands under roots factored too, so that squares come out."""
    return sympy.factor(value, deep=True)


def _algebraic(value: Any) -> Any:
    """Zero where the number's minimal polynomial is x; nothing for anything but an algebraic number."""
    if value.free_symbols or not value.is_algebraic:
        return None
    variable = sympy.Dummy("x")
    return sympy.minimal_polynomial(value, variable) - variable


_STEPS: tuple[Callable[[Any], Any], ...] = (
    sympy.expand,
    _rational,
    _exponentials,
    _logarithms,
    _factored,
    _algebraic,
    sympy.simplify,
)
