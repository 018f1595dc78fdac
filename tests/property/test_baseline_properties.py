"""Consistent baselines are accepted in every form; with one field broken, exactly the intended code appears."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any

import pytest
import yaml
from baseline_records import VERSION, findings, signed
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import schemas
from transforms.baselines.emitted_text import emitted_text
from transforms.baselines.fingerprint import verify_document, verify_object, verify_text
from transforms.baselines.wilson import lower_bound
from transforms.digests import canonical_json, sha256_hex
from transforms.judge import judge, prepare
from transforms.records import Finding, Json, Line, Syntax
from transforms.terms import FingerprintForm, StreamTerms

BENCH = prepare(StreamTerms("baselines", VERSION, {VERSION: schemas.load_schema("records", VERSION)}))

# What a YAML 1.1 reader takes as it stands between quotes.
CHARACTERS = st.characters(max_codepoint=0xFFFD, exclude_categories=("C", "Zl", "Zp"))
TEXTS = st.text(CHARACTERS, max_size=6)
NAMES = st.text(CHARACTERS, min_size=1, max_size=6)
LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.975, 0.99, 0.999])
GATES = {"p50Ms": (50, 5), "p90Ms": (90, 10), "p95Ms": (95, 20), "p99Ms": (99, 100)}


def stated(number: float) -> float:
    """As an emitter writes it."""
    return float(f"{number:.6f}")


@st.composite
def failures(draw: st.DrawFn, failed: int, inputs: int) -> list[Json]:
    entries = []
    while failed:
        count = draw(st.integers(1, failed))
        entry: Json = {"condition": draw(NAMES), "count": count}
        kind = draw(st.sampled_from(["evaluated", "delivery", None]))
        if kind == "delivery":
            entry |= {"condition": draw(st.sampled_from(["unreachable", "peer-timeout"])), "kind": kind}
        elif draw(st.booleans()):
            entry |= {"reason": draw(st.sampled_from(["condition", "transform/no-value"]))}
        if draw(st.booleans()) and inputs:
            entry |= {"inputIndex": draw(st.integers(0, inputs - 1))}
        entries.append(entry)
        failed -= count
        if len(entries) == 4:
            entries[-1]["count"] += failed
            break
    return entries


@st.composite
def rows(draw: st.DrawFn) -> Json:
    passed, failed, skipped = (draw(st.integers(0, 40)) for _ in range(3))
    trials = passed + failed + skipped
    row = {"inputIndex": draw(st.integers(0, 3)), "check": draw(NAMES), "optional": draw(st.booleans())}
    row |= {"passed": passed, "failed": failed, "skipped": skipped}
    row |= {"observedFraction": round(passed / trials, 6) if trials else 0.0}
    if passed:
        row |= {"observed": [{"excerpt": draw(TEXTS), "count": draw(st.integers(1, passed)), "held": True}]}
    return row


@st.composite
def criteria(draw: st.DrawFn, trials: int, level: float, inputs: int, mode: str, least: int = 0) -> Json:
    """A criterion; with `least` successes there is also a failure, and standings."""
    successes = draw(st.integers(least, trials - bool(least)))
    criterion: Json = {"mode": mode}
    if mode == "inferential" and draw(st.booleans()):
        criterion |= {"procedure": draw(st.sampled_from(["REGRESSION", "COMPLIANCE"]))}
    criterion |= {"trials": trials, "successes": successes}
    if mode == "inferential" and trials:
        criterion |= {"observedPassRate": stated(successes / trials)}
        criterion |= {"wilsonLowerBound": stated(lower_bound(successes, trials, level))}
    elif mode == "inferential":
        criterion |= {"wilsonLowerBound": None}
    if successes < trials:
        criterion |= {"failureDistribution": draw(failures(trials - successes, inputs))}
    if least or draw(st.booleans()):
        criterion |= {"standings": {"rows": draw(st.lists(rows(), min_size=1, max_size=3))}}
    return criterion


@st.composite
def latencies(draw: st.DrawFn, least: int, fewest: int, executed: int) -> Json:
    contributing = draw(st.integers(least, fewest))
    random = draw(st.randoms(use_true_random=False))
    vector = sorted(random.choices(range(draw(st.sampled_from([2, 5000]))), k=contributing))
    block: Json = {"basis": "passing-samples", "contributingSamples": contributing, "totalSamples": executed}
    for key, (percent, least) in GATES.items():
        if contributing >= least:
            block[key] = vector[ceil(Fraction(percent, 100) * contributing) - 1]
    return block | {"sortedPassingLatenciesMs": vector}


@st.composite
def baselines(draw: st.DrawFn, full: bool = False) -> Json:
    """A consistent record; a `full` one has every block, a failure, five passing samples and both modes."""
    executed = draw(st.integers(7 if full else 0, 30) | st.sampled_from([99, 100, 120]))
    generated = draw(st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1))).replace(tzinfo=UTC)
    level, inputs = draw(LEVELS), draw(st.integers(2 if full else 0, 4))
    names = draw(st.lists(NAMES, min_size=2 if full else 1, max_size=3, unique=True))
    first = draw(st.sampled_from(["inferential", "observational"]))
    modes = (first, "inferential" if first == "observational" else "observational", first)
    least = 6 if full else 0
    judged = {
        name: draw(criteria(executed, level, inputs, *each, least)) for name, *each in zip(names, modes, strict=False)
    }
    value: Json = {"schemaVersion": VERSION, "serviceContractId": draw(NAMES), "serviceName": draw(NAMES)}
    value |= {"generatedAt": generated.isoformat(), "confidenceLevel": level, "inputsIdentity": draw(NAMES)}
    if inputs:
        value |= {"inputs": [{"inputIndex": index, "inputExcerpt": draw(TEXTS)} for index in range(inputs)]}
    value |= {"covariateProfile": draw(st.dictionaries(NAMES, TEXTS, max_size=2))}
    complete = draw(st.booleans())
    planned = executed if complete else executed + draw(st.integers(0, 9))
    reason = "COMPLETED" if complete else "BUDGET_TIME_EXHAUSTED"
    value |= {"execution": {"samplesPlanned": planned, "samplesExecuted": executed, "terminationReason": reason}}
    value |= {"criteria": judged}
    fewest = min(criterion["successes"] for criterion in judged.values())
    if full or (fewest and draw(st.booleans())):
        value |= {"latency": draw(latencies(5 if full else 1, fewest, executed))}
    if full or draw(st.booleans()):
        days = draw(st.integers(1, 4000))
        expires = (generated + timedelta(days=days)).isoformat()
        value |= {"expiration": {"expiresInDays": days, "expiresAt": expires}}
    return value


def codes(value: Json) -> set[str]:
    """What is found in a signed record, which is the same whether it is a file, a text in a line, or a line itself."""
    value = signed(value)
    text = emitted_text(value)
    forms = (
        (text.encode(), Syntax.YAML),
        (text.replace("\n", "\r\n").encode(), Syntax.YAML),
        (json.dumps({"document": text}).encode(), Syntax.JSON),
        (json.dumps(value, ensure_ascii=False).encode(), Syntax.JSON),
    )
    verdicts = [judge(Line(1, 0, len(data), data, syntax=syntax), BENCH) for data, syntax in forms]
    found = [{finding.code for finding in verdict.findings} for verdict in verdicts]
    assert all(each == found[0] for each in found)
    form = [verdict.derived[0] for verdict in verdicts]
    assert form == ["text", "text", "text", "emitter-text"]
    return found[0]


@settings(max_examples=50)
@given(baselines())
def test_consistent_baselines_are_accepted(value: Json) -> None:
    assert codes(value) == set()


@settings(max_examples=50)
@given(baselines())
def test_the_emitted_text_and_the_object_verify(value: Json) -> None:
    value = signed(value)
    rest = {key: member for key, member in value.items() if key != "contentFingerprint"}
    text = f'{emitted_text(rest)}contentFingerprint: "{value["contentFingerprint"]}"\n'.encode()
    assert verify_text(text) is FingerprintForm.TEXT
    assert verify_text(text.replace(b"\n", b"\r\n")) is FingerprintForm.TEXT
    assert verify_object(value) is FingerprintForm.EMITTER
    read = yaml.safe_load(text)
    assert read == value
    assert verify_object(read) is FingerprintForm.EMITTER
    assert verify_document(json.dumps(value).encode(), json.loads(json.dumps(value))) is FingerprintForm.EMITTER


@settings(max_examples=50)
@given(baselines())
def test_the_canonical_form_verifies_where_it_is_declared(value: Json) -> None:
    value |= {"contentFingerprint": f"sha256:{sha256_hex(canonical_json(value))}"}
    shuffled = dict(reversed(value.items()))
    assert verify_object(shuffled, FingerprintForm.JCS) is FingerprintForm.JCS
    assert isinstance(verify_object(shuffled), Finding)


@settings(max_examples=50)
@given(baselines())
def test_literals_say_no_less_than_floats(value: Json) -> None:
    """The digits of an emitter's literals: six for rates and bounds, as printed elsewhere."""
    exact = json.loads(json.dumps(value), parse_float=Decimal)
    for criterion in exact["criteria"].values():
        for name in {"observedPassRate", "wilsonLowerBound"} & criterion.keys():
            if criterion[name] is not None:
                criterion[name] = Decimal(f"{criterion[name]:.6f}")
    assert findings(signed(value) | exact) == ()


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


@settings(max_examples=50)
@given(baselines(), st.data())
def test_an_edit_is_noticed_whatever_it_is(value: Json, data: st.DataObject) -> None:
    value = signed(value)
    rest = {key: member for key, member in value.items() if key != "contentFingerprint"}
    text = emitted_text(rest)
    at = data.draw(st.integers(0, len(text) - 1))
    char: Any = data.draw(st.sampled_from("0 a\n#"))
    assume(text[at] != char)
    edited = f'{text[:at]}{char}{text[at + 1 :]}contentFingerprint: "{value["contentFingerprint"]}"\n'.encode()
    assert isinstance(verify_text(edited), Finding)
