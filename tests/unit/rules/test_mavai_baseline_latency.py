"""The latency block: its population, its vector, its percentiles."""

from __future__ import annotations

import json
from typing import Any

import pytest
from baseline_records import DROP, GOLDEN, baseline, changed, findings, found, latency

from transforms.records import Json
from transforms.rules.mavai_baseline import RULES
from transforms.rules.rule import RuleContext, apply

GATED: list[dict[str, Any]] = json.loads((GOLDEN / "oracle.json").read_bytes())["gated_percentiles"]
KEYS = ("p50Ms", "p90Ms", "p95Ms", "p99Ms")


def perfect(samples: int, block: Json) -> Json:
    """A record in which every one of `samples` passed its one observational criterion."""
    value = baseline()
    del value["expiration"], value["inputs"]
    value["execution"].update(samplesPlanned=samples, samplesExecuted=samples)
    value["criteria"] = {"c": {"mode": "observational", "trials": samples, "successes": samples}}
    return value | {"latency": block}


def block(vector: list[Any], **percentiles: Any) -> Json:
    """A block that states just these percentiles."""
    full = latency(vector, len(vector))
    return {key: value for key, value in full.items() if key != "p50Ms"} | percentiles


@pytest.mark.parametrize("case", [case for case in GATED if case["vector"]], ids=lambda case: str(len(case["vector"])))
def test_published_percentiles_are_admitted_as_published(case: dict[str, Any]) -> None:
    stated = {key: value for key, value in case["expected"].items() if value is not None}
    samples = len(case["vector"])
    assert found(perfect(samples, block(case["vector"], **stated))) == []
    for key, value in case["expected"].items():
        if value is None:
            assert found(perfect(samples, block(case["vector"], **stated, **{key: 100}))) == [
                ("percentile-gate", f"/latency/{key}")
            ]
        else:
            off = stated | {key: value + 1}
            assert found(perfect(samples, block(case["vector"], **off))) == [("percentile-value", f"/latency/{key}")]
            less = changed(stated, key, DROP)
            assert found(perfect(samples, block(case["vector"], **less))) == [("percentile-gate", "/latency")]


@pytest.mark.parametrize(
    ("samples", "admitted"), [(4, 0), (5, 1), (9, 1), (10, 2), (19, 2), (20, 3), (99, 3), (100, 4), (101, 4)]
)
def test_the_gate_opens_at_its_number_of_samples(samples: int, admitted: int) -> None:
    stated = dict.fromkeys(KEYS[:admitted], 7)
    assert found(perfect(samples, block([7] * samples, **stated))) == []
    for key in KEYS[admitted:]:
        assert found(perfect(samples, block([7] * samples, **stated) | {key: 7})) == [
            ("percentile-gate", f"/latency/{key}")
        ]


def test_zero_is_no_way_to_leave_a_percentile_out() -> None:
    assert found(changed(baseline(), "latency", "p90Ms", 0)) == [("percentile-gate", "/latency/p90Ms")]


@pytest.mark.parametrize(
    ("p50", "right"), [(130, True), (130.0, True), (135, False), (140, False), (130.00000000000003, False)]
)
def test_the_median_is_not_interpolated(p50: float, right: bool) -> None:
    value = changed(baseline(), "latency", "p50Ms", p50)
    assert found(value) == ([] if right else [("percentile-value", "/latency/p50Ms")])


def test_fractions_of_milliseconds() -> None:
    assert found(perfect(5, block([0.5, 1, 1.25, 1.25, 2], p50Ms=1.25))) == []


def test_the_first_descent_is_named() -> None:
    value = changed(baseline(), "latency", "sortedPassingLatenciesMs", [100, 120, 110, 130, 140, 150, 170, 160])
    assert found(value) == [("latency-order", "/latency/sortedPassingLatenciesMs/2")]
    assert findings(value)[0].message == "110 follows 120"


@pytest.mark.parametrize("vector", [[100, 110], list(range(9)), []])
def test_a_vector_of_another_length(vector: list[int]) -> None:
    value = changed(baseline(), "latency", "sortedPassingLatenciesMs", vector)
    assert found(value) == [("latency-length", "/latency/sortedPassingLatenciesMs")]


@pytest.mark.parametrize(("successes", "within"), [(8, True), (9, True), (7, False)])
def test_the_fewest_successes_bound_who_contributes(successes: int, within: bool) -> None:
    failures = [{"condition": "x", "count": 10 - successes}]
    criterion = {"mode": "observational", "trials": 10, "successes": successes, "failureDistribution": failures}
    value = changed(baseline(), "criteria", "seen", criterion)
    assert found(value) == ([] if within else [("latency-population", "/latency/contributingSamples")])


def test_the_total_is_that_of_the_run() -> None:
    value = changed(baseline(), "latency", "totalSamples", 11)
    assert found(value) == [("latency-population", "/latency/totalSamples")]


def without_pass() -> Json:
    failures = [{"condition": "x", "count": 10}]
    criterion = {"mode": "observational", "trials": 10, "successes": 0, "failureDistribution": failures}
    return changed(baseline(), "criteria", "seen", criterion)


def test_nothing_passed_and_there_is_no_block() -> None:
    assert found(changed(without_pass(), "latency", DROP)) == []


def test_nothing_passed_and_there_is_a_block() -> None:
    assert found(without_pass()) == [("latency-without-pass", "/latency")]
    assert found(changed(without_pass(), "latency", latency([], 10))) == [("latency-without-pass", "/latency")]


def test_an_empty_block_is_one_of_no_passing_sample() -> None:
    assert found(changed(baseline(), "latency", latency([], 10))) == [("latency-without-pass", "/latency")]


def test_an_absent_block_proves_nothing() -> None:
    assert found(changed(baseline(), "latency", DROP)) == []


def test_a_long_vector_takes_no_long_list_of_findings() -> None:
    samples = 100_000
    vector = list(range(samples, 0, -1))
    value = perfect(samples, block(vector, p50Ms=50_000, p90Ms=90_000, p95Ms=95_000, p99Ms=99_000))
    assert [finding.code for finding in apply(RULES, value, RuleContext())] == ["latency-order"]
