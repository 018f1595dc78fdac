"""Calls that a trace reports against the trusted log of what was executed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transforms.joins.join import Claim, Entry, Join, Judgement, Member, Terms, finding, policy, related
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
from transforms.subjects import digest

CODES = (UNLOGGED_CALL, LOG_MISMATCH, MISSING_CALL, LATENCY_MISMATCH, CALL_ORDER)

_HALF = 8
_TRACE, _CALL, _LOGGED = b"T", b"C", b"L"
_NUMBER_BYTES = 8
_PARTS = ("tool", "arguments", "result")


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
    """Each trace of the task against the log of the task."""
    logged: dict[bytes, _Reported] = {}
    traces: dict[Place, tuple[int, list[_Reported]]] = {}
    for index, member in enumerate(members):
        role = member.payload[:1]
        if role == _TRACE:
            traces.setdefault(member.place, (index, []))
    for index, member in enumerate(members):
        if member.payload[:1] == _LOGGED:
            reported = _unpacked(index, member)
            logged[reported.call] = reported
        elif member.payload[:1] == _CALL:
            traces[member.place][1].append(_unpacked(index, member))
    for index, calls in traces.values():
        stream = terms[members[index].place.stream]
        for at, code, message, log in _faults(index, calls, logged, stream.latency_tolerance_ms):
            others = related([log.member] if log else [], lambda _: False, int(log is not None))
            if found := finding(code, policy(code, stream), message, others):
                yield at, found


_Fault = tuple[int, Code, str, _Reported | None]


def _faults(index: int, calls: list[_Reported], logged: dict[bytes, _Reported], tolerance: int) -> Iterator[_Fault]:
    last = -1
    for call in calls:
        log = logged.get(call.call)
        if log is None:
            yield call.index, UNLOGGED_CALL, f"{call.name()} is not in the log", None
            continue
        differing = [name for name, mine, its in zip(_PARTS, call.parts, log.parts, strict=True) if mine != its]
        if differing:
            yield call.index, LOG_MISMATCH, f"{call.name()}: the log has another {' and '.join(differing)}", log
        if abs(call.latency_ms - log.latency_ms) > tolerance:
            message = f"{call.name()}: {call.latency_ms} ms reported, {log.latency_ms} ms observed"
            yield call.index, LATENCY_MISMATCH, message, log
        if log.order <= last:
            yield call.index, CALL_ORDER, f"{call.name()}: the log has it before the call that it follows here", log
        last = max(last, log.order)
    reported = {call.call for call in calls}
    for key, log in logged.items():
        if key not in reported:
            yield index, MISSING_CALL, f"{log.name()} was executed and is not in the trace", log


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
