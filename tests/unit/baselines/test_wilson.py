"""The Wilson lower bound against published values, a direct computation with many digits, and its limits."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from baseline_records import GOLDEN

from transforms.baselines.stated import agrees
from transforms.baselines.wilson import doubt, lower_bound

ORACLE: dict[str, list[dict[str, Any]]] = json.loads((GOLDEN / "oracle.json").read_bytes())
PUBLISHED = [*ORACLE["wilson_lower"], *ORACLE["wilson_lower_from_two_sided"], *ORACLE["computed_wilson_rounded6"]]


def precise(successes: int, trials: int, level: float) -> float:
    """The same bound with forty digits."""
    with mpmath.workdps(40):
        z = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(level) - 1)
        p, n = mpmath.mpf(successes) / trials, mpmath.mpf(trials)
        spread = mpmath.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
        return float((p + z**2 / (2 * n) - z * spread) / (1 + z**2 / n))


@pytest.mark.parametrize(
    "case", PUBLISHED, ids=lambda case: f"{case['successes']}/{case['trials']}@{case['confidence']}"
)
def test_published_bounds(case: dict[str, Any]) -> None:
    bound = lower_bound(case["successes"], case["trials"], case["confidence"])
    assert abs(bound - case["value"]) < 1e-14
    if "emitted" in case:
        assert agrees(float(case["emitted"]), bound, doubt(case["confidence"]))


@pytest.mark.parametrize("case", ORACLE["wilson_lower_at_rate"], ids=lambda case: case["name"])
def test_published_bounds_at_a_rate(case: dict[str, Any]) -> None:
    successes = float(Fraction(*case["rate"]) * case["trials"])
    assert abs(lower_bound(successes, case["trials"], case["confidence"]) - case["value"]) < 1e-14


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.975, 0.99, 0.999, 0.999999])
@pytest.mark.parametrize("trials", [1, 2, 7, 100, 12_345, 10_000_000])
def test_against_many_digits(trials: int, level: float) -> None:
    for successes in {1, trials // 3, trials // 2, trials - 1, trials} - {0}:
        assert abs(lower_bound(successes, trials, level) - precise(successes, trials, level)) < 1e-14


@pytest.mark.parametrize("level", [1e-9, 0.3, 0.5, 0.95, 1 - 1e-12])
def test_no_successes_and_nothing_but_successes(level: float) -> None:
    assert lower_bound(0, 7, level) == 0.0
    assert lower_bound(7, 7, level) == pytest.approx(7 / (7 + precise_z(level) ** 2), abs=1e-14)


def precise_z(level: float) -> float:
    with mpmath.workdps(40):
        return float(mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(level) - 1))


def test_the_doubt_is_far_below_what_is_stated_at_usual_levels() -> None:
    assert max(map(doubt, (0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999))) < 1e-11
    assert doubt(0.95) < doubt(0.99) < doubt(0.999999) < doubt(1 - 1e-12)
    assert doubt(5e-324) > 1


@pytest.mark.parametrize(
    ("successes", "trials", "level"),
    [(-1, 3, 0.95), (4, 3, 0.95), (0, 0, 0.95), (1, 3, 0.0), (1, 3, 1.0), (1, 3, float("nan"))],
)
def test_what_has_no_bound(successes: int, trials: int, level: float) -> None:
    with pytest.raises(ValueError, match="no bound"):
        lower_bound(successes, trials, level)
