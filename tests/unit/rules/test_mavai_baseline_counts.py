"""Samples, trials, successes, inputs, and how failures are attributed."""

from __future__ import annotations

from typing import Any

import pytest
from baseline_records import DROP, baseline, changed, findings, found

from transforms.records import Json, Severity

FAILURES = ("criteria", "c", "failureDistribution")


def run(planned: int, reason: str) -> Json:
    return changed(
        baseline(), "execution", {"samplesPlanned": planned, "samplesExecuted": 10, "terminationReason": reason}
    )


@pytest.mark.parametrize(
    ("planned", "reason", "expected"),
    [
        (10, "COMPLETED", []),
        (11, "BUDGET_TIME_EXHAUSTED", []),
        (10, "BUDGET_TIME_EXHAUSTED", []),  # a budget may end just where the plan does
        (11, "completed", []),
        (11, "COMPLETED", [("execution-count", "/execution/terminationReason")]),
        (9, "COMPLETED", [("execution-count", "/execution/samplesExecuted")]),
        (9, "ABORTED", [("execution-count", "/execution/samplesExecuted")]),
    ],
)
def test_execution(planned: int, reason: str, expected: list[tuple[str, str]]) -> None:
    assert found(run(planned, reason)) == expected


@pytest.mark.parametrize(
    ("indexes", "place"),
    [([0, 1], None), ([0.0, 1], None), ([], None), ([1, 0], 0), ([0, 2], 1), ([0, 0, 1], 1), ([1, 2], 0)],
)
def test_inputs(indexes: list[float], place: int | None) -> None:
    rows = [{"inputIndex": index, "inputExcerpt": ""} for index in indexes]
    value = changed(baseline(), "inputs", rows)
    codes = [finding for finding in found(value) if finding[0] == "inputs-index"]
    assert codes == ([] if place is None else [("inputs-index", f"/inputs/{place}/inputIndex")])


def test_every_criterion_counts_all_samples() -> None:
    value = changed(baseline(), "criteria", "seen", {"mode": "observational", "trials": 9, "successes": 9})
    assert found(value) == [("trials-not-executed", "/criteria/seen/trials")]
    assert findings(value)[0].message == "9 trials of 10 executed samples"


def test_successes_beyond_the_trials_are_one_finding() -> None:
    assert found(changed(baseline(), "criteria", "c", "successes", 11)) == [
        ("successes-exceed-trials", "/criteria/c/successes")
    ]


@pytest.mark.parametrize(
    ("entries", "where"),
    [
        ([{"condition": "x", "count": 1}, {"condition": "x", "count": 1}], None),
        ([{"condition": "x", "count": 2.0}], None),
        ([{"condition": "x", "count": 1}], "/failureDistribution"),
        ([{"condition": "x", "count": 3}], "/failureDistribution"),
        ([], "/failureDistribution"),
        (DROP, ""),
    ],
)
def test_failures_are_all_attributed(entries: Any, where: str | None) -> None:
    expected = [] if where is None else [("failure-count", f"/criteria/c{where}")]
    assert found(changed(baseline(), *FAILURES, entries)) == expected


def test_nothing_failed_and_nothing_is_attributed() -> None:
    assert found(changed(baseline(), "criteria", "seen", "failureDistribution", [])) == []
    value = changed(baseline(), "criteria", "seen", "failureDistribution", [{"condition": "x", "count": 1}])
    assert found(value) == [("failure-count", "/criteria/seen/failureDistribution")]


def test_observational_criteria_attribute_their_failures_too() -> None:
    value = changed(baseline(), "criteria", "seen", "successes", 9)
    assert found(value) == [("failure-count", "/criteria/seen")]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"kind": "delivery"}, False),
        ({"kind": "delivery", "reason": "condition"}, True),
        ({"kind": "delivery", "reason": "transform/no-value"}, True),
        ({"kind": "evaluated", "reason": "condition"}, False),
        ({"kind": "evaluated"}, False),
        ({"reason": "condition"}, False),
        ({}, False),
    ],
)
def test_a_delivery_failure_has_no_reason(entry: Json, expected: bool) -> None:
    value = changed(baseline(), *FAILURES, [{"condition": "unreachable", "count": 2, **entry}])
    where = "/criteria/c/failureDistribution/0/reason"
    assert found(value) == ([("delivery-with-reason", where)] if expected else [])


@pytest.mark.parametrize(("index", "expected"), [(0, False), (1, False), (1.0, False), (2, True)])
def test_a_failure_in_an_input_that_is_not_stated_is_a_warning(index: float, expected: bool) -> None:
    value = changed(baseline(), *FAILURES, 0, "inputIndex", index)
    where = "/criteria/c/failureDistribution/0/inputIndex"
    assert found(value) == ([("failure-input-unknown", where)] if expected else [])
    assert [finding.severity for finding in findings(value)] == [Severity.WARN] * expected
    assert found(changed(value, "inputs", DROP)) == []
