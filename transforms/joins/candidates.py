"""One comparison under several task ids: the same prompt and the same two candidates, in either order."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Others, Terms, finding, policy
from transforms.records import Code, Severity, Stage

DUPLICATE_CANDIDATES = Code(
    "duplicate-candidates",
    Stage.JOINS,
    Severity.HOLD,
    "Another task id has the same prompt and the same two candidates, in either order.",
    'tasks "t-1" and "t-2" compare the same two answers to the same question, with the seats swapped',
    "If the repetition is meant (a consistency check), set the stream's policy for duplicate-candidates to "
    '"allow"; otherwise keep one task.',
)
CONTRADICTORY_PREFERENCE = Code(
    "contradictory-preference",
    Stage.JOINS,
    Severity.HOLD,
    "Another task id has the same comparison and another verdict, once the order of the candidates is accounted for.",
    'task "t-1" prefers the first answer; task "t-2" shows the same two swapped and again prefers the first',
    "Look for position bias; have the comparison adjudicated. Each such record also has duplicate-candidates.",
)
CODES = (DUPLICATE_CANDIDATES, CONTRADICTORY_PREFERENCE)

_TASK = 8


def claim(entry: Entry) -> tuple[Claim, ...]:
    """Key: prompt and unordered pair. Payload: 8 bytes of the task's digest, then one for the standing."""
    subject = entry.subject
    if subject is None or subject.pair is None:
        return ()
    return (Claim(subject.pair, subject.task[:_TASK] + bytes((subject.standing,))),)


def _task(member: Member) -> bytes:
    return member.payload[:_TASK]


def _standing(member: Member) -> bytes:
    return member.payload[_TASK:]


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Every record of a comparison that stands under several tasks; contradictions beside it."""
    everyone = range(len(members))
    if len(set(map(_task, members))) < 2:
        return
    message = "another task compares the same candidates"
    yield from _report(DUPLICATE_CANDIDATES, message, members, everyone, members, terms)
    message = "another task judges the same candidates otherwise"
    for standing in sorted(set(map(_standing, members))):
        own = [index for index in everyone if _standing(members[index]) == standing]
        opposed = [member for member in members if _standing(member) != standing]
        yield from _report(CONTRADICTORY_PREFERENCE, message, members, own, opposed, terms)


def _report(
    code: Code,
    message: str,
    members: Sequence[Member],
    indexes: Sequence[int],
    against: Sequence[Member],
    terms: Terms,
) -> Judgement:
    """`code` for each indexed member that has a record of another task in `against`."""
    others = Others(against, _task)
    for index in indexes:
        task = _task(members[index])
        elsewhere = others.than(task)
        if not elsewhere.count:
            continue
        action = policy(code, terms[members[index].place.stream])
        if found := finding(code, action, message, elsewhere, first=task == _task(members[0])):
            yield index, found


JOIN = Join("candidates", CODES, _TASK + 1, claim, judge, kinds=frozenset(("pairwise-v2",)))
