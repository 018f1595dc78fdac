"""One task: always the same content, and no more annotations than the campaign wants."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Others, Terms, finding, policy
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


def _record(member: Member) -> bytes:
    return member.payload[_HALF:]


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Different contents conflict; same content with too many different judgements is repeated."""
    by_content: dict[bytes, list[int]] = {}
    for index, member in enumerate(members):
        by_content.setdefault(_content(member), []).append(index)
    if len(by_content) > 1:
        yield from _conflicts(members, len(by_content), terms)
    for indexes in by_content.values():
        yield from _repetitions(members, indexes, terms)


def _conflicts(members: Sequence[Member], contents: int, terms: Terms) -> Judgement:
    message = f"the task id stands for {contents} different contents"
    others = Others(members, _content)
    for index, member in enumerate(members):
        own = _content(member)
        action = policy(TASK_CONFLICT, terms[member.place.stream])
        if found := finding(TASK_CONFLICT, action, message, others.than(own), first=own == _content(members[0])):
            yield index, found


def _repetitions(members: Sequence[Member], indexes: list[int], terms: Terms) -> Judgement:
    group = [members[index] for index in indexes]
    annotations = len(set(map(_record, group)))
    others = Others(group, _record)
    for index, member in zip(indexes, group, strict=True):
        stream, own = terms[member.place.stream], _record(member)
        if annotations <= stream.annotations_per_task:
            continue
        message = f"the task has {annotations} differing annotations, {stream.annotations_per_task} allowed"
        action = policy(REPEATED_ANNOTATION, stream)
        if found := finding(REPEATED_ANNOTATION, action, message, others.than(own), first=own == _record(group[0])):
            yield index, found


JOIN = Join("tasks", CODES, 2 * _HALF, claim, judge)
