"""Weights are accepted where the decimals that are written sum to one, and nowhere else; fractions are the oracle."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.acceptance.rubric import check_rubric, decimal, loads_rubric, read_rubric
from transforms.parsing.json_strict import loads_document

# More digits than a double has.
PLACES = 30
WHOLE = 10**PLACES
PARTS = st.integers(0, WHOLE)


@st.composite
def shares(draw: st.DrawFn) -> list[str]:
    """Weights of up to thirty digits that sum to one: a whole cut at random places."""
    cuts = sorted(draw(st.lists(PARTS, max_size=63)))
    return [_written(end - start) for start, end in zip([0, *cuts], [*cuts, WHOLE], strict=True)]


@st.composite
def nearly_shares(draw: st.DrawFn) -> list[str]:
    """The same with one weight replaced, mostly by a neighbour."""
    weights = draw(shares())
    at = draw(st.integers(0, len(weights) - 1))
    part = int(Fraction(weights[at]) * WHOLE) + draw(st.integers(-2, 2))
    return [*weights[:at], _written(min(max(part, 0), WHOLE)), *weights[at + 1 :]]


def _written(parts: int) -> str:
    whole, rest = divmod(parts, WHOLE)
    return f"{whole}.{rest:0{PLACES}}"


WEIGHTS = st.lists(PARTS.map(_written), min_size=1, max_size=64) | shares() | nearly_shares()


def _document(weights: list[str]) -> Any:
    rows = (f'{{"id": "c{at}", "weight": {weight}, "minimum_score": 1}}' for at, weight in enumerate(weights))
    text = f'{{"rubric_version": "r", "scale": {{"minimum": 1, "maximum": 5}}, "criteria": [{", ".join(rows)}], '
    return loads_rubric((text + '"weighted_acceptance_score": 3}').encode())


@settings(max_examples=400, deadline=None)
@given(WEIGHTS)
def test_weights_are_accepted_where_their_exact_sum_is_one(weights: list[str]) -> None:
    total = sum(map(Fraction, weights))
    found = check_rubric("r", _document(weights))
    assert [(finding.code, finding.pointer) for finding in found] == (
        [] if total == 1 else [("invalid-rubric", "/criteria")]
    )
    if total != 1:
        said = found[0].message.removeprefix("the weights sum to ").removesuffix(", not to 1")
        assert Fraction(said) == total


@settings(max_examples=200, deadline=None)
@given(shares())
def test_weights_are_read_as_they_are_written(weights: list[str]) -> None:
    read = read_rubric(_document(weights))
    assert [Fraction(criterion.weight) for criterion in read.criteria] == [Fraction(weight) for weight in weights]


@settings(max_examples=1000, deadline=None)
@given(st.decimals(-(10**9), 10**9, places=6))
def test_decimals_of_fifteen_digits_survive_the_double(number: Decimal) -> None:
    read = loads_document(str(number.quantize(Decimal("0.000001"))).encode())
    assert decimal(read) == number
