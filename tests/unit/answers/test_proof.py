from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType

import pytest
import sympy  # type: ignore[import-untyped]

from transforms.answers.bounds import bound
from transforms.answers.expected import Domain
from transforms.answers.expression import Call, Expression, Infinity, Variable
from transforms.answers.fuel import Fuel, OutOfFuel
from transforms.answers.grammar import parse_item
from transforms.answers.names import Names
from transforms.answers.proof import built, proves_zero

REAL = (("x", Domain.REAL),)


def parsed(text: str) -> Expression:
    item = parse_item(text, Names(frozenset("x")))
    assert not isinstance(item, Infinity)
    return item


def proven(text: str, fuel: Fuel | None = None) -> bool:
    expression = parsed(text)
    return proves_zero(expression, bound(expression), REAL, fuel or Fuel())


@pytest.mark.parametrize(
    "text",
    [
        "x - x",
        "(x + 1)^2 - x^2 - 2x - 1",  # by multiplying out
        "1/(x + 1) + 1/(x - 1) - 2*x/(x^2 - 1)",  # as a rational function
        "sin(3x) - 3 sin(x) + 4 sin(x)^3",  # in exponentials
        "ln(1 + x^2) + ln 2 - ln(2 + 2*x^2)",  # in logarithms
        "√(3 + 2*√2) - 1 - √2",  # by its minimal polynomial
        "sqrt(x^2 + 2x + 1) - |x + 1|",  # by factoring under the root
    ],
)
def test_proofs(text: str) -> None:
    assert proven(text)


@pytest.mark.parametrize("text", ["x", "1", "sqrt(x^2) - x", "1/(√2 - √2)", "(x + 1)^200 - (x^2 + 2x + 1)^100"])
def test_no_proof(text: str) -> None:
    assert not proven(text)


def test_every_function_is_built() -> None:
    symbol = sympy.Symbol("x", real=True)
    for name in ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh"):
        assert built(Call(name, Variable("x")), {"x": symbol}) == getattr(sympy, name)(symbol)
    assert built(Call("abs", Variable("x")), {"x": symbol}) == sympy.Abs(symbol)
    assert built(Call("sign", Variable("x")), {"x": symbol}) == symbol / sympy.Abs(symbol)
    assert built(parsed("e^(iπ) + 2/3"), {}) == sympy.Rational(-1, 3)


def test_work_ends_with_its_fuel() -> None:
    def endless() -> None:
        while True:
            str.join("", map(repeat, "ab"))

    def repeat(letter: str) -> str:
        return letter

    fuel = Fuel(calls=1000, calls_per_step=400)
    spent = []
    for _ in range(4):
        with pytest.raises(OutOfFuel):
            fuel.run(endless)
        spent.append(fuel.calls)
    assert spent == [600, 200, 0, 0]


def test_fuel_counts_calls_and_leaves_tracing_as_it_was() -> None:
    def step() -> int:
        return 1

    def trace(_frame: FrameType, _event: str, _argument: object) -> None:
        return None

    fuel = Fuel(calls=100)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        assert fuel.run(lambda: step() + step()) == 2
        assert sys.gettrace() is trace
    finally:
        sys.settrace(before)
    assert fuel.calls == 97


def test_a_librarys_blanket_except_does_not_catch_the_end_of_fuel() -> None:
    def swallow() -> None:
        def step() -> None:
            return None

        while True:
            try:
                step()
            except Exception:
                continue

    with pytest.raises(OutOfFuel):
        Fuel(calls=50).run(swallow)


@pytest.mark.parametrize("calls", range(40))
def test_the_end_of_fuel_is_not_lost_in_a_generator_that_is_being_closed(calls: int) -> None:
    def unfinished() -> int:
        found = 0
        for _ in range(10_000):
            found += any(number for number in (1, 2))
        return found

    with pytest.raises(OutOfFuel):
        Fuel(calls=calls).run(unfinished)


def test_the_end_of_fuel_is_not_lost_in_a_finalizer() -> None:
    class Finalized:
        def __del__(self) -> None:
            self.step()
            self.step()

        def step(self) -> None:
            return None

    def work() -> str:
        Finalized()
        return "done"

    with pytest.raises(OutOfFuel):
        Fuel(calls=3).run(work)


@pytest.mark.parametrize("calls", range(12))
def test_the_end_of_fuel_is_not_lost_in_a_generators_last_call(calls: int) -> None:
    def step() -> None:
        return None

    def one() -> Iterator[int]:
        try:
            yield 1
        finally:
            step()

    def endless() -> None:
        while True:
            any(one())

    with pytest.raises(OutOfFuel):
        Fuel(calls=calls).run(endless)


def test_a_proof_without_fuel_is_none() -> None:
    assert not proven("(x + 1)^2 - x^2 - 2x - 1", Fuel(calls=100))


def test_the_same_proof_takes_much_the_same_fuel_whatever_came_before() -> None:
    def taken(text: str) -> int:
        fuel = Fuel()
        assert proven(text, fuel)
        return Fuel().calls - fuel.calls

    text = "sin(3x) - 3 sin(x) + 4 sin(x)^3"
    first = taken(text)
    for other in ("(x + 1)^2 - x^2 - 2x - 1", "√(3 + 2*√2) - 1 - √2", text):
        taken(other)
    assert abs(taken(text) - first) < 0.2 * first
