"""The observed rate, the Wilson bound and the procedure of a criterion."""

from __future__ import annotations

from typing import Any

import pytest
from baseline_records import DROP, baseline, changed, findings, found

from transforms.records import Json

RATE = [("pass-rate", "/criteria/c/observedPassRate")]
BOUND = [("wilson-bound", "/criteria/c/wilsonLowerBound")]


def alone(successes: int, trials: int, rate: Any, bound: Any, level: float = 0.95) -> Json:
    """A record with one inferential criterion and nothing else."""
    value = baseline()
    for name in ("inputs", "latency", "expiration"):
        del value[name]
    value["confidenceLevel"] = level
    value["execution"].update(samplesPlanned=trials, samplesExecuted=trials)
    value["criteria"] = {"c": {"mode": "inferential", "trials": trials, "successes": successes}}
    value["criteria"]["c"] |= {} if rate is DROP else {"observedPassRate": rate}
    value["criteria"]["c"] |= {} if bound is DROP else {"wilsonLowerBound": bound}
    if successes < trials:
        value["criteria"]["c"]["failureDistribution"] = [{"condition": "x", "count": trials - successes}]
    return value


@pytest.mark.parametrize(
    ("successes", "trials", "rate", "agrees"),
    [
        (1, 3, 0.3333, True),
        (1, 3, 0.333333, True),
        (1, 3, 0.333333333, True),
        (1, 3, 0.3333333333333333, True),
        (1, 3, 0.33333333349, True),  # digits beyond the ninth do not count
        (1, 3, 0.333333334, False),
        (1, 3, 0.333334, False),
        (1, 3, 0.333, False),
        (2, 3, 0.666666, False),  # cut, not rounded
        (2, 3, 0.666667, True),
        (1, 32, 0.0312, True),  # 0.03125: at an exact half both neighbours are right
        (1, 32, 0.0313, True),
        (1, 32, 0.0314, False),
        (10, 10, 1, True),
        (10, 10, 1.0, True),
        (9, 10, 1.0, False),
        (0, 10, 0, True),
        (0, 10, 0.00001, False),
        (982, 1000, 0.982, True),
        (982, 1000, 0.983, False),
        (1, 2_000_000, 0.0, True),
        (1, 2_000_000, 5e-07, True),
        (1, 2_000_000, 6e-07, False),
        (1, 10, 0.1, True),
        (3, 10, 0.30000000000000004, True),
    ],
)
def test_the_rate_agrees_to_its_own_digits(successes: int, trials: int, rate: float, agrees: bool) -> None:
    codes = [finding for finding in found(alone(successes, trials, rate, DROP)) if finding[0] == "pass-rate"]
    assert codes == ([] if agrees else RATE)


@pytest.mark.parametrize(
    ("successes", "trials", "level", "bound", "agrees"),
    [
        (95, 100, 0.95, 0.9008, True),
        (95, 100, 0.95, 0.900839, True),
        (95, 100, 0.95, 0.900838915, True),
        (95, 100, 0.95, 0.900838914720947, True),
        (95, 100, 0.95, 0.90084, True),
        (95, 100, 0.95, 0.900838, False),
        (95, 100, 0.95, 0.900840001, False),
        (95, 100, 0.95, 0.9, False),
        (95, 100, 0.99, 0.872377, True),
        (95, 100, 0.99, 0.900839, False),
        (293, 300, 0.95, 0.957512, True),
        (100, 100, 0.95, 0.9737, True),
        (100, 100, 0.95, 0.9323, False),  # the threshold of a later test, not the bound
        (5, 5, 0.5, 1.0, True),
        (1, 1, 0.95, 0.269855, False),
        (1, 2_000_000, 0.95, 0.0, True),
        (8, 10, 0.3, 0.8579, True),
    ],
)
def test_the_bound_agrees_to_its_own_digits(
    successes: int, trials: int, level: float, bound: float, agrees: bool
) -> None:
    value = alone(successes, trials, round(successes / trials, 6), bound, level)
    assert found(value) == ([] if agrees else BOUND)


@pytest.mark.parametrize("bound", [0, 0.0, -0.0])
def test_without_successes_the_bound_is_exactly_zero(bound: float) -> None:
    assert found(alone(0, 20, 0.0, bound)) == []


@pytest.mark.parametrize("bound", [3.46944695195361e-18, 1e-9, 0.01])
def test_without_successes_nothing_else_is(bound: float) -> None:
    assert found(alone(0, 20, 0.0, bound)) == BOUND


def test_the_two_sided_bound_is_recognised() -> None:
    (finding,) = findings(alone(293, 300, 0.976667, 0.952628))
    assert finding.message == ("293 of 300 at 0.95 give 0.957512, not 0.952628, the lower end of a two-sided interval")
    (finding,) = findings(alone(293, 300, 0.976667, 0.95))
    assert finding.message == "293 of 300 at 0.95 give 0.957512, not 0.95"


@pytest.mark.parametrize("level", [5e-324, 1e-9, 0.5, 0.999999999999, 0.9999999999999999])
def test_any_level_has_an_answer(level: float) -> None:
    assert found(alone(7, 10, 0.7, 0.0, level)) in ([], BOUND)


def test_large_counts_have_an_answer() -> None:
    trials = 2**53 - 1
    assert found(alone(trials - 1, trials, 1.0, 1.0)) == []
    assert found(alone(int(1e308), int(1.5e308), 0.666667, 0.666667)) == []


def test_a_missing_statement() -> None:
    assert found(alone(3, 3, DROP, 0.525804)) == [("pass-rate", "/criteria/c")]
    assert found(alone(3, 3, 1.0, DROP)) == [("wilson-bound", "/criteria/c")]
    assert found(alone(3, 3, 1.0, None)) == BOUND


def test_without_trials() -> None:
    assert found(alone(0, 0, DROP, None)) == []
    assert found(alone(0, 0, 0.0, None)) == RATE
    assert found(alone(0, 0, DROP, 0.0)) == BOUND
    assert found(alone(0, 0, DROP, DROP)) == [("wilson-bound", "/criteria/c")]


@pytest.mark.parametrize(
    ("member", "stated", "code"),
    [
        ("observedPassRate", 1.0, "pass-rate"),
        ("wilsonLowerBound", 0.787058, "wilson-bound"),
        ("wilsonLowerBound", None, "wilson-bound"),
        ("procedure", "COMPLIANCE", "procedure-on-observational"),
    ],
)
def test_an_observational_criterion_states_none_of_it(member: str, stated: Any, code: str) -> None:
    assert found(changed(baseline(), "criteria", "seen", member, stated)) == [(code, f"/criteria/seen/{member}")]


@pytest.mark.parametrize("procedure", ["REGRESSION", "COMPLIANCE", DROP])
def test_an_inferential_criterion_has_any_procedure_or_none(procedure: Any) -> None:
    assert found(changed(baseline(), "criteria", "c", "procedure", procedure)) == []
