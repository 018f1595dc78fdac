"""The digits of a number decide the same, whatever form the record comes in; and the schema sees no other number."""

from __future__ import annotations

import json

import pytest
from baseline_records import DROP, VERSION, baseline, changed, signed

import schemas
from transforms.baselines.emitted_text import emitted_text
from transforms.judge import judge, prepare
from transforms.records import Json, Line, Syntax
from transforms.terms import StreamTerms

BENCH = prepare(StreamTerms("baselines", VERSION, {VERSION: schemas.load_schema("records", VERSION)}))


def found(data: str, syntax: Syntax) -> list[tuple[str, str]]:
    verdict = judge(Line(1, 0, len(data.encode()), data.encode(), syntax=syntax), BENCH)
    return [(finding.code, finding.pointer) for finding in verdict.findings]


def in_every_form(text: str) -> list[list[tuple[str, str]]]:
    """What is found in a JSON text as a line or a .json file, as a .yaml file, and within a line."""
    return [
        found(text, Syntax.JSON),
        found(text, Syntax.YAML),
        found(json.dumps({"document": text}), Syntax.JSON),
    ]


def measured(successes: int, trials: int, rate: float, bound: float) -> Json:
    value = changed(changed(baseline(), "latency", DROP), "criteria", "seen", DROP)
    value["execution"].update(samplesPlanned=trials, samplesExecuted=trials)
    criterion = value["criteria"]["c"]
    criterion.update(trials=trials, successes=successes, observedPassRate=rate, wilsonLowerBound=bound)
    criterion["failureDistribution"][0]["count"] = trials - successes
    return signed(value)


@pytest.mark.parametrize(
    ("rate", "expected"), [("0.93", []), ("0.930000", [("pass-rate", "/criteria/c/observedPassRate")])]
)
def test_trailing_zeros_count(rate: str, expected: list[tuple[str, str]]) -> None:
    """93004/100000 is 0.9300, but not 0.930000."""
    text = json.dumps(measured(93_004, 100_000, 0.93, 0.928702))
    assert text.count('"observedPassRate": 0.93,') == 1
    text = text.replace('"observedPassRate": 0.93,', f'"observedPassRate": {rate},')
    assert in_every_form(text) == [expected] * 3


@pytest.mark.parametrize(
    ("written", "almost", "pointer"),
    [
        ('"samplesExecuted": 10', "9.9999999999999999999", "/execution/samplesExecuted"),
        ('"samplesExecuted": 10', "10.00000000000000000001", "/execution/samplesExecuted"),
        ('"inputIndex": 1,', "1.00000000000000000001,", "/inputs/1/inputIndex"),
        ('"count": 2,', "1.99999999999999999999,", "/criteria/c/failureDistribution/0/count"),
        ('"passed": 8', "8.00000000000000000001", "/criteria/c/standings/rows/0/passed"),
        ('"expiresInDays": 90', "90.99999999999999999999", "/expiration/expiresInDays"),
        ('"confidenceLevel": 0.95', "0.99999999999999999999", "/confidenceLevel"),
        ('"confidenceLevel": 0.95', "1e-400", "/confidenceLevel"),
        ('"wilsonLowerBound": 0.540793', "-1e-400", "/criteria/c/wilsonLowerBound"),
    ],
)
def test_what_a_double_misstates_is_refused(written: str, almost: str, pointer: str) -> None:
    text = json.dumps(signed(baseline()))
    changed_text = text.replace(written, written.partition(": ")[0] + ": " + almost, 1)
    assert changed_text != text
    assert in_every_form(changed_text) == [[("number-out-of-range", pointer)]] * 3


def test_an_emitters_text_has_the_same_fault() -> None:
    text = emitted_text(signed(baseline())).replace("samplesExecuted: 10", "samplesExecuted: 9.9999999999999999999")
    assert found(text, Syntax.YAML) == [("number-out-of-range", "/execution/samplesExecuted")]


def test_an_integer_may_be_written_with_zeros() -> None:
    text = emitted_text(signed(baseline())).replace("samplesExecuted: 10", "samplesExecuted: 10.00")
    assert found(text, Syntax.YAML) == [("fingerprint-mismatch", "/contentFingerprint")]
