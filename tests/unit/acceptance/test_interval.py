"""Wilson intervals against published values, and shares that add up."""

from __future__ import annotations

import mpmath
import pytest

from transforms.acceptance.interval import Share, published, wilson_interval


def precise(successes: int, trials: int) -> tuple[float, float]:
    """Both ends with forty digits, from the formula as a whole."""
    with mpmath.workdps(40):
        z = mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf("0.95"))
        p, n = mpmath.mpf(successes) / trials, mpmath.mpf(trials)
        centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z / (1 + z**2 / n) * mpmath.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
        return round(float(max(centre - half, 0)), 6), round(float(min(centre + half, 1)), 6)


# R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3: four places.
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    ends = wilson_interval(successes, trials)
    assert (round(ends[0], 4), round(ends[1], 4)) == (low, high)


@pytest.mark.parametrize("trials", [1, 2, 3, 10, 97, 1000, 1_000_000, 123_456_789])
def test_intervals_with_many_digits(trials: int) -> None:
    for successes in {0, 1, trials // 3, trials // 2, trials - 1, trials}:
        assert wilson_interval(successes, trials) == precise(successes, trials)


def test_the_ends_of_the_scale() -> None:
    assert wilson_interval(0, 7) == (0.0, 0.354330)
    assert wilson_interval(7, 7) == (0.645670, 1.0)
    assert wilson_interval(1, 1) == (0.206549, 1.0)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_what_has_no_interval(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="no bound"):
        wilson_interval(successes, trials)


def test_shares_add_up() -> None:
    assert Share(1, 3) + Share(2, 2) + Share() == Share(3, 5)


def test_what_is_published() -> None:
    assert published(Share(15, 148)) == {"numerator": 15, "denominator": 148, "low": 0.062386, "high": 0.160487}
    assert published(Share()) == {"numerator": 0, "denominator": 0, "low": None, "high": None}
