from __future__ import annotations

import pytest

from transforms.answers.derivative import derivative
from transforms.answers.expected import Domain
from transforms.answers.expression import ONE, ZERO, Expression, Infinity, Variable, difference
from transforms.answers.fuel import Fuel
from transforms.answers.grammar import parse_item
from transforms.answers.names import Names
from transforms.answers.probe import Sight, look

VARIABLES = (("x", Domain.REAL), ("y", Domain.POSITIVE))


def parsed(text: str) -> Expression:
    item = parse_item(text, Names(frozenset("xy")))
    assert not isinstance(item, Infinity)
    return item


@pytest.mark.parametrize(
    ("text", "derived"),
    [
        ("x^3 - 2x + 7", "3x^2 - 2"),
        ("x y", "y"),
        ("x^2 y^3 sin(x)", "2 x y^3 sin(x) + x^2 y^3 cos(x)"),
        ("1/x", "-1/x^2"),
        ("x/(1 + x^2)", "(1 - x^2)/(1 + x^2)^2"),
        ("sqrt(1 + x^2)", "x/sqrt(1 + x^2)"),
        ("y^x", "y^x * ln(y)"),
        ("e^(2x)", "2 e^(2x)"),
        ("(1 + x^2)^x", "(1+x^2)^x * (ln(1 + x^2) + 2 x^2/(1 + x^2))"),
        ("exp(x^2)", "2 x exp(x^2)"),
        ("ln(1 + x^2)", "2*x/(1 + x^2)"),
        ("ln|x|", "1/x"),
        ("|x|", "x/|x|"),
        ("|x^3|", "3 x * |x|"),
        ("sin(2x)", "2 cos(2x)"),
        ("cos(2x)", "-2 sin(2x)"),
        ("tan(x)", "1/cos(x)^2"),
        ("asin(x/500)", "1/sqrt(250000 - x^2)"),
        ("acos(x/500)", "-1/sqrt(250000 - x^2)"),
        ("atan(x)", "1/(1 + x^2)"),
        ("sinh(x)", "cosh(x)"),
        ("cosh(x)", "sinh(x)"),
        ("tanh(x)", "1/cosh(x)^2"),
    ],
)
def test_derivatives(text: str, derived: str) -> None:
    found = difference(derivative(parsed(text), "x"), parsed(derived))
    assert look(found, VARIABLES, Fuel()) is Sight.ZERO


@pytest.mark.parametrize("text", ["7", "π", "y", "sin(y)^y", "ln|y|", "2^y", "y^2/7"])
def test_what_does_not_depend_on_the_variable(text: str) -> None:
    assert derivative(parsed(text), "x") == ZERO


def test_the_variable_itself() -> None:
    assert derivative(Variable("x"), "x") == ONE


def test_the_absolute_value_of_what_is_not_real_has_none() -> None:
    assert look(derivative(parsed("|i + x|"), "x"), VARIABLES, Fuel()) is Sight.NOTHING
