"""Is an expression, or a set of them, the one that the task expects?

`read` is quick and bounded, and done in the calling process. `decide` may take long, and runs in a process that
can be killed: see `checker`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from transforms.answers.bounds import bound
from transforms.answers.derivative import derivative
from transforms.answers.expected import Domain, Equivalence, SymbolicExpected
from transforms.answers.expression import Expression, Infinity, Item, difference, size
from transforms.answers.fuel import Fuel
from transforms.answers.grammar import parse_item, parse_set
from transforms.answers.names import Names
from transforms.answers.probe import Sight, look
from transforms.answers.surface import bare, plain, without_element_labels, without_label
from transforms.answers.verdict import UnparsableError

CONSTANT_OF_INTEGRATION = "C"
_LARGEST_DERIVATIVE = 4_000

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


def decide(question: Question, fuel: Fuel) -> Decision:
    """Whether the two sides are the same. DIFFERENT is proven by a point, SAME by sympy or by equal trees."""
    if question.equivalence is Equivalence.SET:
        return _sets(question, fuel)
    return _pair(question.given[0], question.wanted[0], question, fuel)


def _sets(question: Question, fuel: Fuel) -> Decision:
    """Each element must be one of the other side's, in both directions."""
    rows = [[_pair(given, wanted, question, fuel) for wanted in question.wanted] for given in question.given]
    columns = [[row[index] for row in rows] for index in range(len(question.wanted))]
    found = [_any(decisions) for decisions in (*rows, *columns)]
    if Decision.DIFFERENT in found:
        return Decision.DIFFERENT
    return Decision.UNDECIDED if Decision.UNDECIDED in found else Decision.SAME


def _any(decisions: Iterable[Decision]) -> Decision:
    """Whether one of the pairs is the same: SAME, UNDECIDED, or DIFFERENT where all differ."""
    found = set(decisions)
    return next((each for each in (Decision.SAME, Decision.UNDECIDED) if each in found), Decision.DIFFERENT)


def _pair(given: Item, wanted: Item, question: Question, fuel: Fuel) -> Decision:
    if isinstance(given, Infinity) or isinstance(wanted, Infinity):
        return Decision.SAME if given == wanted else Decision.DIFFERENT
    if given == wanted:
        return Decision.SAME
    apart = difference(given, wanted)
    if question.equivalence is not Equivalence.UP_TO_CONSTANT:
        return _zero(apart, question.symbols, fuel)
    found = {_zero(derivative(apart, name), question.symbols, fuel) for name, _ in question.variables}
    order = (Decision.DIFFERENT, Decision.UNDECIDED)
    return next((each for each in order if each in found), Decision.SAME)


def _zero(expression: Expression, variables: Variables, fuel: Fuel) -> Decision:
    if size(expression) > _LARGEST_DERIVATIVE:
        return Decision.UNDECIDED
    seen = look(expression, variables, fuel)
    if seen is Sight.NOT_ZERO:
        return Decision.DIFFERENT
    if seen is not Sight.ZERO:
        return Decision.UNDECIDED
    try:
        found = bound(expression)
    except UnparsableError:
        return Decision.UNDECIDED
    from transforms.answers.proof import proves_zero  # sympy is loaded in the worker alone

    return Decision.SAME if proves_zero(expression, found, variables, fuel) else Decision.UNDECIDED
