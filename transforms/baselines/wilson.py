"""The one-sided Wilson lower bound of a proportion (E. B. Wilson, JASA 22, 1927)."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from statistics import NormalDist

_NORMAL = NormalDist()
# Eight units in the last place of a double near 1: what emitters lose on the way from the level to its quantile.
_ROUNDING = 2.0**-49
_LEAST_DENSITY = 1e-300


def lower_bound(successes: float, trials: int, confidence: float) -> float:
    """The lower bound for `successes` in `trials` at the one-sided level `confidence`.

    (p + z²/2n − z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n) with p = k/n and z = Φ⁻¹(confidence); exactly 0 at k = 0,
    and n/(n + z²) at k = n. The lower end of a two-sided interval of level c is this at (1 + c)/2.
    Raises ValueError unless 0 ≤ k ≤ n, n ≥ 1 and 0 < confidence < 1.
    """
    if not (0 <= successes <= trials and trials >= 1 and 0 < confidence < 1):
        raise ValueError(f"no bound for {successes} successes in {trials} trials at {confidence}")
    if successes == 0:
        return 0.0
    z, n = _NORMAL.inv_cdf(confidence), float(trials)  # an integer beyond the doubles would not divide
    square = z * z
    if successes == trials:
        return n / (n + square)
    p = successes / trials
    spread = sqrt(p * (1 - p) / n + square / (4 * n * n))
    return (p + square / (2 * n) - z * spread) / (1 + square / n)


@lru_cache(maxsize=256)
def doubt(confidence: float) -> float:
    """How far two bounds at this level may be apart that were both computed in double precision.

    A level near 0 or 1 fixes its quantile less and less: an error of ε in the level is one of ε/φ(z) in z, and
    the bound moves by no more than z does.
    """
    density = max(_NORMAL.pdf(_NORMAL.inv_cdf(confidence)), _LEAST_DENSITY)
    return _ROUNDING / density
