"""With one field of a consistent baseline broken, exactly the intended code appears."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from datetime import datetime, timedelta

import pytest
from baseline_strategies import GATES, baselines, codes, stated
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from transforms.baselines.wilson import lower_bound
from transforms.records import Json


def inferential(value: Json) -> Json:
    """An inferential criterion with trials."""
    found = [each for each in value["criteria"].values() if each["mode"] == "inferential" and each["trials"]]
    assume(found)
    return found[0]


def observational(value: Json) -> Json:
    found = [each for each in value["criteria"].values() if each["mode"] == "observational"]
    assume(found)
    return found[0]


def failing(value: Json) -> list[Json]:
    found = [each["failureDistribution"] for each in value["criteria"].values() if each.get("failureDistribution")]
    assume(found)
    return found[0]


def standing(value: Json) -> Json:
    found = [each["standings"] for each in value["criteria"].values() if "standings" in each]
    assume(found)
    return found[0]


def block(value: Json) -> Json:
    assume("latency" in value)
    return value["latency"]


def more_executed_than_planned(value: Json, _data: st.DataObject) -> None:
    assume(value["execution"]["samplesExecuted"])
    value["execution"]["samplesPlanned"] = value["execution"]["samplesExecuted"] - 1


def completed_too_early(value: Json, data: st.DataObject) -> None:
    value["execution"]["terminationReason"] = "COMPLETED"
    value["execution"]["samplesPlanned"] = value["execution"]["samplesExecuted"] + data.draw(st.integers(1, 9))


def inputs_out_of_order(value: Json, data: st.DataObject) -> None:
    assume(len(value.get("inputs", ())) > 1)
    value["inputs"] = data.draw(st.permutations(value["inputs"]))
    assume([row["inputIndex"] for row in value["inputs"]] != sorted(row["inputIndex"] for row in value["inputs"]))


def other_trials(value: Json, _data: st.DataObject) -> None:
    trials = value["execution"]["samplesExecuted"] + 1
    value["criteria"]["\U0001f600"] = {"mode": "observational", "trials": trials, "successes": trials}


def more_successes_than_trials(value: Json, data: st.DataObject) -> None:
    criterion = data.draw(st.sampled_from(list(value["criteria"].values())))
    assume(criterion["trials"])  # without trials, nothing but null and nothing can be stated
    criterion["successes"] = criterion["trials"] + data.draw(st.integers(1, 9))


def rate_of_another_count(value: Json, data: st.DataObject) -> None:
    criterion = inferential(value)
    other = data.draw(st.integers(0, criterion["trials"]).filter(lambda count: count != criterion["successes"]))
    criterion["observedPassRate"] = stated(other / criterion["trials"])


def rate_missing(value: Json, _data: st.DataObject) -> None:
    del inferential(value)["observedPassRate"]


def rate_of_an_observational_criterion(value: Json, data: st.DataObject) -> None:
    observational(value)["observedPassRate"] = stated(data.draw(st.floats(0, 1)))


def bound_of_another_count(value: Json, data: st.DataObject) -> None:
    criterion = inferential(value)
    other = data.draw(st.integers(0, criterion["trials"]).filter(lambda count: count != criterion["successes"]))
    criterion["wilsonLowerBound"] = stated(lower_bound(other, criterion["trials"], value["confidenceLevel"]))


def bound_of_two_sides(value: Json, _data: st.DataObject) -> None:
    criterion = inferential(value)
    assume(criterion["successes"])
    level = (1 + value["confidenceLevel"]) / 2
    criterion["wilsonLowerBound"] = stated(lower_bound(criterion["successes"], criterion["trials"], level))


def bound_null_or_missing(value: Json, data: st.DataObject) -> None:
    criterion = inferential(value)
    criterion["wilsonLowerBound"] = None
    if data.draw(st.booleans()):
        del criterion["wilsonLowerBound"]


def bound_of_an_observational_criterion(value: Json, data: st.DataObject) -> None:
    observational(value)["wilsonLowerBound"] = data.draw(st.none() | st.floats(0, 1).map(stated))


def procedure_of_an_observational_criterion(value: Json, _data: st.DataObject) -> None:
    observational(value)["procedure"] = "REGRESSION"


def a_failure_more(value: Json, data: st.DataObject) -> None:
    data.draw(st.sampled_from(failing(value)))["count"] += data.draw(st.integers(1, 9))


def failures_forgotten(value: Json, _data: st.DataObject) -> None:
    failing(value)
    for criterion in value["criteria"].values():
        criterion.pop("failureDistribution", None)


def delivery_with_reason(value: Json, _data: st.DataObject) -> None:
    failing(value)[0] |= {"condition": "unreachable", "kind": "delivery", "reason": "condition"}


def failure_in_an_unknown_input(value: Json, data: st.DataObject) -> None:
    assume("inputs" in value)
    failing(value)[0]["inputIndex"] = len(value["inputs"]) + data.draw(st.integers(0, 9))


def row_incomplete(value: Json, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(standing(value)["rows"]))
    assume(row["passed"] + row["failed"] + row["skipped"])
    required = ("inputIndex", "check", "optional", "passed", "failed", "skipped", "observedFraction")
    del row[data.draw(st.sampled_from(required))]


def row_of_other_counts(value: Json, data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(standing(value)["rows"]))
    row["failed"] += data.draw(st.integers(1, 9))
    assume(row["passed"])


def more_observed_than_tried(value: Json, _data: st.DataObject) -> None:
    row = standing(value)["rows"][0]
    assume("observed" in row)
    row["observed"][0]["count"] = row["passed"] + row["failed"] + row["skipped"] + 1


def no_rows(value: Json, _data: st.DataObject) -> None:
    standing(value)["rows"] = []


def latencies_out_of_order(value: Json, data: st.DataObject) -> None:
    vector = block(value)["sortedPassingLatenciesMs"]
    shuffled = data.draw(st.permutations(vector))
    assume(shuffled != vector)
    block(value)["sortedPassingLatenciesMs"] = shuffled


def a_latency_less(value: Json, data: st.DataObject) -> None:
    vector = block(value)["sortedPassingLatenciesMs"]
    del vector[data.draw(st.integers(0, len(vector) - 1))]


def another_total(value: Json, data: st.DataObject) -> None:
    block(value)["totalSamples"] += data.draw(st.integers(1, 9))


def more_contribute_than_passed(value: Json, _data: st.DataObject) -> None:
    failed = value["execution"]["samplesExecuted"] - block(value)["contributingSamples"] + 1
    entry = {"condition": "x", "count": failed}
    successes = block(value)["contributingSamples"] - 1
    assume(successes)
    trials = value["execution"]["samplesExecuted"]
    value["criteria"]["\U0001f600"] = {
        "mode": "observational", "trials": trials, "successes": successes, "failureDistribution": [entry]
    }  # fmt: skip


def latencies_of_nothing(value: Json, _data: st.DataObject) -> None:
    executed = value["execution"]["samplesExecuted"]
    value["latency"] = {"basis": "passing-samples", "contributingSamples": 0, "totalSamples": executed}
    value["latency"]["sortedPassingLatenciesMs"] = []


def percentile_missing(value: Json, data: st.DataObject) -> None:
    present = sorted(GATES.keys() & block(value).keys())
    assume(present)
    del block(value)[data.draw(st.sampled_from(present))]


def percentile_too_early(value: Json, data: st.DataObject) -> None:
    absent = sorted(GATES.keys() - block(value).keys())
    assume(absent)
    vector = value["latency"]["sortedPassingLatenciesMs"]
    block(value)[data.draw(st.sampled_from(absent))] = data.draw(st.sampled_from([0, *vector]))


def percentile_beside_its_rank(value: Json, data: st.DataObject) -> None:
    present = sorted(GATES.keys() & block(value).keys())
    assume(present)
    block(value)[data.draw(st.sampled_from(present))] += data.draw(st.sampled_from([1, 0.5, 1e-9]))


def no_instant(value: Json, data: st.DataObject) -> None:
    value["generatedAt"] = data.draw(
        st.sampled_from(["2026-02-30T12:00:00Z", "2026-08-03", "now", "2026-08-03T12:00:00"])
    )


def another_expiry(value: Json, data: st.DataObject) -> None:
    assume("expiration" in value)
    expires = datetime.fromisoformat(value["expiration"]["expiresAt"])
    off = data.draw(st.sampled_from([timedelta(days=1), timedelta(hours=-1), timedelta(microseconds=1)]))
    value["expiration"]["expiresAt"] = (expires + off).isoformat()


Break = Callable[[Json, st.DataObject], None]
BREAKS: list[tuple[Break, str]] = [
    (more_executed_than_planned, "execution-count"),
    (completed_too_early, "execution-count"),
    (inputs_out_of_order, "inputs-index"),
    (other_trials, "trials-not-executed"),
    (more_successes_than_trials, "successes-exceed-trials"),
    (rate_of_another_count, "pass-rate"),
    (rate_missing, "pass-rate"),
    (rate_of_an_observational_criterion, "pass-rate"),
    (bound_of_another_count, "wilson-bound"),
    (bound_of_two_sides, "wilson-bound"),
    (bound_null_or_missing, "wilson-bound"),
    (bound_of_an_observational_criterion, "wilson-bound"),
    (procedure_of_an_observational_criterion, "procedure-on-observational"),
    (a_failure_more, "failure-count"),
    (failures_forgotten, "failure-count"),
    (delivery_with_reason, "delivery-with-reason"),
    (failure_in_an_unknown_input, "failure-input-unknown"),
    (row_incomplete, "standings-shape"),
    (row_of_other_counts, "standings-shape"),
    (more_observed_than_tried, "standings-shape"),
    (no_rows, "standings-shape"),
    (latencies_out_of_order, "latency-order"),
    (a_latency_less, "latency-length"),
    (another_total, "latency-population"),
    (more_contribute_than_passed, "latency-population"),
    (latencies_of_nothing, "latency-without-pass"),
    (percentile_missing, "percentile-gate"),
    (percentile_too_early, "percentile-gate"),
    (percentile_beside_its_rank, "percentile-value"),
    (no_instant, "timestamp"),
    (another_expiry, "expiry-mismatch"),
]


@pytest.mark.parametrize(("broken", "code"), BREAKS, ids=lambda part: getattr(part, "__name__", part))
@settings(max_examples=15)
@given(value=baselines(full=True), data=st.data())
def test_one_broken_field_is_one_code(broken: Break, code: str, value: Json, data: st.DataObject) -> None:
    value = deepcopy(value)
    broken(value, data)
    assert codes(value) == {code}
