from __future__ import annotations

import pytest

from transforms.answers.expected import Domain, Equivalence, SymbolicExpected
from transforms.answers.fuel import Fuel
from transforms.answers.question import Decision, read
from transforms.answers.symbolic import decide
from transforms.answers.verdict import UnparsableError

SAME, DIFFERENT, UNDECIDED = Decision


def expected(expression: str, equivalence: str, **domain: str) -> SymbolicExpected:
    variables = tuple((name, Domain(value)) for name, value in domain.items())
    return SymbolicExpected(expression, variables, Equivalence(equivalence))


def equal(answer: str, wanted: str, **domain: str) -> Decision:
    return decide(read(answer, expected(wanted, "equal", **domain)), Fuel())


def up_to_constant(answer: str, wanted: str, **domain: str) -> Decision:
    return decide(read(answer, expected(wanted, "equal-up-to-constant", **domain)), Fuel())


def as_sets(answer: str, wanted: str, **domain: str) -> Decision:
    return decide(read(answer, expected(wanted, "set", **domain)), Fuel())


# Equal expressions


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("x + 1", "1 + x"),
        ("z = (x + 1)^2", "x^2 + 2x + 1"),
        ("$\\frac{x^2 - 1}{x - 1}$", "x + 1"),  # equal wherever both are defined
        ("sqrt(x^2)", "|x|"),
        ("|x|^2", "x^2"),
        ("sqrt(x^2 - 2x + 1)", "|x - 1|"),
        ("2|x| y", "|2x|y"),
        ("sin^2 x + cos^2 x", "1"),
        ("2 sin x cos x", "sin(2x)"),
        ("tan(x)^2 + 1", "sec(x)^2"),
        ("sinh(x)", "(e^x - e^(-x))/2"),
        ("tanh x", "(e^(2x) - 1)/(e^(2x) + 1)"),
        ("exp(x)", "e^x"),
        ("e^(-10000 x) * e^(9999 x)", "e^(-x)"),
        ("(x + y)^20", "(x + y)^19 * (x + y)"),
        ("x^2 + y^2", "(x + i y)(x - i y)"),
        ("|x + i y|", "sqrt(x^2 + y^2)"),
        ("0.5 x", "x/2"),
    ],
)
def test_equal_for_real_numbers(answer: str, wanted: str) -> None:
    assert equal(answer, wanted, x="real", y="real") is SAME


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("√8", "2√2"),
        ("√2/2", "1/√2"),
        ("1/(1 + √2)", "√2 - 1"),
        ("√(3 + 2*√2)", "1 + √2"),
        ("2^(1/3) * 4^(1/3)", "2"),
        ("e^(i π)", "-1"),
        ("sin(π/5)", "√(5/8 - √5/8)"),
        ("cos(2π/7) + cos(4π/7) + cos(6π/7)", "-1/2"),
        ("ln(8)/ln(2)", "3"),
        ("log_10(1000)", "3"),
        ("ln(6)", "ln 2 + ln 3"),
        ("\\frac{1}{2}", "0.5"),
        ("(-8)^(1/3)", "1 + √3*i"),  # the principal root
    ],
)
def test_equal_numbers(answer: str, wanted: str) -> None:
    assert equal(answer, wanted) is SAME


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("x^2 - 1", "(x - 1)^2"),
        ("(x + 1)^2", "x^2 + 2x + 2"),
        ("2x", "x^2"),
        ("x + 10^-40", "x"),
        ("x y", "x + y"),
        ("0.333", "1/3"),
        ("3.1415926535897932384626433832795", "π"),
        ("i", "-i"),
        ("(-8)^(1/3)", "-2"),
        ("(x + y)^100 - x^100", "(x + y)^100"),
    ],
)
def test_different(answer: str, wanted: str) -> None:
    assert equal(answer, wanted, x="real", y="real") is DIFFERENT


@pytest.mark.parametrize(
    ("answer", "wanted", "real", "positive", "integer", "complex_"),
    [
        ("sqrt(x^2)", "x", DIFFERENT, SAME, DIFFERENT, DIFFERENT),
        ("sqrt(x^2)", "|x|", SAME, SAME, SAME, DIFFERENT),
        ("e^(ln x)", "x", SAME, SAME, SAME, SAME),
        ("(-1)^(2x)", "1", DIFFERENT, DIFFERENT, SAME, DIFFERENT),
        ("cos(π x)", "(-1)^x", DIFFERENT, DIFFERENT, SAME, DIFFERENT),
        ("sin(π x)", "0", DIFFERENT, DIFFERENT, SAME, DIFFERENT),
        # Equal where both are real, and not elsewhere: for a person to say what is meant
        ("ln(x^2)", "2 ln x", UNDECIDED, SAME, UNDECIDED, DIFFERENT),
        ("(x^2)^(1/4)", "√x", UNDECIDED, SAME, UNDECIDED, DIFFERENT),
        ("√x √(x - 1)", "√(x^2 - x)", UNDECIDED, SAME, UNDECIDED, DIFFERENT),
        ("√x √(x - 50)", "√(x^2 + 50 x)", DIFFERENT, DIFFERENT, DIFFERENT, DIFFERENT),
    ],
)
def test_domains(
    answer: str, wanted: str, real: Decision, positive: Decision, integer: Decision, complex_: Decision
) -> None:
    found = [equal(answer, wanted, x=domain) for domain in ("real", "positive", "integer", "complex")]
    assert found == [real, positive, integer, complex_]


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("x/(x - x)", "1"),  # defined nowhere
        ("atan(x) + atan(1/x)", "π/2"),  # true, and not proven
        # Zero at every point that is looked at, and not zero
        ("(x-3/7)(x+5/11)(x-13/5)(x+17/6)(x-29/9)(x+2/13)(x-211/19)(x+307/23)(x-8/3)", "0"),
        ("(x+1)^300 * (x+1)^300", "(x^2+2x+1)^300"),  # true, and too large to multiply out
    ],
)
def test_undecided(answer: str, wanted: str) -> None:
    assert equal(answer, wanted, x="positive" if "atan" in answer else "real") is UNDECIDED


def test_infinity() -> None:
    assert equal("∞", "\\infty") is SAME
    assert equal("-∞", "∞") is DIFFERENT
    assert equal("5", "∞") is DIFFERENT
    assert equal("∞", "x", x="real") is DIFFERENT


def test_without_fuel_for_a_proof_equality_is_undecided_and_difference_is_not() -> None:
    square = expected("(x + 1)^2", "equal", x="real")
    assert decide(read("x^2 + 2x + 1", square), Fuel(calls=10)) is UNDECIDED
    assert decide(read("x^2 + 2x + 2", square), Fuel(calls=10)) is DIFFERENT
    assert decide(read("(x + 1)^2", square), Fuel(evaluations=0, calls=0)) is SAME


# Equal up to a constant


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("x^3/3 + C", "x^3/3"),
        ("x^3/3", "x^3/3 + C"),
        ("x^3/3 - 7", "x^3/3"),
        ("x^3/3 + ln C", "x^3/3"),
        ("ln|x| + C", "ln(2|x|)"),
        ("ln x + C", "ln|x|"),  # constant on either side of zero
        ("-cos(x)^2/2", "sin(x)^2/2"),
        ("asin(x)", "-acos(x) + C"),
        ("atan(x)", "-atan(1/x)"),
        ("C", "5"),
    ],
)
def test_equal_up_to_a_constant(answer: str, wanted: str) -> None:
    assert up_to_constant(answer, wanted, x="real") is SAME


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [("x^3 + C", "x^3/3"), ("C x^3/3", "x^3/3"), ("C^x", "5"), ("ln|x|", "1/x"), ("x^3/3 + x/10^30", "x^3/3")],
)
def test_different_by_more_than_a_constant(answer: str, wanted: str) -> None:
    assert up_to_constant(answer, wanted, x="real") is DIFFERENT


def test_a_constant_is_one_in_all_variables() -> None:
    assert up_to_constant("x y + 3", "x y", x="real", y="real") is SAME
    assert up_to_constant("x y + y", "x y", x="real", y="real") is DIFFERENT


def test_a_declared_c_is_a_variable() -> None:
    assert up_to_constant("x + C", "x", x="real", C="real") is DIFFERENT
    with pytest.raises(UnparsableError):
        read("x + C", expected("x", "equal", x="real"))


# Sets


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("{1, -1}", "{-1, 1}"),
        ("x = 1 or x = -1", "±1"),
        ("{1, 1, 2/2}", "{1}"),
        ("{}", "∅"),
        ("(1 ± √5)/2", "{(1 + √5)/2, (1 - √5)/2}"),
        ("{√(3 + 2*√2), x + x}", "{2x, 1 + √2}"),
        ("{∞, -∞}", "{-∞, ∞}"),
    ],
)
def test_the_same_set(answer: str, wanted: str) -> None:
    assert as_sets(answer, wanted, x="real") is SAME


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [("{1}", "{1, -1}"), ("{1, -1, 2}", "{1, -1}"), ("{}", "{0}"), ("{0}", "{}"), ("{1, 3}", "{1, 2}"), ("∞", "{1}")],
)
def test_another_set(answer: str, wanted: str) -> None:
    assert as_sets(answer, wanted) is DIFFERENT


def test_a_set_with_an_element_that_is_undecided() -> None:
    unproven = "atan(x) + atan(1/x)"
    assert as_sets(f"{{1, {unproven}}}", "{1, π/2}", x="positive") is UNDECIDED
    assert as_sets(f"{{2, {unproven}}}", "{1, π/2}", x="positive") is DIFFERENT


# Reading


def test_what_cannot_be_read() -> None:
    for answer in ("", "x +", "9^9^9", "x = 2", "x, 1", "1" * 1001):
        with pytest.raises(UnparsableError):
            read(answer, expected("x", "equal", x="real"))
    with pytest.raises(ValueError, match="the expected expression cannot be read: it divides by zero"):
        read("x", expected("1/0", "equal", x="real"))
