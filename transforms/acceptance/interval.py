"""Shares of a whole with their 95 % interval: counts that add up, and the form in which they are published."""

from __future__ import annotations

from dataclasses import dataclass

from transforms.baselines.wilson import lower_bound
from transforms.records import Json

# The one-sided level of each end: together they leave out 5 %.
_LEVEL = 0.975
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Share:
    """`numerator` of `denominator`; shares of disjoint wholes add up to that of both together."""

    numerator: int = 0
    denominator: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.numerator + other.numerator, self.denominator + other.denominator)


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """The two-sided 95 % Wilson score interval (E. B. Wilson, JASA 22, 1927), rounded to six digits.

    (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n) with p = k/n and z = Φ⁻¹(0.975) = 1.959964; 0 below at k = 0 and
    1 above at k = n. The upper end is what remains above the lower end for the failures.
    Raises ValueError unless 0 ≤ k ≤ n and n ≥ 1.
    """
    low = lower_bound(successes, trials, _LEVEL)
    high = 1 - lower_bound(trials - successes, trials, _LEVEL)
    return round(low, _DIGITS), round(high, _DIGITS)


def published(share: Share) -> Json:
    """`numerator`, `denominator`, and the interval's ends `low` and `high`, null where there is nothing to share."""
    low, high = wilson_interval(share.numerator, share.denominator) if share.denominator else (None, None)
    return {"numerator": share.numerator, "denominator": share.denominator, "low": low, "high": high}
