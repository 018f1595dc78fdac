"""Percentiles by nearest rank, and how many values each needs before it may be stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transforms.baselines.stated import Number


@dataclass(frozen=True, slots=True)
class Percentile:
    """A percentile of a latency block: its key, the percentage, and the fewest samples that admit it."""

    key: str
    percent: int
    fewest: int

    def admitted(self, samples: int) -> bool:
        """Whether it may be stated, and therefore must be, over so many samples."""
        return samples >= self.fewest


PERCENTILES = (
    Percentile("p50Ms", 50, 5),
    Percentile("p90Ms", 90, 10),
    Percentile("p95Ms", 95, 20),
    Percentile("p99Ms", 99, 100),
)


def nearest_rank(ascending: Sequence[Number], percent: int) -> Number:
    """The value at rank ⌈percent·n/100⌉ (counted from 1) of `ascending`; nothing is interpolated.

    The rank is computed in integers: 0.07 · 100 is 7.000000000000001 in doubles. Raises ValueError where there
    is no such rank: no values, or a percentage outside 1 to 100.
    """
    if not ascending or not 1 <= percent <= 100:
        raise ValueError(f"no percentile {percent} of {len(ascending)} values")
    return ascending[(percent * len(ascending) + 99) // 100 - 1]
