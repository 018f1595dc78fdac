"""Annotations against the tasks as they were issued, and against the portal's note of who handed them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transforms.digests import digest
from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms, all_of, finding, policy
from transforms.kinds import ANNOTATIONS, KINDS
from transforms.people import person
from transforms.records import Code, Severity, Stage
from transforms.rules.text import CONVERSATION_TOO_LARGE

UNKNOWN_TASK = Code(
    "unknown-task",
    Stage.JOINS,
    Severity.REJECT,
    "The record's task was never issued: no task of the campaign has its id.",
    'an annotation of task "t-9" where the tasks end at "t-8"',
    "Add the task's record to the tasks, if it was issued; otherwise find out where the annotation comes from.",
)
TASK_MISMATCH = Code(
    "task-mismatch",
    Stage.JOINS,
    Severity.REJECT,
    "The record does not show what its task issued: other messages, candidates, question, prompt or problem.",
    "a candidate that was edited after the task was issued",
    "Export the annotation with the content that its contributor saw; a changed content is another task.",
)
VERSION_NOT_ASSIGNED = Code(
    "version-not-assigned",
    Stage.JOINS,
    Severity.REJECT,
    "The record was made under another schema or rubric version than its task was issued under.",
    'a record with rubric "code-review-v2" for a task that was issued under "code-review-v1"',
    "Tasks keep the versions they were issued under: issue the task anew, or have it annotated under its own terms.",
)
UNAUTHORIZED_CONTRIBUTOR = Code(
    "unauthorized-contributor",
    Stage.JOINS,
    Severity.REJECT,
    "The record was handed in by somebody the task was not assigned to.",
    'an assignment names "u-3" for the record, the task names "u-1" and "u-2"',
    "Correct the assignment, or have the task annotated by one of its contributors.",
)
CODES = (UNKNOWN_TASK, TASK_MISMATCH, VERSION_NOT_ASSIGNED, UNAUTHORIZED_CONTRIBUTOR)

# Digests are compared only within one task, where 64 bits of SHA-256 are ample.
_HALF = 8
_RECORD, _TASK, _CONTRIBUTOR, _HANDED_IN = b"R", b"T", b"C", b"H"
_SIZE_BYTES = 4
_UNBOUNDED = (1 << 8 * _SIZE_BYTES) - 1


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the task. Rows of four roles, told apart by their first byte:

    a record's content, terms and archival digest; a task's content and terms; a contributor of a task; who handed
    a record in, and which.
    """
    value = entry.value
    key = digest(value["task_id"].encode())
    if entry.kind == "assignment-v1":
        record = bytes.fromhex(value["record_sha256"])[:_HALF]
        yield Claim(key, _HANDED_IN + _person(value["contributor"]) + record)
        return
    assert entry.subject is not None
    content = entry.subject.content[:_HALF]
    if entry.kind != "input-task-v1":
        said = _terms(entry.version, entry.rubric) + (entry.source or entry.archival)[:_HALF]
        yield Claim(key, _RECORD + content + said + _size(_characters(entry)))
        return
    issued = _terms(value["annotation_schema_version"], value["rubric_version"])
    bound = int(value.get("max_conversation_characters", _UNBOUNDED))
    yield Claim(key, _TASK + content + issued + bytes(_HALF) + _size(bound))
    for contributor in value["contributors"]:
        yield Claim(key, _CONTRIBUTOR + _person(contributor))


def _person(name: str) -> bytes:
    return digest(person(name).encode())[:_HALF]


def _characters(entry: Entry) -> int:
    conversation = KINDS[entry.kind].conversation
    return sum(map(len, conversation(entry.value))) if conversation else 0


def _size(characters: int) -> bytes:
    return characters.to_bytes(_SIZE_BYTES, "little")


def _terms(version: str, rubric: str | None) -> bytes:
    return digest(version.encode(), b"\0", (rubric or "").encode())[:_HALF]


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of one task: contents issued, the same with their terms, records of strangers, the size bound."""

    contents: frozenset[bytes]
    issued: frozenset[bytes]
    strangers: frozenset[bytes]
    characters: int


def _facts(members: Sequence[Member], tasks: Sequence[Member]) -> _Facts:
    assigned = {member.payload[1 : 1 + _HALF] for member in members if member.payload[:1] == _CONTRIBUTOR}
    strangers = (
        member.payload[1 + _HALF : 1 + 2 * _HALF]
        for member in members
        if member.payload[:1] == _HANDED_IN and assigned and member.payload[1 : 1 + _HALF] not in assigned
    )
    return _Facts(
        frozenset(task.payload[1 : 1 + _HALF] for task in tasks),
        frozenset(task.payload[1 : 1 + 2 * _HALF] for task in tasks),
        frozenset(strangers),
        min((_characters_of(task) for task in tasks), default=_UNBOUNDED),
    )


def _characters_of(member: Member) -> int:
    at = 1 + 3 * _HALF
    return int.from_bytes(member.payload[at : at + _SIZE_BYTES], "little")


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each record against all facts of its task."""
    tasks = [member for member in members if member.payload[:1] == _TASK]
    facts, named = _facts(members, tasks), all_of(tasks)
    for index, member in enumerate(members):
        if member.payload[:1] != _RECORD:
            continue
        for code, message in _faults(member, facts):
            action = policy(code, terms[member.place.stream])
            if found := finding(code, action, message, named):
                yield index, found


def _faults(member: Member, facts: _Facts) -> Iterator[tuple[Code, str]]:
    claimed = member.payload[1:]
    if not facts.contents:
        yield UNKNOWN_TASK, "no task of this id was issued"
        return
    if claimed[:_HALF] not in facts.contents:
        yield TASK_MISMATCH, "its content is not what the task issued"
    elif claimed[: 2 * _HALF] not in facts.issued:
        yield VERSION_NOT_ASSIGNED, "its schema and rubric versions are not those that the task was issued under"
    if claimed[2 * _HALF : 3 * _HALF] in facts.strangers:
        yield UNAUTHORIZED_CONTRIBUTOR, "whoever handed it in is none of the task's contributors"
    if (size := _characters_of(member)) > facts.characters:
        yield CONVERSATION_TOO_LARGE, f"{size} characters, the task allows {facts.characters}"


JOIN = Join(
    name="issue",
    codes=(*CODES, CONVERSATION_TOO_LARGE),
    kinds=frozenset((*ANNOTATIONS, "input-task-v1", "assignment-v1")),
    payload_bytes=1 + 3 * _HALF + _SIZE_BYTES,
    claim=claim,
    judge=judge,
    fact="tasks",
)
