"""Alpha against published values and against its definition, pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import pytest
from evidence_values import CODE, N, Y, review, reviews
from hypothesis import given
from hypothesis import strategies as st

from transforms.acceptance.agreement import LEVEL, ScoreCounts, agreement, alpha, count_scores
from transforms.acceptance.values import Criterion, Review, Rubric

ONE = replace(CODE, version="one", criteria=(Criterion("a", Decimal(1), Decimal(1)),))

# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C: four observers, twelve units.
PUBLISHED = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""


def counted(units: Sequence[Sequence[str]]) -> Counter[str]:
    ordered = (sorted(unit, key=Decimal) for unit in units)
    return Counter(" ".join(unit) for unit in ordered if len(unit) > 1)


def by_definition(units: Sequence[Sequence[str]]) -> Fraction | None:
    """One minus observed by expected disagreement, from the matrix of coincidences."""
    coincidences: Counter[tuple[Decimal, Decimal]] = Counter()
    for unit in units:
        for one, other in permutations(map(Decimal, unit), 2):
            coincidences[one, other] += Fraction(1, len(unit) - 1)  # type: ignore[assignment]
    margin: Counter[Decimal] = Counter()
    for (one, _), count in coincidences.items():
        margin[one] += count
    total = sum(margin.values())

    def difference(one: Decimal, other: Decimal) -> Fraction:
        between = sum(margin[value] for value in margin if min(one, other) <= value <= max(one, other))
        return Fraction(between - Fraction(margin[one] + margin[other]) / 2) ** 2

    observed = sum(count * difference(*pair) for pair, count in coincidences.items())
    expected = sum(margin[one] * margin[other] * difference(one, other) for one in margin for other in margin)
    return 1 - (total - 1) * Fraction(observed) / expected if expected else None


def test_the_published_example() -> None:
    rows = [line.split() for line in PUBLISHED.split("\n") if line]
    units = [[score for score in column if score != "."] for column in zip(*rows, strict=True)]
    value = alpha(counted(units))
    assert value is not None
    assert round(float(value), 3) == 0.815
    assert value == by_definition(units)


SCORES = st.sampled_from(("1", "2", "2.5", "3", "4", "5", "10"))


@given(st.lists(st.lists(SCORES, max_size=5), max_size=12))
def test_alpha_is_what_its_definition_says(units: list[list[str]]) -> None:
    assert alpha(counted(units)) == by_definition(units)


@pytest.mark.parametrize(
    ("units", "value"),
    [
        (["1 1", "5 5"], Fraction(1)),
        (["1 5"], Fraction(0)),
        (["1 5", "1 5"], Fraction(-1, 2)),
        (["1 2", "1 2", "3 3"], Fraction(7, 12)),
        (["3 3", "3 3 3"], None),
        ([], None),
    ],
)
def test_small_cases(units: list[str], value: Fraction | None) -> None:
    assert alpha(Counter(units)) == value == by_definition([unit.split(" ") for unit in units])


def test_only_order_matters() -> None:
    assert LEVEL == "ordinal"
    far = Counter({"1 2": 3, "2 2": 4, "2 1000": 1})
    assert alpha(far) == alpha(Counter({"1 2": 3, "2 2": 4, "2 3": 1}))


def scored(*scores: str) -> tuple[Rubric, tuple[Review, ...]]:
    return ONE, tuple(review(f"r{at}", Y, {"a": score}) for at, score in enumerate(scores, 1))


def test_what_is_published() -> None:
    counts = count_scores([scored("1", "2"), scored("2.0", "1"), scored("3", "3", "3"), scored("5"), scored()])
    assert agreement(counts) == {
        "one": {"a": {"alpha": 0.725714, "units": 3, "pairable_values": 7, "reviewers": 3}},
    }
    assert counts.units == {("one", "a"): Counter({"1 2": 2, "3 3 3": 1})}


@pytest.mark.parametrize("records", [[scored("3")], [scored(), scored("1")]])
def test_without_pairs_there_is_no_alpha(records: list[tuple[Rubric, tuple[Review, ...]]]) -> None:
    assert agreement(count_scores(records)) == {
        "one": {"a": {"alpha": None, "units": 0, "pairable_values": 0, "reviewers": 0}}
    }


def test_without_variation_there_is_no_alpha() -> None:
    assert agreement(count_scores([scored("3", "3"), scored("3.0", "3")])) == {
        "one": {"a": {"alpha": None, "units": 2, "pairable_values": 4, "reviewers": 2}}
    }


def test_no_records() -> None:
    assert agreement(count_scores([])) == {} == agreement(ScoreCounts())


def test_only_reviews_that_count_are_compared() -> None:
    given = (
        *reviews("yn"),
        review("judge", N, "1 1 1 1", independent=False, automatic=True),
        review("r1", N, "1 1 1 1"),
        review("r9", N, "1 1 1"),
    )
    assert agreement(count_scores([(CODE, given)])) == {
        "code-review-v1": {
            criterion.id: {"alpha": None, "units": 1, "pairable_values": 2, "reviewers": 2}
            for criterion in CODE.criteria
        }
    }


def test_rubrics_are_kept_apart() -> None:
    two = replace(ONE, version="two")
    records = [scored("1", "1"), scored("2", "2"), (two, scored("1", "2")[1])]
    published = agreement(count_scores(records))
    assert {version: rows["a"]["alpha"] for version, rows in published.items()} == {"one": 1.0, "two": 0.0}


RECORDS = st.lists(st.lists(SCORES, max_size=4).map(lambda scores: scored(*scores)), max_size=8)


@given(RECORDS, st.data())
def test_counts_of_parts_add_up(records: list[tuple[Rubric, tuple[Review, ...]]], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(records)))
    first, second = count_scores(records[:cut]), count_scores(records[cut:])
    assert first + second == second + first == count_scores(records)
    assert list(agreement(first + second)) == list(agreement(count_scores(records[::-1])))
    assert agreement(first + second) == agreement(count_scores(records[::-1]))
