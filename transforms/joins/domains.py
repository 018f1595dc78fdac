"""The domain that an answer states against that of its task: a label must not choose what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transforms.digests import digest
from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms, all_of, finding
from transforms.records import Code, Severity, Stage
from transforms.terms import Action

DOMAIN_MISMATCH = Code(
    "domain-mismatch",
    Stage.JOINS,
    Severity.REJECT,
    "The record states another domain than its task. No policy allows it: a clinical answer under another label would "
    "escape what is asked of clinical ones. The bytes of such a record are not written to rejects.",
    '"domain": "general_rag" in an answer to a task with "domain": "clinical_qa"',
    "Correct the record's domain; if the task's is wrong, issue the task anew.",
)
CODES = (DOMAIN_MISMATCH,)

_TASK, _RECORD = b"T", b"R"
_HALF = 8


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the task. Payload: role, domain. A task that states none claims nothing."""
    value = entry.value
    if "domain" in value:
        role = _TASK if entry.kind == "input-task-v1" else _RECORD
        yield Claim(digest(value["task_id"].encode()), role + digest(value["domain"].encode())[:_HALF])


def judge(members: Sequence[Member], _terms: Terms) -> Judgement:
    """Each record against all tasks of its id."""
    tasks = [member for member in members if member.payload[:1] == _TASK]
    facts = all_of(tasks)
    for index, member in enumerate(members):
        if member.payload[:1] != _RECORD or all(task.payload[1:] == member.payload[1:] for task in tasks):
            continue
        if found := finding(DOMAIN_MISMATCH, Action.REJECT, "its task states another domain", facts, pointer="/domain"):
            yield index, found


JOIN = Join(
    name="domains",
    codes=CODES,
    kinds=frozenset(("input-task-v1", "grounded-qa-v1")),
    payload_bytes=1 + _HALF,
    claim=claim,
    judge=judge,
    fact="tasks",
)
