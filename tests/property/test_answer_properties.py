"""Properties of checking answers: exactness, proven error bounds, agreement with sympy, a verdict on any text."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
import sympy  # type: ignore[import-untyped]
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from transforms.answers.ball import BallArithmetic, UndefinedError
from transforms.answers.bounds import bound
from transforms.answers.checker import check_answer
from transforms.answers.derivative import derivative
from transforms.answers.expected import (
    ChoiceExpected,
    Domain,
    Equivalence,
    NumericExpected,
    Rounding,
    RoundingMode,
    SymbolicExpected,
)
from transforms.answers.expression import (
    Call,
    Constant,
    Expression,
    Infinity,
    Number,
    Power,
    Product,
    Sum,
    Variable,
    difference,
)
from transforms.answers.fuel import Fuel
from transforms.answers.grammar import parse_item
from transforms.answers.names import Names
from transforms.answers.numeric import check_numeric, rounded_to
from transforms.answers.probe import Sight, evaluate, look
from transforms.answers.proof import built
from transforms.answers.quantity import parse_quantity
from transforms.answers.question import Decision, read
from transforms.answers.symbolic import decide
from transforms.answers.unit_names import NAMES
from transforms.answers.units import Unit, measure, parse_unit
from transforms.answers.verdict import CODES, RIGHT, UnparsableError

FEW = settings(max_examples=200, deadline=None)
MANY = settings(max_examples=100_000, deadline=None)
REAL = (("x", Domain.REAL), ("y", Domain.REAL))
NAMED = Names(frozenset("xy"))

DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**30), max_value=10**30)
UNITS = st.lists(
    st.tuples(st.sampled_from(sorted(set(NAMES.values()))), st.integers(-12, 12).filter(bool)),
    max_size=4,
    unique_by=lambda pair: pair[0],
).map(lambda pairs: Unit(tuple(sorted(pairs))))
SPELLINGS = {name: spelling for spelling, name in NAMES.items()}

LEAVES = st.sampled_from(
    [
        Variable("x"),
        Variable("y"),
        Constant("pi"),
        Constant("e"),
        Constant("i"),
        *(Number(Fraction(n)) for n in range(4)),
    ]
) | st.builds(lambda over, under: Number(Fraction(over, under)), st.integers(0, 99), st.integers(1, 99))
FUNCTIONS = st.sampled_from(["exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "abs"])
EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(lambda *terms: Sum(terms), inner, inner)
        | st.builds(lambda *factors: Product(factors), inner, inner)
        | st.builds(Power, inner, st.integers(-3, 3).map(lambda n: Number(Fraction(n))) | inner)
        | st.builds(Call, FUNCTIONS, inner)
    ),
    max_leaves=6,
)
HOSTILE = (
    st.text(max_size=60)
    | st.text(st.sampled_from("0123456789xyeiC.,;+-*/^(){}[]|\\ =±∞√π°%²⁻_!'\"\u200b٣½"), max_size=40)
    | st.lists(
        st.sampled_from(
            ["x", "2", "sin", "\\frac", "{", "}", "(", ")", "^", "+", "-", "/", " ", "log_2", "√", "|", ","]
        ),
        max_size=25,
    ).map("".join)
)


def written(expression: Expression) -> str:
    """The expression as text, with every operation in parentheses."""
    match expression:
        case Number(value):
            return f"({value.numerator}/{value.denominator})" if value.denominator > 1 else str(value.numerator)
        case Variable(name) | Constant(name):
            return name
        case Sum(terms):
            return "(" + " + ".join(map(written, terms)) + ")"
        case Product(factors):
            return "(" + "*".join(map(written, factors)) + ")"
        case Power(base, exponent):
            return f"({written(base)})^({written(exponent)})"
        case Call(function, argument):
            return f"{function}({written(argument)})"


def parsed(text: str) -> Expression:
    item = parse_item(text, NAMED)
    assert not isinstance(item, Infinity)
    return item


# Numbers


@given(DECIMALS)
def test_a_number_is_read_exactly_in_every_notation(number: Decimal) -> None:
    value = Fraction(number)
    digits = format(number.copy_abs(), "f")
    assume(len(digits) < 90)
    sign = "-" if number.is_signed() else ""
    whole, _, after = digits.partition(".")
    grouped = f"{int(whole):,}" + (f".{after}" if after else "")
    scaled = f"{digits} × 10^{{{0}}}"
    for text in (digits, grouped, grouped.replace(",", " "), grouped.replace(",", "\u202f"), scaled, f"{digits}e0"):
        for with_sign in (sign + text, sign.replace("-", "−") + text, f"x = {sign}{text}", f"${sign}{text}$"):
            assert parse_quantity(with_sign).value == value


@given(st.integers(1, 10**20), st.integers(-300, 300))
def test_exponents_are_exact(mantissa: int, power: int) -> None:
    value = mantissa * Fraction(10) ** power
    for text in (f"{mantissa}e{power}", f"{mantissa}×10^{power}", f"{mantissa} \\times 10^{{{power}}}"):
        assert parse_quantity(text).value == value


@given(DECIMALS, DECIMALS, st.decimals(0, 10**6), st.decimals(0, 1))
def test_an_answer_is_right_exactly_within_the_tolerance(
    value: Decimal, answer: Decimal, absolute: Decimal, relative: Decimal
) -> None:
    expected = NumericExpected(Fraction(value), None, Fraction(absolute), Fraction(relative))
    text = format(answer, "f")
    assume(len(text) < 90)
    within = abs(Fraction(answer) - Fraction(value)) <= max(
        Fraction(absolute), Fraction(relative) * abs(Fraction(value))
    )
    assert (check_numeric(text, expected) == RIGHT) == within


@given(DECIMALS.filter(bool), st.integers(1, 20), st.sampled_from(RoundingMode))
def test_rounding_keeps_so_many_digits_and_changes_little(value: Decimal, digits: int, mode: RoundingMode) -> None:
    exact = Fraction(value)
    rounding = Rounding(mode, significant=digits)
    rounded = rounded_to(exact, rounding)
    assert rounded_to(rounded, rounding) == rounded
    assert rounded_to(-exact, rounding) == -rounded
    assert abs(rounded - exact) < abs(exact) * Fraction(10) ** (1 - digits)


# Units


@FEW
@given(UNITS)
def test_a_unit_is_read_as_it_was_written(unit: Unit) -> None:
    spelt = [(SPELLINGS[name], power) for name, power in unit.factors]
    above = " ".join(f"{name}^{power}" for name, power in spelt)
    below = "/".join(["1", *(f"{name}^{-power}" for name, power in spelt)])
    for text in (above, above.replace(" ", "·"), above.replace("^", "**"), below):
        if unit.factors:
            assert parse_unit(text) == unit


@FEW
@given(UNITS, UNITS)
def test_measures_multiply(first: Unit, second: Unit) -> None:
    powers = dict(first.factors)
    for name, power in second.factors:
        powers[name] = powers.get(name, 0) + power
    both = Unit(tuple(sorted((name, power) for name, power in powers.items() if power)))
    parts = [measure(unit.as_difference()) for unit in (first, second, both)]
    assert parts[0].scale * parts[1].scale == parts[2].scale


# Expressions


@given(EXPRESSIONS)
def test_an_expression_is_read_as_it_was_written(expression: Expression) -> None:
    once = parsed(written(expression))
    assert parsed(written(once)) == once
    point = {"x": (Fraction(2, 3), Fraction(1, 5)), "y": (Fraction(-4, 7), Fraction(0))}
    arithmetic = BallArithmetic(128)
    try:
        values = [evaluate(each, point, arithmetic) for each in (expression, once)]
    except UndefinedError:
        return
    assert not arithmetic.apart(arithmetic.add(values[0], arithmetic.multiply(Fraction(-1), values[1])))


@FEW
@given(EXPRESSIONS, st.fractions(-3, 3, max_denominator=9), st.fractions(-3, 3, max_denominator=9))
def test_a_coarse_disc_meets_a_fine_one(expression: Expression, real: Fraction, imaginary: Fraction) -> None:
    point = {"x": (real, imaginary), "y": (imaginary, Fraction(0))}
    coarse, fine = BallArithmetic(64), BallArithmetic(512)
    try:
        rough = coarse.ball(evaluate(expression, point, coarse))
        exact = fine.ball(evaluate(expression, point, fine))
    except UndefinedError:
        return
    distance = abs(fine.context.mpmathify(rough.middle) - exact.middle)
    assert distance <= fine.context.mpmathify(rough.radius) + exact.radius


@FEW
@given(EXPRESSIONS)
def test_values_agree_with_sympy(expression: Expression) -> None:
    try:
        bound(expression)
        point = {"x": (Fraction(2, 3), Fraction(0)), "y": (Fraction(5, 4), Fraction(0))}
        arithmetic = BallArithmetic(128)
        ours = arithmetic.ball(evaluate(expression, point, arithmetic))
    except (UndefinedError, UnparsableError):
        return
    symbols = {"x": sympy.Rational(2, 3), "y": sympy.Rational(5, 4)}
    theirs = sympy.N(built(expression, symbols), 30)
    # On a branch cut sympy may take the other side; elsewhere the two are one function.
    assume(theirs.is_number and theirs.is_finite and abs(ours.middle) < 1e9 and not _on_a_cut(expression, point))
    assert abs(complex(theirs) - complex(ours.middle)) < 1e-9 * max(1, abs(complex(ours.middle)))


def _on_a_cut(expression: Expression, point: dict[str, tuple[Fraction, Fraction]]) -> bool:
    match expression:
        case Call("asin" | "acos" | "atan", _):
            return True
        case Sum(parts) | Product(parts):
            return any(_on_a_cut(part, point) for part in parts)
        case Power(base, exponent):
            return _on_a_cut(base, point) or _on_a_cut(exponent, point)
        case Call(_, argument):
            return _on_a_cut(argument, point)
    return False


@FEW
@given(EXPRESSIONS)
def test_an_expression_is_never_different_from_itself_differently_written(expression: Expression) -> None:
    other = difference(Product((Number(Fraction(3)), expression)), Product((Number(Fraction(2)), expression)))
    assert look(difference(expression, other), REAL, Fuel()) is not Sight.NOT_ZERO


@FEW
@given(EXPRESSIONS)
def test_a_derivative_is_a_difference_quotient(expression: Expression) -> None:
    arithmetic = BallArithmetic(512)
    step = Fraction(1, 2**100)
    x, y = Fraction(3, 7), (Fraction(-5, 11), Fraction(0))
    try:
        slope = evaluate(derivative(expression, "x"), {"x": (x, Fraction(0)), "y": y}, arithmetic)
        ends = [evaluate(expression, {"x": (x + d, Fraction(0)), "y": y}, arithmetic) for d in (step, -step)]
    except UndefinedError:
        return
    rise = arithmetic.add(ends[0], arithmetic.multiply(Fraction(-1), ends[1]))
    quotient = arithmetic.multiply(rise, 1 / (2 * step))
    error = arithmetic.ball(arithmetic.add(slope, arithmetic.multiply(Fraction(-1), quotient)))
    size = abs(arithmetic.ball(slope).middle)
    assume(size < 2**40 and abs(arithmetic.ball(ends[0]).middle) < 2**40)
    assert abs(error.middle) < arithmetic.context.ldexp(1, -60) * max(1, size)


POLYNOMIALS = st.lists(st.tuples(st.integers(-9, 9).filter(bool), st.integers(0, 4), st.integers(0, 3)), max_size=5)


def _polynomial(terms: list[tuple[int, int, int]]) -> str:
    return " + ".join(f"({factor})*x^{a}*y^{b}" for factor, a, b in terms) or "0"


@settings(max_examples=40, deadline=None)
@given(POLYNOMIALS, POLYNOMIALS, st.booleans())
def test_products_of_polynomials_equal_their_expansion(
    first: list[tuple[int, int, int]], second: list[tuple[int, int, int]], changed: bool
) -> None:
    product = f"({_polynomial(first)}) * ({_polynomial(second)})"
    expanded = [(f * g, a + c, b + d) for f, a, b in first for g, c, d in second]
    expected = SymbolicExpected(_polynomial(expanded) + (" + x/7" if changed else ""), REAL, Equivalence.EQUAL)
    assert decide(read(product, expected), Fuel()) is (Decision.DIFFERENT if changed else Decision.SAME)


# Any text


def hostile_text_gets_a_verdict(text: str) -> None:
    rows = {None, *CODES}
    number = NumericExpected(Fraction(1), "m", Fraction(1), rounding=Rounding(RoundingMode.HALF_EVEN, significant=3))
    for expected in (
        number,
        ChoiceExpected("B"),
        *(SymbolicExpected("x + 1", REAL, equivalence) for equivalence in Equivalence),
    ):
        verdict = check_answer(text, expected)
        assert verdict.code in rows
        assert len(verdict.message) <= 200
        assert (verdict.code is None) == (verdict.message == "")


@FEW
@given(HOSTILE)
def test_any_text_gets_a_verdict(text: str) -> None:
    hostile_text_gets_a_verdict(text)


@pytest.mark.slow
@MANY
@given(HOSTILE)
def test_any_text_gets_a_verdict_at_length(text: str) -> None:
    hostile_text_gets_a_verdict(text)
