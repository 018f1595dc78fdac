from __future__ import annotations

import pytest

from transforms.answers.expression import (
    Call,
    Constant,
    Infinity,
    Item,
    Number,
    Power,
    Product,
    Sum,
    Variable,
    size,
)
from transforms.answers.grammar import parse_item, parse_set
from transforms.answers.names import Names
from transforms.answers.verdict import UnparsableError

NAMES = Names(frozenset(["x", "y", "n", "theta", "x_1", "a"]))


def shown(item: Item) -> str:
    """A form with every operation spelt out."""
    match item:
        case Number(value):
            return str(value)
        case Variable(name):
            return name
        case Constant(name):
            return name.upper()
        case Infinity(negative):
            return "-oo" if negative else "oo"
        case Sum(terms):
            return "(" + " + ".join(map(shown, terms)) + ")"
        case Product(factors):
            return "[" + " * ".join(map(shown, factors)) + "]"
        case Power(base, exponent):
            return f"{shown(base)}^<{shown(exponent)}>"
        case Call(function, argument):
            return f"{function}<{shown(argument)}>"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("0.50", "1/2"),
        (".5", "1/2"),
        ("x", "x"),
        ("+x", "x"),
        ("-3", "-3"),
        ("-x", "[-1 * x]"),
        ("--x", "[-1 * [-1 * x]]"),
        ("x - y + 1", "(x + [-1 * y] + 1)"),
        ("x − 1", "(x + -1)"),
        ("2*x/y*3", "[2 * x * y^<-1> * 3]"),
        ("2·x÷y", "[2 * x * y^<-1>]"),
        ("2*-x", "[2 * [-1 * x]]"),
        # Powers bind tighter than a sign before them, and to the right
        ("-x^2", "[-1 * x^<2>]"),
        ("x^-1", "x^<-1>"),
        ("2^-x", "2^<[-1 * x]>"),
        ("x^y^2", "x^<y^<2>>"),
        ("x**2", "x^<2>"),
        ("x²", "x^<2>"),
        ("x⁻¹²", "x^<-12>"),
        ("(x^2)^3", "x^<2>^<3>"),
        # Products without a sign
        ("2x", "[2 * x]"),
        ("2 x", "[2 * x]"),
        ("x y", "[x * y]"),
        ("xy", "[x * y]"),
        ("xy^2", "[x * y^<2>]"),
        ("xe^x", "[x * E^<x>]"),
        ("2πx", "[2 * PI * x]"),
        ("2(x+1)", "[2 * (x + 1)]"),
        ("(x+1)(x-1)", "[(x + 1) * (x + -1)]"),
        ("x(x+1)", "[x * (x + 1)]"),
        ("x^2 y", "[x^<2> * y]"),
        ("x²y", "[x^<2> * y]"),
        ("x^{2}y", "[x^<2> * y]"),
        ("x^(2)y", "[x^<2> * y]"),
        ("\\frac{1}{2}x", "[[1 * 2^<-1>] * x]"),
        ("x/2", "[x * 2^<-1>]"),
        ("2e", "[2 * E]"),
        # Functions
        ("sin(x)", "sin<x>"),
        ("sin x", "sin<x>"),
        ("\\sin\\theta", "sin<theta>"),
        ("\\sin{2x}", "sin<[2 * x]>"),
        ("sin x cos x", "[sin<x> * cos<x>]"),
        ("sin x * y", "[sin<x> * y]"),
        ("sin x/cos x", "[sin<x> * cos<x>^<-1>]"),
        ("sin^2 x", "sin<x>^<2>"),
        ("sin^{2}(x)", "sin<x>^<2>"),
        ("sin²x", "sin<x>^<2>"),
        ("sin(x)^2", "sin<x>^<2>"),
        ("arctan(x) + \\arcsin x", "(atan<x> + asin<x>)"),
        ("sec(x)", "cos<x>^<-1>"),
        ("cot x", "tan<x>^<-1>"),
        ("exp(x)", "exp<x>"),
        ("e^x", "E^<x>"),
        ("ln x", "log<x>"),
        ("log(x)", "log<x>"),
        ("log_2(x)", "[log<x> * log<2>^<-1>]"),
        ("\\log_{10} x", "[log<x> * log<10>^<-1>]"),
        ("log(x, 3)", "[log<x> * log<3>^<-1>]"),
        ("log_e(x)", "log<x>"),
        ("abs(x)", "abs<x>"),
        ("|x|", "abs<x>"),
        ("ln|x|", "log<abs<x>>"),
        ("||x|+1|", "abs<(abs<x> + 1)>"),
        ("2|x|", "[2 * abs<x>]"),
        ("|x||y|", "[abs<x> * abs<y>]"),
        ("\\left|x\\right|", "abs<x>"),
        ("\\left(x\\right)", "x"),
        # Roots
        ("√2", "2^<1/2>"),
        ("√2/2", "[2^<1/2> * 2^<-1>]"),
        ("√(x+1)", "(x + 1)^<1/2>"),
        ("sqrt(x)", "x^<1/2>"),
        ("\\sqrt{x}", "x^<1/2>"),
        ("\\sqrt[3]{x}", "x^<1/3>"),
        # Names
        ("x_1", "x_1"),
        ("x_{1}", "x_1"),
        ("θ", "theta"),
        ("\\theta", "theta"),
        ("e + i + pi + π", "(E + I + PI + PI)"),
        # Infinity stands alone
        ("∞", "oo"),
        ("-\\infty", "-oo"),
        ("+oo", "oo"),
        ("infinity", "oo"),
    ],
)
def test_trees(text: str, tree: str) -> None:
    assert shown(parse_item(text, NAMES)) == tree


@pytest.mark.parametrize(
    "text",
    [
        "1/2x",
        "x/2y",
        "x/2(y+1)",
        "x^2y",
        "e^2x",
        "e^xy",
        "2^-xy",
        "sin 2x",
        "sin x y",
        "sin x (y)",
        "sin x^2",
        "sin x/2",
        "√2x",
        "x 2",
        "2 3",
        "(x)2",
        "2e3",
        "2e-3",
        "2E5",
        "sin^-1 x",
        "sin^{-1}(x)",
        "x^{2}^{3}",
        "|x|y|",
    ],
)
def test_what_may_mean_two_things_is_refused(text: str) -> None:
    with pytest.raises(UnparsableError):
        parse_item(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "x+",
        "*x",
        "x*",
        "x//y",
        "x^",
        "(x",
        "x)",
        "|x",
        "{x}",
        "[x]",
        "sin",
        "sin(",
        "sin()",
        "sin(x,y)",
        "log_x(2)",
        "log_1(x)",
        "log(x,2,3)",
        "\\sqrt[1]{x}",
        "\\sqrt[n]{x}",
        "\\frac12",
        "\\frac{1}",
        "x, y",
        "1,000",
        "007",
        "x = 2",
        "x < 2",
        "x ± 1",
        "5!",
        "x'",
        "z",
        "xyz",
        "sinx",
        "x2",
        "f(x)",
        "x_2",
        "∞ + 1",
        "1/∞",
        "\\unknown x",
        "\\input{x}",
        "x\u200b",
        "٣x",
        "x٣",
        "ⅹ",
        "𝑥",
        "х",
        "x^½",
        "1;2",
        "__import__('os').system('true')",
        "lambda: 0",
        "x.real",
        "x if x else y",
        "'x'",
        "x\x00",
    ],
)
def test_no_expression(text: str) -> None:
    with pytest.raises(UnparsableError) as caught:
        parse_item(text, NAMES)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "trees"),
    [
        ("{1, 2}", ["1", "2"]),
        ("\\{1, 2\\}", ["1", "2"]),
        ("\\left\\{1; x\\right\\}", ["1", "x"]),
        ("1, 2", ["1", "2"]),
        ("5", ["5"]),
        ("{}", []),
        ("∅", []),
        ("\\emptyset", []),
        ("{e^{2}, ∞}", ["E^<2>", "oo"]),
        ("±x", ["x", "[-1 * x]"]),
        ("\\pm 2", ["2", "-2"]),
        ("1 ± √2, 3", ["(1 + 2^<1/2>)", "(1 + [-1 * 2^<1/2>])", "3"]),
        ("x ± y ∓ 1", ["(x + y + -1)", "(x + [-1 * y] + 1)"]),
    ],
)
def test_sets(text: str, trees: list[str]) -> None:
    assert list(map(shown, parse_set(text, NAMES))) == trees


@pytest.mark.parametrize(
    "text", ["", "{1", "1}", "{1, 2\\}", "1,", ",1", "{1},{2}", "{{1}}", "{1 2}", ",".join("1" * 17)]
)
def test_no_set(text: str) -> None:
    with pytest.raises(UnparsableError):
        parse_set(text, NAMES)


def test_a_task_may_call_a_variable_like_a_constant() -> None:
    names = Names(frozenset(["e", "i", "C"]))
    assert shown(parse_item("e i + C", names)) == "([e * i] + C)"
    assert shown(parse_item("ei", names)) == "[e * i]"
    assert shown(parse_item("e_0 + e", Names(frozenset(["e_0"])))) == "(e_0 + E)"


def test_a_word_that_is_a_variable_is_not_split() -> None:
    assert shown(parse_item("xy", Names(frozenset(["x", "y", "xy"])))) == "xy"
    assert shown(parse_item("pi", Names(frozenset(["p"])))) == "PI"


# Bounds of the text itself


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 41 + "x" + ")" * 41, "it is nested deeper than 40 levels"),
        ("-" * 60 + "x", "it is nested deeper than 40 levels"),
        ("x^" * 60 + "x", "it is nested deeper than 40 levels"),
        ("sqrt(" * 60 + "x" + ")" * 60, "it is nested deeper than 40 levels"),
        ("|" * 60 + "x" + "|" * 60, "it is nested deeper than 40 levels"),
        ("\\frac{" * 60, "it is nested deeper than 40 levels"),
        ("*".join(["x"] * 1000), "it has more than 400 parts"),
        ("+".join(["x"] * 400), "it has more than 400 parts"),
        ("1" * 41, "a number has more than 40 digits"),
    ],
)
def test_bounds(text: str, message: str) -> None:
    with pytest.raises(UnparsableError) as caught:
        parse_item(text, NAMES)
    assert str(caught.value) == message


def test_the_deepest_and_the_largest() -> None:
    assert size(parse_item("(" * 39 + "x" + ")" * 39, NAMES)) == 1  # type: ignore[arg-type]
    assert size(parse_item("+".join(["x"] * 399), NAMES)) == 400  # type: ignore[arg-type]
    assert parse_item("1" * 40, NAMES)
