"""Baselines of one identity: the newest measurement counts, and two of one instant cannot both be right."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.baselines.identity import Measurement, Remeasured, identity, remeasured
from transforms.baselines.instants import INSTANT_BYTES, instant_bytes, instant_of, parse_instant
from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Others, Terms, all_of, finding, policy
from transforms.records import Code, Severity, Stage

SUPERSEDED_BASELINE = Code(
    "superseded-baseline",
    Stage.JOINS,
    Severity.REJECT,
    "A newer baseline has the same identity: contract, service, covariates and inputs were measured again.",
    "one file generated at 2026-08-03T12:00:00Z and one a week later, of the same service under the same covariates",
    "Nothing, if the newer one is to count. To keep both, give them covariates that tell them apart, or let the "
    'stream\'s policy for superseded-baseline say "allow".',
)
IDENTITY_COLLISION = Code(
    "identity-collision",
    Stage.JOINS,
    Severity.REJECT,
    "Two baselines have one identity and one instant, and different content: neither can be trusted.",
    "two files of one service generated at 12:00:00Z and 12:00:00.000+00:00, one with 29 successes, one with 30",
    "Find out which one was measured, and remove the other; a copy that was edited has a fingerprint of its own.",
)
CODES = (SUPERSEDED_BASELINE, IDENTITY_COLLISION)

# Contents are compared only within one identity, where 64 bits of SHA-256 are ample.
_HALF = 8


def claim(entry: Entry) -> tuple[Claim, ...]:
    """Key: the identity. Payload: the instant, then 8 bytes of the content's digest."""
    instant = parse_instant(entry.value["generatedAt"])
    if isinstance(instant, str):
        return ()  # the campaign allows timestamps that name no instant
    return (Claim(identity(entry.value).digest(), instant_bytes(instant) + entry.content[:_HALF]),)


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each record that is older than the newest, and each that shares its instant with another content."""
    found = remeasured([Measurement(instant_of(_instant(member)), _content(member)) for member in members])
    yield from _superseded(members, found, terms)
    yield from _collisions(members, found, terms)


def _superseded(members: Sequence[Member], found: Remeasured, terms: Terms) -> Judgement:
    newest = all_of([members[index] for index in found.newest])
    for index in found.older:
        action = policy(SUPERSEDED_BASELINE, terms[members[index].place.stream])
        message = "the same identity was measured again later"
        if row := finding(SUPERSEDED_BASELINE, action, message, newest, pointer="/generatedAt"):
            yield index, row


def _collisions(members: Sequence[Member], found: Remeasured, terms: Terms) -> Judgement:
    for group in found.colliding:
        others = Others([members[index] for index in group], _content)
        for index in group:
            action = policy(IDENTITY_COLLISION, terms[members[index].place.stream])
            message = "another content has the same identity and the same instant"
            elsewhere = others.than(_content(members[index]))
            if row := finding(IDENTITY_COLLISION, action, message, elsewhere, pointer="/generatedAt"):
                yield index, row


def _instant(member: Member) -> bytes:
    return member.payload[:INSTANT_BYTES]


def _content(member: Member) -> bytes:
    return member.payload[INSTANT_BYTES:]


JOIN = Join(
    name="remeasurements",
    codes=CODES,
    payload_bytes=INSTANT_BYTES + _HALF,
    claim=claim,
    judge=judge,
    kinds=frozenset(("mavai-baseline-1",)),
)
