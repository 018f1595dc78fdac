from __future__ import annotations

from fractions import Fraction

import pytest

from transforms.answers.expected import Domain
from transforms.answers.expression import Expression, Infinity
from transforms.answers.fuel import Fuel
from transforms.answers.grammar import parse_item
from transforms.answers.names import Names
from transforms.answers.probe import Sight, look, points

Variables = tuple[tuple[str, Domain], ...]
X: Variables = (("x", Domain.REAL),)
XY: Variables = (("x", Domain.REAL), ("y", Domain.REAL))


def parsed(text: str, variables: Variables = XY) -> Expression:
    item = parse_item(text, Names(frozenset(name for name, _ in variables)))
    assert not isinstance(item, Infinity)
    return item


def sight(text: str, variables: Variables = XY) -> Sight:
    return look(parsed(text, variables), variables, Fuel())


@pytest.mark.parametrize("domain", Domain)
def test_points_lie_in_their_domain_and_no_two_variables_agree(domain: Domain) -> None:
    variables = tuple((name, domain) for name in "abcdefgh")
    found = list(points(variables))
    assert len(found) == 9
    for point in found:
        values = [point[name] for name in "abcdefgh"]
        assert len(set(values)) == 8
        for real, imaginary in values:
            assert (imaginary != 0) == (domain is Domain.COMPLEX)
            assert domain is not Domain.POSITIVE or real > 0
            assert (real.denominator == 1) == (domain is Domain.INTEGER)


def test_points_of_each_domain_are_varied() -> None:
    reals = [point["x"][0] for point in points(X)]
    assert min(reals) < 0 < max(reals)
    assert min(map(abs, reals)) < 1
    integers = [int(point["n"][0]) for point in points((("n", Domain.INTEGER),))]
    assert {value % 2 for value in integers} == {0, 1}
    assert min(integers) < 0 < max(integers)


def test_an_expression_without_variables_has_one_point() -> None:
    assert list(points(())) == [{}]


@pytest.mark.parametrize(
    "text",
    [
        "x - y",
        "(x + y)^2 - x^2 - y^2",
        "sqrt(x^2) - x",
        "ln(x^2) - 3 ln x",
        "√(x - 1000) - 2*√(x - 1000)",  # real at no point
        "x/10^40",
        "e^(x y) - e^x",
        "|x| - x",
        "1/3 - 0.333333333333333333333333333333333333333",
        "π - 3.14159265358979323846264338327950288419",
        "(10^300 + x) - 10^300",
        "1/((10^300 + x) - 10^300)",
        "sin(10^300 * π + x) - x",
    ],
)
def test_not_zero(text: str) -> None:
    assert sight(text) is (Sight.NOTHING if text.startswith("sin(10^300") else Sight.NOT_ZERO)


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "x - x",
        "(x + y)^2 - x^2 - 2 x y - y^2",
        "sin(x)^2 + cos(x)^2 - 1",
        "sqrt(x^2) - |x|",
        "e^(i π) + 1",
        "√2 √3 - √6",
        "tan(x) - sin(x)/cos(x)",
        "sinh(x) - (e^x - e^(-x))/2",
        "tanh(x) - sinh(x)/cosh(x)",
        "asin(x) + acos(x) - π/2",
        "(10^300 + √2) - 10^300 - √2",
    ],
)
def test_zero(text: str) -> None:
    assert sight(text) is Sight.ZERO


@pytest.mark.parametrize("text", ["1/(x - x)", "ln(x - x)", "1/(√2 √3 - √6)", "e^(e^(e^(e^10)))", "0^(√2 √3 - √6)"])
def test_nothing_to_be_seen(text: str) -> None:
    assert sight(text) is Sight.NOTHING


def test_a_pole_at_one_point_hides_nothing_at_the_others() -> None:
    assert sight("1/(x - 3/7) - 1/(x - 3/7)", X) is Sight.ZERO
    assert sight("1/(x - 3/7)", X) is Sight.NOT_ZERO


def test_domains_matter() -> None:
    assert sight("sqrt(x^2) - x", (("x", Domain.POSITIVE),)) is Sight.ZERO
    assert sight("(-1)^(2n) - 1", (("n", Domain.INTEGER),)) is Sight.ZERO
    assert sight("(-1)^(2n) - 1", (("n", Domain.REAL),)) is Sight.NOT_ZERO
    assert sight("|x|^2 - x^2", X) is Sight.ZERO
    assert sight("|x|^2 - x^2", (("x", Domain.COMPLEX),)) is Sight.NOT_ZERO


def test_points_outside_the_real_numbers() -> None:
    assert sight("ln(x^2) - 2 ln x", X) is Sight.DISPUTED
    assert sight("ln(x^2) - 2 ln x + 0 i", X) is Sight.NOT_ZERO
    assert sight("acos(x) - atan(√(1 - x^2)/x)", (("x", Domain.POSITIVE),)) in (Sight.ZERO, Sight.DISPUTED)
    assert sight("asin(x) - 2 asin(x)", X) is Sight.NOT_ZERO


def test_no_fuel_no_sight() -> None:
    expression = parsed("x + 1")
    assert look(expression, XY, Fuel(evaluations=2)) is Sight.NOTHING
    assert look(expression, XY, Fuel(evaluations=3)) is Sight.NOT_ZERO


def test_a_value_at_a_point_of_our_choice() -> None:
    from transforms.answers.ball import BallArithmetic
    from transforms.answers.probe import evaluate

    point = {"x": (Fraction(1, 2), Fraction(0)), "y": (Fraction(-3), Fraction(0))}
    assert evaluate(parsed("(x + y)^2/(2x) - |y|"), point, BallArithmetic(64)) == Fraction(13, 4)
