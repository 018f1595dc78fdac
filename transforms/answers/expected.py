"""The answer a task expects, as issued with it: schemas/documents/expected-answer-v1/schema.json."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from transforms.records import Json


class RoundingMode(StrEnum):
    """What becomes of the digits that are dropped."""

    HALF_EVEN = "half-even"
    HALF_UP = "half-up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Rounding:
    """To `places` decimal places or to `significant` digits; one of the two is None."""

    mode: RoundingMode
    places: int | None = None
    significant: int | None = None


@dataclass(frozen=True, slots=True)
class NumericExpected:
    """A number in `unit`, or a pure number where that is None.

    An answer is right within either tolerance: `absolute_tolerance`, in `unit`, or `relative_tolerance`, a
    share of `value`. `accepted_units` are the units it may be given in beside `unit` (None stands for no
    unit written, read as `unit`); without them any unit of the same dimension will do.
    """

    value: Fraction
    unit: str | None
    absolute_tolerance: Fraction = Fraction(0)
    relative_tolerance: Fraction = Fraction(0)
    rounding: Rounding | None = None
    accepted_units: tuple[str | None, ...] | None = None


class Equivalence(StrEnum):
    """When two symbolic answers are the same."""

    EQUAL = "equal"
    UP_TO_CONSTANT = "equal-up-to-constant"
    SET = "set"


class Domain(StrEnum):
    """The numbers that a variable stands for."""

    REAL = "real"
    POSITIVE = "positive"
    INTEGER = "integer"
    COMPLEX = "complex"


@dataclass(frozen=True, slots=True)
class SymbolicExpected:
    """An expression, or a set of them, in variables over their domains: `variables` are (name, domain)."""

    expression: str
    variables: tuple[tuple[str, Domain], ...]
    equivalence: Equivalence


@dataclass(frozen=True, slots=True)
class ChoiceExpected:
    """One of several options, named by its label or its text."""

    value: str


Expected = NumericExpected | SymbolicExpected | ChoiceExpected


def parse_expected(value: Json) -> Expected:
    """The expected answer that a document states, which is valid under expected-answer-v1.

    Raises ValueError where `domain` does not name exactly the variables, which that schema cannot say;
    `soundness.fault_of` finds that and whatever else may be wrong with one.
    """
    if value["type"] == "numeric":
        return _numeric(value)
    if value["type"] == "symbolic":
        return _symbolic(value)
    return ChoiceExpected(value["value"])


def _numeric(value: Json) -> NumericExpected:
    accepted = value.get("accepted_units")
    return NumericExpected(
        value=Fraction(value["value"]),
        unit=value["unit"],
        absolute_tolerance=Fraction(value["absolute_tolerance"]),
        relative_tolerance=Fraction(value["relative_tolerance"]),
        rounding=_rounding(value["rounding"]),
        accepted_units=None if accepted is None else tuple(accepted),
    )


def _rounding(value: Json | None) -> Rounding | None:
    if value is None:
        return None
    return Rounding(RoundingMode(value["mode"]), value.get("places"), value.get("significant"))


def _symbolic(value: Json) -> SymbolicExpected:
    names, domain = value["variables"], value["domain"]
    if set(names) != domain.keys():
        raise ValueError("domain does not name exactly the variables")
    variables = tuple((name, Domain(domain[name])) for name in names)
    return SymbolicExpected(value["expression"], variables, Equivalence(value["equivalence"]))
