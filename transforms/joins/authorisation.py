"""Documents that a record cites or returns, and tools that it calls, against those its task authorises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transforms.citations.quotes import UNAUTHORIZED_DOCUMENT
from transforms.digests import digest
from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms, all_of, finding, policy
from transforms.records import Code
from transforms.rules.tool_execution import called_tools, returned_documents
from transforms.rules.tool_trace import UNDECLARED_TOOL

CODES = (UNAUTHORIZED_DOCUMENT, UNDECLARED_TOOL)

_HALF = 8
_TASK = b"T"
# Role of what a task authorises → role of a record's use of it, and what is found where it is not authorised.
_DOCUMENT, _TOOL = b"D", b"C"
_USES: dict[bytes, tuple[bytes, Code, str]] = {
    b"d": (_DOCUMENT, UNAUTHORIZED_DOCUMENT, "the task does not authorise this document"),
    b"c": (_TOOL, UNDECLARED_TOOL, "the task does not authorise this tool"),
}


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the task. Rows: the task is known; what it authorises; what a record uses, its pointer as text."""
    value = entry.value
    key = digest(value["task_id"].encode())
    if entry.kind == "input-task-v1":
        yield Claim(key, _TASK)
        for role, names in ((_DOCUMENT, value["documents"]), (_TOOL, value["tools"])):
            yield from (Claim(key, role + _half(name)) for name in names)
        return
    for role, pointer, name in _used(entry):
        yield Claim(key, role + _half(name), pointer.encode())


def _half(name: str) -> bytes:
    return digest(name.encode())[:_HALF]


def _used(entry: Entry) -> Iterator[tuple[bytes, str, str]]:
    if entry.kind != "grounded-qa-v1":
        yield from ((b"d", pointer, name) for pointer, name in returned_documents(entry.value))
        yield from ((b"c", pointer, name) for pointer, name in called_tools(entry.value))
        return
    for index, citation in enumerate(entry.value["citations"]):
        yield b"d", f"/citations/{index}/document_id", citation["document_id"]


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each use against what is authorised; a task that was never issued is `issue`'s to report."""
    tasks = [member for member in members if member.payload[:1] == _TASK]
    if not tasks:
        return
    authorised = {member.payload for member in members}
    facts = all_of(tasks)
    for index, member in enumerate(members):
        use = _USES.get(member.payload[:1])
        if use is None:
            continue
        role, code, message = use
        if role + member.payload[1:] in authorised:
            continue
        assert member.text is not None
        pointer = member.text.read().decode()
        action = policy(code, terms[member.place.stream])
        if found := finding(code, action, message, facts, pointer=pointer):
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
