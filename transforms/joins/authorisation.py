"""Documents that a record cites or returns against those its task authorises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms, finding, policy, related
from transforms.quotes import UNAUTHORIZED_DOCUMENT
from transforms.rules.tool_execution import returned_documents
from transforms.subjects import digest

CODES = (UNAUTHORIZED_DOCUMENT,)

_HALF = 8
_TASK, _AUTHORISED, _USED = b"T", b"A", b"U"


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the task. Rows: the task is known; a document it authorises; one that a record uses, its pointer as text."""
    key = digest(entry.value["task_id"].encode())
    if entry.kind == "input-task-v1":
        yield Claim(key, _TASK)
        for document in entry.value["documents"]:
            yield Claim(key, _AUTHORISED + digest(document.encode())[:_HALF])
        return
    for pointer, document in _used(entry):
        yield Claim(key, _USED + digest(document.encode())[:_HALF], pointer.encode())


def _used(entry: Entry) -> Iterator[tuple[str, str]]:
    if entry.kind != "grounded-qa-v1":
        yield from returned_documents(entry.value)
        return
    for index, citation in enumerate(entry.value["citations"]):
        yield f"/citations/{index}/document_id", citation["document_id"]


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each used document against those authorised; a task that was never issued is `issue`'s to report."""
    tasks = [member for member in members if member.payload[:1] == _TASK]
    if not tasks:
        return
    authorised = {member.payload[1:] for member in members if member.payload[:1] == _AUTHORISED}
    facts = related(tasks, lambda _: False, len(tasks))
    for index, member in enumerate(members):
        if member.payload[:1] != _USED or member.payload[1:] in authorised:
            continue
        assert member.text is not None
        pointer = member.text.read().decode()
        action = policy(UNAUTHORIZED_DOCUMENT, terms[member.place.stream])
        message = "the task does not authorise this document"
        if found := finding(UNAUTHORIZED_DOCUMENT, action, message, facts, pointer=pointer):
            yield index, found


JOIN = Join(
    name="authorisation",
    codes=CODES,
    payload_bytes=1 + _HALF,
    claim=claim,
    judge=judge,
    kinds=frozenset(("input-task-v1", "grounded-qa-v1", "agent-trace-v1", "agent-trace-v2")),
    fact="tasks",
    texts=True,
)
