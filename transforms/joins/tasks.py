"""One task: always the same content, and no more annotations than the campaign wants."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms, finding, policy, related
from transforms.records import Code, Severity, Stage

TASK_CONFLICT = Code(
    "task-conflict",
    Stage.JOINS,
    Severity.REJECT,
    "One task id stands for different content: other messages or other candidates.",
    'two records with task_id "t-1", one asking about sorting, one about primes',
    "Find out which content was issued under that id; give the other task its own id. "
    "No record of the task is accepted until then.",
)
REPEATED_ANNOTATION = Code(
    "repeated-annotation",
    Stage.JOINS,
    Severity.HOLD,
    "A task has more differing annotations of the same content than the stream's annotations_per_task.",
    'task "t-1" is annotated twice, once preferring A and once B, where the campaign asks for one annotation',
    "Decide which annotation counts, or raise annotations_per_task where several people are meant to annotate a task.",
)
CODES = (TASK_CONFLICT, REPEATED_ANNOTATION)

# Both halves are compared only within one task, where 64 bits of SHA-256 are ample.
_HALF = 8


def claim(entry: Entry) -> tuple[Claim, ...]:
    """Key: the task. Payload: 8 bytes of the content's digest, then 8 of the record's."""
    if entry.subject is None:
        return ()
    return (Claim(entry.subject.task, entry.subject.content[:_HALF] + entry.content[:_HALF]),)


def _content(member: Member) -> bytes:
    return member.payload[:_HALF]


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Different contents conflict; same content with too many different judgements is repeated."""
    by_content: dict[bytes, list[int]] = {}
    for index, member in enumerate(members):
        by_content.setdefault(_content(member), []).append(index)
    if len(by_content) > 1:
        yield from _conflicts(members, by_content, terms)
    for indexes in by_content.values():
        yield from _repetitions(members, indexes, terms)


def _conflicts(members: Sequence[Member], by_content: dict[bytes, list[int]], terms: Terms) -> Judgement:
    message = f"the task id stands for {len(by_content)} different contents"
    for content, indexes in by_content.items():
        others = related(members, lambda m, own=content: _content(m) == own, len(members) - len(indexes))  # type: ignore[misc]
        for index in indexes:
            action = policy(TASK_CONFLICT, terms[members[index].place.stream])
            first = content == _content(members[0])
            if found := finding(TASK_CONFLICT, action, message, others, first=first):
                yield index, found


def _repetitions(members: Sequence[Member], indexes: list[int], terms: Terms) -> Judgement:
    by_record: dict[bytes, list[int]] = {}
    for index in indexes:
        by_record.setdefault(members[index].payload, []).append(index)
    if len(by_record) < 2:
        return
    group = [members[index] for index in indexes]
    for record, own in by_record.items():
        others = related(group, lambda m, own=record: m.payload == own, len(group) - len(own))  # type: ignore[misc]
        for index in own:
            stream = terms[members[index].place.stream]
            if len(by_record) <= stream.annotations_per_task:
                continue
            message = f"the task has {len(by_record)} differing annotations, {stream.annotations_per_task} allowed"
            action = policy(REPEATED_ANNOTATION, stream)
            first = record == group[0].payload
            if found := finding(REPEATED_ANNOTATION, action, message, others, first=first):
                yield index, found


JOIN = Join("tasks", CODES, 2 * _HALF, claim, judge)
