"""The standings block, which the schema leaves open."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from baseline_records import DROP, baseline, changed, findings, found, row

from transforms.records import Json

HERE = ("criteria", "c", "standings")
ROWS = "/criteria/c/standings/rows"


def standing(value: Any) -> list[str]:
    """Where the one criterion's standings are at fault."""
    faults = found(changed(baseline(), *HERE, value))
    assert {code for code, _ in faults} <= {"standings-shape"}
    return [pointer.removeprefix("/criteria/c/standings") for _, pointer in faults]


def rows(*given: Any) -> list[str]:
    return standing({"rows": list(given)})


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({}, [""]),
        ({"rows": []}, ["/rows"]),
        ({"rows": None}, ["/rows"]),
        ({"rows": {"0": row()}}, ["/rows"]),
        ({"rows": [row()], "source": "x"}, []),
    ],
)
def test_there_are_rows(value: Json, where: list[str]) -> None:
    assert standing(value) == where


@pytest.mark.parametrize("slack", ["0", "1", "20%", "007", "100%"])
def test_a_slack_of_digits(slack: str) -> None:
    assert standing({"optionalSlack": slack, "rows": [row()]}) == []


@pytest.mark.parametrize("slack", ["", "%", "-1", "1.5", "20 %", "1\n", "٣", 1, None])
def test_any_other_slack(slack: Any) -> None:
    assert standing({"optionalSlack": slack, "rows": [row()]}) == ["/optionalSlack"]


@pytest.mark.parametrize("given", [None, "row", [], 1])
def test_a_row_is_an_object(given: Any) -> None:
    assert rows(row(), given) == ["/rows/1"]


@pytest.mark.parametrize("name", ["inputIndex", "check", "optional", "passed", "failed", "skipped", "observedFraction"])
def test_a_row_states_everything(name: str) -> None:
    assert rows(changed(row(), name, DROP)) == ["/rows/0"]
    assert (
        findings(changed(baseline(), *HERE, {"rows": [changed(row(), name, DROP)]}))[0].message == f"is missing {name}"
    )


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("inputIndex", -1),
        ("inputIndex", True),
        ("inputIndex", 0.5),
        ("inputIndex", "0"),
        ("check", ""),
        ("check", "c" * 257),
        ("check", 1),
        ("optional", 0),
        ("optional", "false"),
        ("optional", None),
        ("passed", -8),
        ("passed", "8"),
        ("failed", 2.5),
        ("skipped", None),
        ("observedFraction", "0.8"),
        ("observedFraction", None),
        ("observedFraction", True),
        ("observedFraction", 0.9),
        ("observedFraction", 0.800001),
        ("path", 1),
        ("form", None),
        ("expected", []),
        ("elided", -1),
        ("elided", "1"),
        ("provenance", "contract"),
        ("provenance", ["input"]),
        ("observed", {}),
        ("observed", None),
    ],
)
def test_a_member_that_is_not_as_it_must_be(name: str, given: Any) -> None:
    assert rows(row(**{name: given})) == [f"/rows/0/{name}"]


@pytest.mark.parametrize(
    "given",
    [
        {"inputIndex": 7},
        {"check": "c" * 256},
        {"passed": 8.0},
        {"observedFraction": 0.8000000001},
        {"passed": 2, "failed": 1, "observedFraction": 0.666667, "observed": []},
        {"passed": 2, "failed": 1, "observedFraction": 0.6667, "observed": []},
        {"passed": 0, "skipped": 10, "failed": 0, "observedFraction": 0, "observed": []},
        {"path": "$.a", "form": "equals", "expected": "", "elided": 0},
        {"provenance": "criterion"},
        {"provenance": "input"},
        {"note": {"any": 1}},
        {"observed": []},
        {"observed": [{"excerpt": "", "count": 1, "held": False}, {"excerpt": "e" * 256, "count": 9, "held": True}]},
        {"observed": [{"excerpt": "x", "count": 10.0, "held": False, "more": 1}]},
    ],
)
def test_a_row_as_it_may_be(given: Json) -> None:
    assert rows(row(**given)) == []


@pytest.mark.parametrize(
    ("sample", "where"),
    [
        ("ok", ""),
        ({"count": 1, "held": True}, ""),
        ({"excerpt": "x", "held": True}, ""),
        ({"excerpt": "x", "count": 1}, ""),
        ({"excerpt": "e" * 257, "count": 1, "held": True}, "/excerpt"),
        ({"excerpt": None, "count": 1, "held": True}, "/excerpt"),
        ({"excerpt": "x", "count": 0, "held": True}, "/count"),
        ({"excerpt": "x", "count": 1.5, "held": True}, "/count"),
        ({"excerpt": "x", "count": 1, "held": 1}, "/held"),
    ],
)
def test_what_was_observed(sample: Any, where: str) -> None:
    assert rows(row(observed=[{"excerpt": "ok", "count": 1, "held": True}, sample])) == [f"/rows/0/observed/1{where}"]


def test_what_was_observed_does_not_outnumber_the_trials() -> None:
    observed = [{"excerpt": "ok", "count": 8, "held": True}, {"excerpt": "no", "count": 2, "held": False}]
    assert rows(row(observed=observed)) == []
    observed[1]["count"] = 3
    assert rows(row(observed=observed)) == ["/rows/0/observed"]


@pytest.mark.parametrize("fraction", [0, 0.0, None, DROP])
def test_a_row_without_trials_has_no_fraction(fraction: Any) -> None:
    given = row(passed=0, failed=0, skipped=0, observed=[])
    assert rows(changed(given, "observedFraction", fraction)) == []


@pytest.mark.parametrize("fraction", [1.0, "0", False, []])
def test_a_row_without_trials_states_no_other(fraction: Any) -> None:
    given = row(passed=0, failed=0, skipped=0, observed=[])
    assert rows(changed(given, "observedFraction", fraction)) == ["/rows/0/observedFraction"]


def test_every_row_is_looked_at() -> None:
    assert rows(row(), row(optional=1), row(passed=9)) == ["/rows/1/optional", "/rows/2/observedFraction"]


def test_a_row_says_nothing_of_the_criterion() -> None:
    """A check is a part of a criterion: its counts are its own."""
    assert rows(row(passed=1, failed=0, observedFraction=1.0, observed=[])) == []


def test_numbers_beyond_the_doubles_are_compared() -> None:
    assert rows(row(passed=1e308, failed=1e308, skipped=1e308, observedFraction=0.333333, observed=[])) == []


def test_vast_counts_are_cut_in_messages() -> None:
    cut = "1" + "0" * 39 + "…"
    vast = row(passed=Decimal("1E+300"), failed=Decimal("1E+300"), observed=[])
    assert [each.message for each in findings(changed(baseline(), *HERE, {"rows": [vast]}))] == [
        f"{cut}/2{cut[1:]} is 0.500000, not 0.8"
    ]
    observed = row(observed=[{"excerpt": "x", "count": Decimal("1E+300"), "held": True}])
    assert [each.message for each in findings(changed(baseline(), *HERE, {"rows": [observed]}))] == [
        f"the counts sum to {cut}, the row has 10 trials"
    ]
