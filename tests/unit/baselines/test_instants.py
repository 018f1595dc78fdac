"""Timestamps as instants."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from transforms.baselines.instants import INSTANT_BYTES, instant_bytes, parse_instant

NOON = int(datetime(2026, 8, 3, 12, tzinfo=UTC).timestamp()) * 10**9


@pytest.mark.parametrize(
    ("text", "after_noon"),
    [
        ("2026-08-03T12:00:00Z", 0),
        ("2026-08-03T12:00:00+00:00", 0),
        ("2026-08-03T12:00Z", 0),
        ("2026-08-03T12:00:00.000+00:00", 0),
        ("2026-08-03T12:00:00.569171+00:00", 569_171_000),
        ("2026-08-03T12:00:00,5Z", 500_000_000),
        ("2026-08-03T12:00:00.000000001Z", 1),
        ("2026-08-03T11:59:59.999999999Z", -1),
        ("2026-08-04T12:00:00Z", 86_400 * 10**9),
    ],
)
def test_instants(text: str, after_noon: int) -> None:
    assert parse_instant(text) == NOON + after_noon


def test_far_away() -> None:
    assert parse_instant("1970-01-01T00:00:00Z") == 0
    assert parse_instant("1969-12-31T23:59:59.999999999Z") == -1
    assert parse_instant("0001-01-01T00:00:00Z") == -62_135_596_800 * 10**9
    assert parse_instant("9999-12-31T23:59:59.999999999Z") == 253_402_300_800 * 10**9 - 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-08-03",
        "2026-08-03T12Z",
        "2026-08-03T12:00:00",
        "2026-08-03 12:00:00Z",
        "2026-08-03t12:00:00z",
        "2026-08-03T12:00:00+0000",
        "2026-08-03T12:00:00+00",
        "2026-08-03T12:00:00-00:00",
        "2026-08-03T14:00:00+02:00",
        "20260803T120000Z",
        "2026-W32-1T12:00:00Z",
        "2026-215T12:00:00Z",
        "+2026-08-03T12:00:00Z",
        "12026-08-03T12:00:00Z",
        "2026-8-3T12:00:00Z",
        "2026-08-03T12:00:00.Z",
        "2026-08-03T12:00:00.1234567891Z",
        "2026-08-03T12:00:00Z ",
        "2026-08-03T12:00:00Z\n",
        "２０２６-08-03T12:00:00Z",
    ],
)
def test_what_is_not_written_so(text: str) -> None:
    assert parse_instant(text) == "is not ISO 8601 in UTC, such as 2026-08-03T12:00:00Z"


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-30T12:00:00Z",
        "2026-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-00-01T12:00:00Z",
        "2026-01-00T12:00:00Z",
        "0000-01-01T12:00:00Z",
        "2026-08-03T24:00:00Z",
        "2026-08-03T12:60:00Z",
        "2016-12-31T23:59:60Z",
    ],
)
def test_what_does_not_exist(text: str) -> None:
    assert parse_instant(text) == "names a day or a time that does not exist"


def test_bytes_sort_as_instants_do() -> None:
    texts = ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2026-08-03T12:00:00.1Z"]
    texts += ["2026-08-03T12:00:00.10000001Z", "9999-12-31T23:59:59.999999999Z"]
    packed = [instant_bytes(instant) for text in texts if isinstance(instant := parse_instant(text), int)]
    assert packed == sorted(set(packed))
    assert {len(each) for each in packed} == {INSTANT_BYTES}
    assert len(packed) == len(texts)
