"""When a baseline was measured, and when it expires."""

from __future__ import annotations

import pytest
from baseline_records import DROP, baseline, changed, findings, found

from transforms.records import Json

GENERATED = [("timestamp", "/generatedAt")]
EXPIRES = "/expiration/expiresAt"


def dated(generated: str, days: float, expires: object) -> Json:
    value = changed(baseline(), "generatedAt", generated)
    return changed(value, "expiration", {"expiresInDays": days} | ({} if expires is DROP else {"expiresAt": expires}))


@pytest.mark.parametrize(
    ("generated", "days", "expires"),
    [
        ("2026-08-03T12:00:00Z", 90, "2026-11-01T12:00:00Z"),
        ("2026-08-03T12:00:00Z", 90.0, "2026-11-01T12:00:00+00:00"),
        ("2026-08-03T12:00:00.569171+00:00", 1, "2026-08-04T12:00:00.569171Z"),
        ("2026-08-03T12:00:00.5Z", 1, "2026-08-04T12:00:00.500000000Z"),
        ("2028-02-28T00:00:00Z", 2, "2028-03-01T00:00:00Z"),
        ("2026-02-28T00:00:00Z", 1, "2026-03-01T00:00Z"),
        ("2026-08-03T12:00:00Z", 10**15, DROP),
    ],
)
def test_dates_that_fit(generated: str, days: float, expires: object) -> None:
    assert found(dated(generated, days, expires)) == []


@pytest.mark.parametrize(
    ("generated", "days", "expires"),
    [
        ("2026-08-03T12:00:00Z", 90, "2026-11-02T12:00:00Z"),
        ("2026-08-03T12:00:00Z", 90, "2026-11-01T12:00:01Z"),
        ("2026-08-03T12:00:00.569171Z", 90, "2026-11-01T12:00:00Z"),
        ("2026-08-03T12:00:00Z", 10**15, "9999-12-31T23:59:59Z"),
    ],
)
def test_a_window_that_ends_elsewhere(generated: str, days: float, expires: str) -> None:
    assert found(dated(generated, days, expires)) == [("expiry-mismatch", EXPIRES)]


@pytest.mark.parametrize("expires", ["", "2026-11-01", "2026-11-01T14:00:00+02:00", "2026-11-31T12:00:00Z"])
def test_an_expiry_that_is_no_instant(expires: str) -> None:
    assert found(dated("2026-08-03T12:00:00Z", 90, expires)) == [("timestamp", EXPIRES)]


def test_without_a_beginning_the_window_is_not_compared() -> None:
    assert found(dated("2026-02-30T12:00:00Z", 90, "2026-11-02T12:00:00Z")) == GENERATED
    assert found(dated("now", 90, "then")) == [*GENERATED, ("timestamp", EXPIRES)]


def test_the_messages() -> None:
    (finding,) = findings(changed(baseline(), "generatedAt", "x" * 10_000))
    assert finding.message == f'"{"x" * 40}"... is not ISO 8601 in UTC, such as 2026-08-03T12:00:00Z'
    (finding,) = findings(dated("2026-08-03T12:00:00Z", 90, "2026-11-02T12:00:00Z"))
    assert finding.message == '"2026-11-02T12:00:00Z" is not 90 days after generatedAt'
