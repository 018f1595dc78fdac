"""The same record twice: same kind, same canonical content (RFC 8785), whatever the spelling of its bytes."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms, all_of, finding
from transforms.records import Code, Severity, Stage
from transforms.terms import Action

DUPLICATE_RECORD = Code(
    "duplicate-record",
    Stage.JOINS,
    Severity.REJECT,
    "The same record stands earlier in the campaign: equal content, whatever the key order, spacing or escapes.",
    "line 7 of b.jsonl repeats line 2 of a.jsonl with its keys in another order",
    "Drop the repetition from the export. The first record by shard and line is kept, unless the stream's "
    'policy for duplicate-record says "reject" or "hold" (all of them) or "allow".',
)
CODES = (DUPLICATE_RECORD,)


def claim(entry: Entry) -> tuple[Claim]:
    """Key: the content digest. No payload."""
    return (Claim(entry.content, b""),)


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """All members are one record; by default the first stays and the others name it."""
    first = all_of(members[:1])
    rest = all_of(members[1:])
    for index, member in enumerate(members):
        action = terms[member.place.stream].policies.get(DUPLICATE_RECORD.code, Action.KEEP_FIRST)
        if index == 0 and action is Action.ALLOW:
            continue
        others = first if index else rest
        message = "the same content stands elsewhere"
        if found := finding(DUPLICATE_RECORD, action, message, others, first=index == 0):
            yield index, found


JOIN = Join("duplicates", CODES, 0, claim, judge)
