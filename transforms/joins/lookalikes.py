"""Ids that differ and look alike: homoglyphs, case, invisible characters. A warning, nothing is refused."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.digests import digest
from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Others, Terms, finding, policy
from transforms.records import Code, Severity, Stage
from transforms.skeletons import skeleton

LOOK_ALIKE_ID = Code(
    "look-alike-id",
    Stage.JOINS,
    Severity.WARN,
    "Another record of the kind has an id that differs from this one and looks like it.",
    'task ids "task-O1" and "task-01", or "раss-1" with Cyrillic letters beside "pass-1"',
    "Look whether one id was mistyped, or is meant to pass for the other; both records stay accepted.",
)
CODES = (LOOK_ALIKE_ID,)

_HALF = 8


def claim(entry: Entry) -> tuple[Claim, ...]:
    """Key: what the id looks like. Payload: 8 bytes of the id's own digest."""
    identifier = entry.value.get("document_id" if entry.kind == "document-v1" else "task_id")
    if not isinstance(identifier, str):
        return ()
    return (Claim(digest(skeleton(identifier).encode()), digest(identifier.encode())[:_HALF]),)


def _identifier(member: Member) -> bytes:
    return member.payload


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each record whose id is not the only one of its look."""
    others = Others(members, _identifier)
    for index, member in enumerate(members):
        elsewhere = others.than(_identifier(member))
        if not elsewhere.count:
            continue
        action = policy(LOOK_ALIKE_ID, terms[member.place.stream])
        if found := finding(LOOK_ALIKE_ID, action, "another id looks like this one", elsewhere):
            yield index, found


JOIN = Join("lookalikes", CODES, _HALF, claim, judge)
