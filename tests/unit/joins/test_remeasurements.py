from __future__ import annotations

from typing import Any

import pytest
from baseline_records import VERSION, baseline, changed

from transforms.digests import canonical_json, digest
from transforms.joins.join import Entry, Member
from transforms.joins.remeasurements import JOIN, claim, judge
from transforms.records import Json, Place, Severity
from transforms.terms import Action, StreamTerms

NOON = "2026-08-03T12:00:00Z"


def entry(value: Json) -> Entry:
    content = digest(canonical_json(value))
    return Entry(VERSION, VERSION, None, content, content, value, None)


def found(*values: Json, **policies: Action) -> list[tuple[int, str, Severity, list[int]]]:
    """(index, code, severity, lines named) over records that stand on the lines 1, 2, …"""
    named = {name.replace("_", "-"): action for name, action in policies.items()}
    terms = {"baselines": StreamTerms("baselines", VERSION, {}, policies=named)}
    claims = [claim(entry(value))[0] for value in values]
    assert len({one.key for one in claims}) == 1
    members = [Member(Place("baselines", "a.jsonl", 1 + n), one.payload) for n, one in enumerate(claims)]
    assert all(len(one.payload) == JOIN.payload_bytes for one in claims)
    return [
        (index, row.code, row.severity, [place.line for place in row.related]) for index, row in judge(members, terms)
    ]


def at(instant: str, **changes: Any) -> Json:
    value = changed(baseline(), "generatedAt", instant)
    for name, new in changes.items():
        value = changed(value, name, new)
    return value


def test_the_newest_stays() -> None:
    older, oldest = at("2026-08-03T11:59:59.999999999Z"), at("2025-12-31T23:59:59Z")
    assert found(older, at(NOON), oldest) == [
        (0, "superseded-baseline", Severity.REJECT, [2]),
        (2, "superseded-baseline", Severity.REJECT, [2]),
    ]


def test_instants_are_compared_and_not_their_spelling() -> None:
    one, other = at(NOON), at("2026-08-03T12:00:00.000+00:00")
    assert found(one, other) == [
        (0, "identity-collision", Severity.REJECT, [2]),
        (1, "identity-collision", Severity.REJECT, [1]),
    ]


def test_equal_contents_are_neither() -> None:
    assert found(at(NOON), at(NOON)) == []


def test_a_collision_among_older_ones() -> None:
    older, twin = at("2026-08-02T12:00:00Z"), at("2026-08-02T12:00:00Z", confidenceLevel=0.9)
    assert found(older, twin, at(NOON)) == [
        (0, "superseded-baseline", Severity.REJECT, [3]),
        (1, "superseded-baseline", Severity.REJECT, [3]),
        (0, "identity-collision", Severity.REJECT, [2]),
        (1, "identity-collision", Severity.REJECT, [1]),
    ]


@pytest.mark.parametrize(
    ("action", "severity"),
    [(Action.HOLD, Severity.HOLD), (Action.ALLOW, Severity.WARN), (Action.REJECT, Severity.REJECT)],
)
def test_policies(action: Action, severity: Severity) -> None:
    older = at("2026-08-02T12:00:00Z")
    assert found(older, at(NOON), superseded_baseline=action) == [(0, "superseded-baseline", severity, [2])]
    collision = found(at(NOON), at(NOON, confidenceLevel=0.9), identity_collision=action)
    assert [row[2] for row in collision] == [severity, severity]


@pytest.mark.parametrize(
    ("path", "new"),
    [
        (("serviceName",), "other"),
        (("serviceContractId",), "other"),
        (("inputsIdentity",), "other"),
        (("covariateProfile",), {}),
        (("covariateProfile", "temperature"), "0"),
        (("covariateProfile", "region"), "north"),
    ],
)
def test_what_makes_another_identity(path: tuple[str, ...], new: Any) -> None:
    assert claim(entry(changed(baseline(), *path, new)))[0].key != claim(entry(baseline()))[0].key


def test_what_does_not() -> None:
    value = changed(changed(baseline(), "footprint", "x"), "factorRecord", {"a": "b"})
    value = changed(value, "covariateProfile", dict(reversed(value["covariateProfile"].items())))
    assert claim(entry(value))[0].key == claim(entry(baseline()))[0].key


def test_a_timestamp_that_is_allowed_to_be_none_claims_nothing() -> None:
    assert claim(entry(at("yesterday"))) == ()
