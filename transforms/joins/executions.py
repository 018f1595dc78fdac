"""Calls that a trace reports against the trusted log of what was executed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from transforms.digests import digest
from transforms.joins.join import (
    NOBODY,
    RELATED_BOUND,
    Claim,
    Entry,
    Join,
    Judgement,
    Member,
    Related,
    Terms,
    all_of,
    finding,
    policy,
)
from transforms.records import Code, Place
from transforms.rules.tool_execution import (
    LATENCY_MISMATCH,
    LOG_MISMATCH,
    MISSING_CALL,
    UNLOGGED_CALL,
    Call,
    logged_call,
    trace_calls,
)
from transforms.rules.tool_trace import CALL_ORDER

CODES = (UNLOGGED_CALL, LOG_MISMATCH, MISSING_CALL, LATENCY_MISMATCH, CALL_ORDER)

_HALF = 8
_TRACE, _CALL, _LOGGED = b"T", b"C", b"L"
_NUMBER_BYTES = 8
_PARTS = ("tool", "arguments", "result")
_MOST_ROWS, _MOST_NAMES = 4, 3


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the task. Rows: a trace stands here; a call of it; a logged call. A call's id is its text."""
    if entry.kind == "tool-execution-v1":
        yield _row(_LOGGED, logged_call(entry.value))
        return
    yield Claim(digest(entry.value["task_id"].encode()), _TRACE)
    for call in trace_calls(entry.value):
        yield _row(_CALL, call)


def _row(role: bytes, call: Call) -> Claim:
    digests = (digest(call.call_id.encode()), digest(call.tool.encode()), call.arguments, call.result)
    numbers = (call.latency_ms, call.order or 0)
    payload = b"".join(
        (role, *(part[:_HALF] for part in digests), *(number.to_bytes(_NUMBER_BYTES, "little") for number in numbers))
    )
    return Claim(digest(call.task_id.encode()), payload, call.call_id.encode())


@dataclass(frozen=True, slots=True)
class _Reported:
    """A claim about a call, unpacked."""

    index: int
    member: Member
    call: bytes
    parts: tuple[bytes, ...]
    latency_ms: int
    order: int

    def name(self) -> str:
        assert self.member.text is not None
        return self.member.text.read().decode()


def _unpacked(index: int, member: Member) -> _Reported:
    halves = [member.payload[1 + i * _HALF : 1 + (i + 1) * _HALF] for i in range(4)]
    at = 1 + 4 * _HALF
    numbers = [member.payload[at + i * _NUMBER_BYTES : at + (i + 1) * _NUMBER_BYTES] for i in (0, 1)]
    latency, order = (int.from_bytes(number, "little") for number in numbers)
    return _Reported(index, member, halves[0], tuple(halves[1:]), latency, order)


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each trace of the task against its log; where the log has a call twice, the trace must agree with both rows."""
    logged: dict[bytes, list[_Reported]] = {}
    traces: dict[Place, tuple[int, list[_Reported]]] = {}
    for index, member in enumerate(members):
        role = member.payload[:1]
        if role == _TRACE:
            traces.setdefault(member.place, (index, []))
        elif role == _LOGGED:
            reported = _unpacked(index, member)
            logged.setdefault(reported.call, []).append(reported)
    for index, member in enumerate(members):
        if member.payload[:1] == _CALL:
            traces[member.place][1].append(_unpacked(index, member))
    for index, calls in traces.values():
        stream = terms[members[index].place.stream]
        faults = chain(_reported_faults(calls, logged, stream.latency_tolerance_ms), _missing(index, calls, logged))
        for at, code, message, others in faults:
            if found := finding(code, policy(code, stream), message, others):
                yield at, found


_Fault = tuple[int, Code, str, Related]


def _reported_faults(calls: list[_Reported], logged: dict[bytes, list[_Reported]], tolerance: int) -> Iterator[_Fault]:
    """What is wrong with the calls that a trace reports."""
    last = -1
    for call in calls:
        rows = logged.get(call.call)
        if rows is None:
            yield call.index, UNLOGGED_CALL, f"{call.name()} is not in the log", NOBODY
            continue
        for log in rows[:_MOST_ROWS]:
            named = all_of([log.member])
            differing = [name for name, mine, its in zip(_PARTS, call.parts, log.parts, strict=True) if mine != its]
            if differing:
                message = f"{call.name()}: the log has another {' and '.join(differing)}"
                yield call.index, LOG_MISMATCH, message, named
            if abs(call.latency_ms - log.latency_ms) > tolerance:
                message = f"{call.name()}: {call.latency_ms} ms reported, {log.latency_ms} ms observed"
                yield call.index, LATENCY_MISMATCH, message, named
        if rows[0].order <= last:
            message = f"{call.name()}: the log has it before the call that it follows here"
            yield call.index, CALL_ORDER, message, all_of([rows[0].member])
        last = max(last, rows[0].order)


def _missing(index: int, calls: list[_Reported], logged: dict[bytes, list[_Reported]]) -> Iterator[_Fault]:
    """One fault for all calls that a trace leaves out; the first of them are named, so a long log costs no more."""
    reported = {call.call for call in calls}
    count = len(logged) - len(reported & logged.keys())
    if not count:
        return
    left_out = list(islice((rows[0] for key, rows in logged.items() if key not in reported), min(count, RELATED_BOUND)))
    names = ", ".join(log.name() for log in left_out[:_MOST_NAMES])
    more = f" and {count - _MOST_NAMES} more" if count > _MOST_NAMES else ""
    message = f"executed and not in the trace: {names}{more}"
    yield index, MISSING_CALL, message, Related(tuple(log.member.place for log in left_out), count)


JOIN = Join(
    name="executions",
    codes=CODES,
    payload_bytes=1 + 4 * _HALF + 2 * _NUMBER_BYTES,
    claim=claim,
    judge=judge,
    kinds=frozenset(("tool-execution-v1", "agent-trace-v1", "agent-trace-v2")),
    fact="executions",
    texts=True,
)
