"""Annotations against the tasks as they were issued, and against the portal's note of who handed them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Related, Terms, finding, policy, related
from transforms.records import Code, Finding, Severity, Stage
from transforms.subjects import digest

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
_ANNOTATIONS = ("pairwise-v2", "agent-trace-v1", "agent-trace-v2", "grounded-qa-v1", "math-derivation-v1")


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the task. Rows of four roles, told apart by their first byte:

    a record's content, terms and archival digest; a task's content and terms; a contributor of a task; who handed
    a record in, and which.
    """
    value = entry.value
    key = digest(value["task_id"].encode())
    if entry.kind == "assignment-v1":
        handed_in = digest(value["contributor"].encode())[:_HALF] + bytes.fromhex(value["record_sha256"])[:_HALF]
        yield Claim(key, _HANDED_IN + handed_in)
        return
    assert entry.subject is not None
    content = entry.subject.content[:_HALF]
    if entry.kind != "input-task-v1":
        terms = _terms(entry.version, entry.rubric)
        yield Claim(key, _RECORD + content + terms + entry.archival[:_HALF])
        return
    yield Claim(key, _TASK + content + _terms(value["annotation_schema_version"], value["rubric_version"]))
    for contributor in value["contributors"]:
        yield Claim(key, _CONTRIBUTOR + digest(contributor.encode())[:_HALF])


def _terms(version: str, rubric: str | None) -> bytes:
    return digest(version.encode(), b"\0", (rubric or "").encode())[:_HALF]


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each record against all facts of its task."""
    tasks = [member for member in members if member.payload[:1] == _TASK]
    contents = {task.payload[1 : 1 + _HALF] for task in tasks}
    issued = {task.payload[1 : 1 + 2 * _HALF] for task in tasks}
    assigned = {member.payload[1 : 1 + _HALF] for member in members if member.payload[:1] == _CONTRIBUTOR}
    strangers = {
        member.payload[1 + _HALF : 1 + 2 * _HALF]
        for member in members
        if member.payload[:1] == _HANDED_IN and assigned and member.payload[1 : 1 + _HALF] not in assigned
    }
    facts = related(tasks, lambda _: False, len(tasks))
    for index, member in enumerate(members):
        if member.payload[:1] != _RECORD:
            continue
        for code, message in _faults(member.payload[1:], contents, issued, strangers):
            found = _found(code, message, facts, member, terms)
            if found:
                yield index, found


def _faults(
    claimed: bytes, contents: set[bytes], issued: set[bytes], strangers: set[bytes]
) -> Iterator[tuple[Code, str]]:
    if not contents:
        yield UNKNOWN_TASK, "no task of this id was issued"
        return
    if claimed[:_HALF] not in contents:
        yield TASK_MISMATCH, "its content is not what the task issued"
    elif claimed[: 2 * _HALF] not in issued:
        yield VERSION_NOT_ASSIGNED, "its schema and rubric versions are not those that the task was issued under"
    if claimed[2 * _HALF : 3 * _HALF] in strangers:
        yield UNAUTHORIZED_CONTRIBUTOR, "whoever handed it in is none of the task's contributors"


def _found(code: Code, message: str, facts: Related, member: Member, terms: Terms) -> Finding | None:
    return finding(code, policy(code, terms[member.place.stream]), message, facts)


JOIN = Join(
    name="issue",
    codes=CODES,
    kinds=frozenset((*_ANNOTATIONS, "input-task-v1", "assignment-v1")),
    payload_bytes=1 + 3 * _HALF,
    claim=claim,
    judge=judge,
    fact="tasks",
)
