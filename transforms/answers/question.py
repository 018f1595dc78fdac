"""The question that a symbolic answer poses: quickly read, and bounded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from transforms.answers.bounds import bound
from transforms.answers.expected import Domain, Equivalence, SymbolicExpected
from transforms.answers.expression import Infinity, Item
from transforms.answers.grammar import parse_item, parse_set
from transforms.answers.names import Names
from transforms.answers.surface import bare, plain, without_element_labels, without_label
from transforms.answers.verdict import UnparsableError

CONSTANT_OF_INTEGRATION = "C"

Variables = tuple[tuple[str, Domain], ...]


class Decision(StrEnum):
    """What was found of two answers."""

    SAME = "same"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Question:
    """Are these the same answers? One item on either side, or the elements of two sets.

    `variables` are those of the task, `symbols` has the constant of integration too, where there may be one.
    """

    given: tuple[Item, ...]
    wanted: tuple[Item, ...]
    variables: Variables
    symbols: Variables
    equivalence: Equivalence


def read(answer: str, expected: SymbolicExpected) -> Question:
    """The question that an answer poses; raises UnparsableError where it cannot be read or is too large.

    Raises ValueError where that is so of what is expected.
    """
    try:
        wanted = _items(expected.expression, expected)
    except UnparsableError as fault:
        raise ValueError(f"the expected expression cannot be read: {fault}") from fault
    return Question(_items(answer, expected), wanted, expected.variables, _symbols(expected), expected.equivalence)


def _symbols(expected: SymbolicExpected) -> Variables:
    names = {name for name, _ in expected.variables}
    if expected.equivalence is not Equivalence.UP_TO_CONSTANT or CONSTANT_OF_INTEGRATION in names:
        return expected.variables
    return (*expected.variables, (CONSTANT_OF_INTEGRATION, Domain.REAL))


def _items(text: str, expected: SymbolicExpected) -> tuple[Item, ...]:
    names = Names(frozenset(name for name, _ in _symbols(expected)))
    text = plain(bare(text))
    if expected.equivalence is Equivalence.SET:
        items = parse_set(without_element_labels(text), names)
    else:
        items = (parse_item(without_label(text, names.variables), names),)
    for item in items:
        if not isinstance(item, Infinity):
            bound(item)
    return items
