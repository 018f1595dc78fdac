"""How far reviewers agree: Krippendorff's alpha per criterion, for ordinal data.

K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011). Ordinal, because a rubric's scale says which of
two scores is better and not by how much: a step from 1 to 2 need not be one from 4 to 5.

The ordinal difference of two values, squared, is (Σ n_g from c to k − (n_c + n_k)/2)²: that of their mid-ranks
among all values. So alpha comes of sums over ranks, in integers and fractions, and is rounded once: no order of
summation can change it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from transforms.acceptance.decision import counted, plain
from transforms.acceptance.values import Review, Rubric
from transforms.people import person
from transforms.records import Json

LEVEL = "ordinal"
_DIGITS = 6

_Criterion = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ScoreCounts:
    """What alpha needs to know of any number of records; counts of disjoint sets of records add up.

    `units` says for (rubric version, criterion id) how many records have the same scores, which are text: those of
    one record in ascending order, parted by spaces. So memory grows with the number of different sets of scores, not
    of records. `reviewers` are those who gave them, by rubric version.
    """

    units: Mapping[_Criterion, Counter[str]] = field(default_factory=dict)
    reviewers: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def __add__(self, other: ScoreCounts) -> ScoreCounts:
        criteria = {*self.units, *other.units}
        rubrics = {*self.reviewers, *other.reviewers}
        return ScoreCounts(
            {key: self.units.get(key, Counter()) + other.units.get(key, Counter()) for key in criteria},
            {key: self.reviewers.get(key, frozenset()) | other.reviewers.get(key, frozenset()) for key in rubrics},
        )


def count_scores(records: Iterable[tuple[Rubric, Sequence[Review]]]) -> ScoreCounts:
    """The scores of records' reviews, of those that count; a record with fewer than two says nothing of agreement.

    Criteria that ask for a qualification are left out: reviewers need not score them.
    """
    units: dict[_Criterion, Counter[str]] = {}
    reviewers: dict[str, set[str]] = {}
    for rubric, reviews in records:
        counting = counted(rubric, reviews)
        pairable = counting if len(counting) > 1 else ()
        reviewers.setdefault(rubric.version, set()).update(person(review.reviewer) for review in pairable)
        for criterion in rubric.criteria:
            if criterion.qualification:
                continue
            alike = units.setdefault((rubric.version, criterion.id), Counter())
            if pairable:
                scores = sorted(review.scores[criterion.id] for review in pairable)
                alike[" ".join(map(_text, scores))] += 1
    return ScoreCounts(units, {version: frozenset(names) for version, names in reviewers.items()})


_text = lru_cache(maxsize=1024)(plain)


def agreement(counts: ScoreCounts) -> Json:
    """By rubric version and criterion id: `alpha`, `units`, `pairable_values`, `reviewers`.

    `alpha` has six digits: 1 is perfect agreement, 0 what chance would give; null where no two values can be paired
    or all are the same. `units` are the records with two scores or more, `pairable_values` their scores, `reviewers`
    the people who gave them.
    """
    published: Json = {}
    for version, criterion in sorted(counts.units):
        units = counts.units[version, criterion]
        value = alpha(units)
        published.setdefault(version, {})[criterion] = {
            "alpha": None if value is None else float(round(value, _DIGITS)),
            "units": units.total(),
            "pairable_values": sum((text.count(" ") + 1) * count for text, count in units.items()),
            "reviewers": len(counts.reviewers[version]),
        }
    return published


def alpha(units: Mapping[str, int]) -> Fraction | None:
    """Alpha over units as `ScoreCounts` counts them, each of two scores or more; None where it is not defined.

    1 − D_o/D_e with D_o = Σ over units of Σ (r_i − r_j)² / (m − 1), over ordered pairs of the unit's m ranks, by n
    values in all, and D_e = Σ (r_i − r_j)² / (n − 1) over all ordered pairs, by n as well.
    Over m values, Σ (r_i − r_j)² is 2 (m Σr² − (Σr)²).
    """
    values: Counter[str] = Counter()
    for text, count in units.items():
        for score in text.split(" "):
            values[score] += count
    ranks = _ranks(values)
    observed = Fraction(0)
    for text, count in units.items():
        own = [ranks[score] for score in text.split(" ")]
        observed += Fraction(count * _spread(len(own), sum(own), sum(rank * rank for rank in own)), len(own) - 1)
    total = values.total()
    rank_sum = sum(ranks[value] * count for value, count in values.items())
    square_sum = sum(ranks[value] ** 2 * count for value, count in values.items())
    expected = _spread(total, rank_sum, square_sum)
    return None if expected == 0 else 1 - observed * (total - 1) / expected


def _spread(count: int, rank_sum: int, square_sum: int) -> int:
    """Half of Σ (r_i − r_j)² over the ordered pairs of `count` ranks."""
    return count * square_sum - rank_sum * rank_sum


def _ranks(values: Mapping[str, int]) -> dict[str, int]:
    """Twice the mid-rank of each value: how many values are less, twice, and how many are equal."""
    ranks, below = {}, 0
    for value in sorted(values, key=Decimal):
        ranks[value] = 2 * below + values[value]
        below += values[value]
    return ranks
