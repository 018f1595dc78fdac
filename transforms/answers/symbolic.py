"""Are an answer and what its task expects the same expression, or set of them? Runs in a process that can be killed."""

from __future__ import annotations

from collections.abc import Iterable

from transforms.answers.bounds import bound
from transforms.answers.derivative import derivative
from transforms.answers.expected import Equivalence
from transforms.answers.expression import Expression, Infinity, Item, difference, size
from transforms.answers.fuel import Fuel
from transforms.answers.probe import Sight, look
from transforms.answers.proof import proves_zero
from transforms.answers.question import Decision, Question, Variables
from transforms.answers.verdict import UnparsableError

_LARGEST_DERIVATIVE = 4_000


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
    return Decision.SAME if proves_zero(expression, found, variables, fuel) else Decision.UNDECIDED
