"""What may be wrong with an expected answer beyond its schema: one that no answer could be checked against."""

from __future__ import annotations

from transforms.answers.expected import (
    ChoiceExpected,
    Domain,
    Equivalence,
    NumericExpected,
    SymbolicExpected,
    parse_expected,
)
from transforms.answers.names import RESERVED
from transforms.answers.numeric import declared_units
from transforms.answers.question import read
from transforms.answers.units import measure
from transforms.records import Json
from transforms.rules.text import excerpt, has_visible


def fault_of(value: Json) -> str | None:
    """Why no answer can be checked against a document that is valid under expected-answer-v1; None where one can.

    The message is bounded. To be asked once for each task, before its expected answer is parsed and used.
    """
    try:
        expected = parse_expected(value)
        if isinstance(expected, NumericExpected):
            return _numeric_fault(expected)
        if isinstance(expected, SymbolicExpected):
            return _symbolic_fault(expected)
    except ValueError as fault:
        return str(fault)
    return _choice_fault(expected)


def _numeric_fault(expected: NumericExpected) -> str | None:
    wanted, also = declared_units(expected)
    dimension = measure(wanted).dimension
    if any(measure(unit).dimension != dimension for unit in also):
        return "an accepted unit has another dimension than the unit"
    return None


def _symbolic_fault(expected: SymbolicExpected) -> str | None:
    for name, _ in expected.variables:
        if name in RESERVED:
            return f"the variable {excerpt(name)} has the name of a function or a constant"
    if expected.equivalence is Equivalence.UP_TO_CONSTANT:
        domains = {domain for _, domain in expected.variables}
        if not domains or Domain.INTEGER in domains:
            return "equality up to a constant takes variables, none of them an integer"
    read(expected.expression, expected)
    return None


def _choice_fault(expected: ChoiceExpected) -> str | None:
    return None if has_visible(expected.value) else "the choice has nothing visible"
