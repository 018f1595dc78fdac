"""When a baseline was measured and when it expires."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.baselines.instants import NANOSECONDS_PER_DAY, parse_instant
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import excerpt

TIMESTAMP = Code(
    "timestamp",
    Stage.RULES,
    Severity.REJECT,
    "An instant is not ISO 8601 in UTC, or names a day or time that does not exist.",
    '"generatedAt": "2026-02-30T12:00:00Z"',
    "Write the instant in UTC with Z or +00:00, quoted in YAML: 2026-08-03T12:00:00Z.",
)
EXPIRY_MISMATCH = Code(
    "expiry-mismatch",
    Stage.RULES,
    Severity.REJECT,
    "expiresAt is not generatedAt plus expiresInDays.",
    '"generatedAt": "2026-08-03T12:00:00Z", "expiresInDays": 90, "expiresAt": "2026-11-02T12:00:00Z" (a day late)',
    "Derive expiresAt from the other two, or leave it out: the declared window counts.",
)
CODES: tuple[Code, ...] = (TIMESTAMP, EXPIRY_MISMATCH)


def _check_dates(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """The window is compared where both instants can be read."""
    generated = parse_instant(value["generatedAt"])
    if isinstance(generated, str):
        yield Finding(TIMESTAMP.code, f"{excerpt(value['generatedAt'])} {generated}", "/generatedAt")
    expiration = value.get("expiration")
    if expiration is None or "expiresAt" not in expiration:
        return
    place = "/expiration/expiresAt"
    expires, days = parse_instant(expiration["expiresAt"]), int(expiration["expiresInDays"])
    if isinstance(expires, str):
        yield Finding(TIMESTAMP.code, f"{excerpt(expiration['expiresAt'])} {expires}", place)
    elif not isinstance(generated, str) and expires != generated + days * NANOSECONDS_PER_DAY:
        message = f"{excerpt(expiration['expiresAt'])} is not {days} days after generatedAt"
        yield Finding(EXPIRY_MISMATCH.code, message, place)


RULES: tuple[Rule, ...] = (Rule(CODES, _check_dates),)
