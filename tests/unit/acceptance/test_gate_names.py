from __future__ import annotations

from decimal import Decimal

import pytest

from transforms.acceptance.gate_names import (
    ANSWERED_BY_REVIEWS,
    BY_NAME,
    GATE_NAMES,
    GateName,
    Wanted,
    means_something,
    misplaced,
)
from transforms.acceptance.values import Gate, Rubric
from transforms.kinds import KINDS

CODE = (
    "required_tests_pass",
    "syntax_valid",
    "max_cyclomatic_complexity_per_function",
    "unapproved_dependencies",
    "max_linter_findings",
)
GROUNDED = ("source_integrity", "quote_alignment", "claim_support", "justified_abstention")
DERIVATION = ("answer_matches", "steps_checked")


def _rubric(*names: str) -> Rubric:
    return Rubric("any-v1", Decimal(1), Decimal(5), (), Decimal(4), tuple(Gate(name, True) for name in names))


def test_the_names() -> None:
    assert tuple(gate.name for gate in GATE_NAMES) == (*CODE, *GROUNDED, *DERIVATION)
    assert tuple(BY_NAME) == tuple(gate.name for gate in GATE_NAMES)


def test_what_they_ask() -> None:
    maxima = {gate.name for gate in GATE_NAMES if gate.wanted is Wanted.MAXIMUM}
    assert maxima == {"max_cyclomatic_complexity_per_function", "max_linter_findings"}
    assert [gate.name for gate in GATE_NAMES if gate.wanted is Wanted.FALSE] == ["unapproved_dependencies"]


def test_which_of_them_reviews_answer() -> None:
    assert {"claim_support", "justified_abstention", "steps_checked"} == ANSWERED_BY_REVIEWS


@pytest.mark.parametrize("gate", GATE_NAMES, ids=lambda gate: gate.name)
def test_a_row_says_enough(gate: GateName) -> None:
    assert gate.kinds
    assert set(gate.kinds) <= set(KINDS)
    assert 20 <= len(gate.sentence) <= 120
    assert gate.sentence.endswith(".")


@pytest.mark.parametrize("wanted", [True, False, 0, 1, 10, 10.0, -1, -0.5])
def test_at_most_one_sort_of_gate_takes_a_value(wanted: bool | float) -> None:
    taken = {gate.wanted for gate in GATE_NAMES if means_something(gate, wanted)}
    expected = {True: Wanted.TRUE, False: Wanted.FALSE}[wanted] if isinstance(wanted, bool) else Wanted.MAXIMUM
    assert taken == ({expected} if isinstance(wanted, bool) or wanted >= 0 else set())


@pytest.mark.parametrize(
    ("kind", "own"), [("pairwise-v2", CODE), ("grounded-qa-v1", GROUNDED), ("math-derivation-v1", DERIVATION)]
)
def test_gates_of_other_kinds_are_misplaced(kind: str, own: tuple[str, ...]) -> None:
    assert misplaced(_rubric(*own), kind) == ()
    everything = (*reversed(CODE), *DERIVATION, *GROUNDED)
    assert misplaced(_rubric(*everything), kind) == tuple(name for name in everything if name not in own)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"pairwise-v2", "grounded-qa-v1", "math-derivation-v1"}))
def test_no_gate_is_for_other_kinds(kind: str) -> None:
    assert misplaced(_rubric("syntax_valid", "claim_support"), kind) == ("syntax_valid", "claim_support")
    assert misplaced(_rubric(), kind) == ()


def test_a_gate_that_nobody_knows_is_misplaced() -> None:
    assert misplaced(_rubric("syntax_valid", "tidy"), "pairwise-v2") == ("tidy",)
