from __future__ import annotations

from fractions import Fraction

import pytest

from transforms.answers.bounds import Bound, bound
from transforms.answers.expression import Infinity
from transforms.answers.grammar import parse_item
from transforms.answers.names import Names
from transforms.answers.verdict import UnparsableError

NAMES = Names(frozenset("xyznt"))


def bound_of(text: str) -> Bound:
    item = parse_item(text, NAMES)
    assert not isinstance(item, Infinity)
    return bound(item)


EXPONENT, BITS = "an exponent may be beyond 1000", "its numbers may have more than 8192 bits"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9**9**9", EXPONENT),
        ("9^9^9^9", EXPONENT),
        ("10^10^10", EXPONENT),
        ("x**(10**9)", EXPONENT),
        ("x^1001", EXPONENT),
        ("x^-1001", EXPONENT),
        ("2^(1000*1000)", EXPONENT),
        ("2^(999.5 + 0.6)", EXPONENT),
        ("2^(1/(1/10^9))", EXPONENT),
        ("2^(10^9 n)", EXPONENT),
        ("pi^(10^6)", EXPONENT),
        # What sympy would turn into a large exponent
        ("2^abs(-10^9)", EXPONENT),
        ("2^ln(e^(10^9))", EXPONENT),
        ("2^tan(atan(10^9))", EXPONENT),
        ("2^exp(5 ln(100))", EXPONENT),
        ("2^(10^(ln(10^9)/ln(10)))", EXPONENT),
        ("exp(10^9 ln(10))", EXPONENT),
        ("e^(10^9 ln(10))", EXPONENT),
        ("cosh(10^9 * ln(10))", EXPONENT),
        ("sin(i * 10^9 * ln(10))", EXPONENT),
        # Powers of powers, and products
        ("(10^40)^100", BITS),
        ("(9^999)^9", BITS),
        ("((x^1000)^1000)^1000", BITS),
        ("((2^x)^1000)^1000", BITS),
        ("(x + 10^40)^1000", BITS),
        ("*".join(["9^999"] * 3), BITS),
        ("exp(999 ln(10^40))", EXPONENT),
        ("x^(1/1001)", "a root is beyond the 1000th"),
        ("1/0", "it divides by zero"),
        ("x/(1 - 1)", "it divides by zero"),
        ("0^0", "it divides by zero"),
        ("0^-1", "it divides by zero"),
        ("1/|0|", "it divides by zero"),
        ("1/(2^2 - 4)", "it divides by zero"),
    ],
)
def test_refused_before_any_arithmetic(text: str, message: str) -> None:
    with pytest.raises(UnparsableError) as caught:
        bound_of(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9^9", 9**9),
        ("2^2^2^2", 65536),
        ("3^3^3", 3**27),
        ("2^1000", 2**1000),
        ("1/3 + 1/6", Fraction(1, 2)),
        ("(2/3)^-2", Fraction(9, 4)),
        ("|-5|", 5),
        ("2^0.5", None),
        ("x", None),
        ("ln(1)", None),
    ],
)
def test_values_of_rational_numbers(text: str, value: Fraction | None) -> None:
    assert bound_of(text).value == value


@pytest.mark.parametrize(
    ("text", "terms", "degree"),
    [
        ("x", 1, 1),
        ("5", 1, 0),
        ("(x + 1)^3", 4, 3),
        ("(x + y + z)^10", 66, 10),
        ("(x + y)(x - y)", 4, 2),
        ("x^2 y^3", 1, 5),
        ("x^(2/3)", 1, 3),
        ("1/(x + 1)", 2, 1),
        ("sin(9x)", 1, 9),
        ("e^(9x)", 1, 9),
        ("ln(1000)", 1, 1),
        ("(x + 1)^1000", 1001, 1000),
        ("*".join(["(x+1)"] * 60), 10**9, 60),
        ("(x+y+z+n+t)^500", 10**9, 500),
    ],
)
def test_terms_and_degree(text: str, terms: int, degree: int) -> None:
    found = bound_of(text)
    assert (found.terms, found.degree) == (terms, degree)


@pytest.mark.parametrize(
    "text",
    ["e^(-10000 t)", "exp(-10000 t)", "(1/2)^(t/5730)", "2^n", "x^x^x^x", "10^1000", "sin(10^9 t)", "n^(ln(5)/ln(2))"],
)
def test_ordinary_answers_with_large_numbers(text: str) -> None:
    assert bound_of(text).value in (None, 10**1000)


def test_a_tower_costs_no_more_than_its_size() -> None:
    # Were exponents bounded anew at each level, this would take 2^39 steps.
    assert bound_of("x^" * 39 + "x").degree == 1
