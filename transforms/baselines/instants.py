"""Timestamps as instants: ISO 8601 in UTC, exact to the nanosecond."""

from __future__ import annotations

import re
from datetime import UTC, datetime

INSTANT_BYTES = 12
NANOSECONDS_PER_DAY = 86_400 * 10**9

# Extended format. Seconds may be left out, as some libraries do where they are zero.
_FORM = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?:Z|\+00:00)"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OFFSET = 1 << (8 * INSTANT_BYTES - 1)


def parse_instant(text: str) -> int | str:
    """The nanoseconds from 1970-01-01T00:00:00Z to the instant that `text` names, or why it names none.

    Years 0001 to 9999, the offset `Z` or `+00:00`, at most nine digits of a second. Neither the 24th hour nor a
    leap second is one.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        return "is not ISO 8601 in UTC, such as 2026-08-03T12:00:00Z"
    *clock, fraction = match.groups(default="0")
    year, month, day, hour, minute, second = map(int, clock)
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return "names a day or a time that does not exist"
    since = moment - _EPOCH
    return (since.days * 86_400 + since.seconds) * 10**9 + int(fraction.ljust(9, "0"))


def instant_bytes(instant: int) -> bytes:
    """An instant as 12 bytes that sort as instants do."""
    return (instant + _OFFSET).to_bytes(INSTANT_BYTES, "big")


def instant_of(data: bytes) -> int:
    """The instant that `instant_bytes` gave these bytes for."""
    return int.from_bytes(data, "big") - _OFFSET
