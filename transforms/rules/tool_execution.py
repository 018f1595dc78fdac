"""What the trusted execution log says of a call, comparable with what an agent trace says of it.

A tool-execution-v1 record is a fact and has no rules beyond its schema. The codes are those of the comparison,
a join; nothing here executes anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transforms.digests import canonical_json, digest
from transforms.records import Code, Json, Severity, Stage
from transforms.rules.event_order import events_of
from transforms.rules.rule import Rule

UNLOGGED_CALL = Code(
    "unlogged-call",
    Stage.JOINS,
    Severity.REJECT,
    "A trace has a call that the trusted execution log does not.",
    'task "t-1" has "call-2" in its trace; the log of that task has "call-1" alone',
    "Check that the log is complete for the campaign; if it is, the call never ran and the trace is not to be trusted.",
)
LOG_MISMATCH = Code(
    "log-mismatch",
    Stage.JOINS,
    Severity.REJECT,
    "A call's tool, arguments or result differ from what the trusted execution log says.",
    'the trace says that "call-1" returned "doc-a", the log says that it returned nothing',
    "The log decides. Record the trace again, or correct the exporter if it changes arguments or results.",
)
MISSING_CALL = Code(
    "missing-call",
    Stage.JOINS,
    Severity.REJECT,
    "The trusted execution log has a call of the task that the trace leaves out.",
    'the log has "call-1" and "call-2" for task "t-1", its trace has "call-1" alone',
    "Export the trace with all of its calls; a call left out may hide what the answer rests on.",
)
LATENCY_MISMATCH = Code(
    "latency-mismatch",
    Stage.JOINS,
    Severity.WARN,
    "A call's reported latency differs from the logged one by more than the campaign tolerates.",
    '"latency_ms": 12 in the trace and "server_latency_ms": 940 in the log',
    "Nothing is refused and neither number is changed. Look at how the trace measures time if it is frequent.",
)
JOIN_CODES: tuple[Code, ...] = (UNLOGGED_CALL, LOG_MISMATCH, MISSING_CALL, LATENCY_MISMATCH)

RULES: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """One call, whoever tells of it.

    `arguments` and `result` are SHA-256 digests (32 bytes) of RFC 8785 forms: of the arguments, and of
    `{"success": …, "document_ids": […]}` with the ids in the order returned. `latency_ms` is the reported one in
    a trace and the observed one in the log; `order` is the log's, None in a trace.
    """

    task_id: str
    call_id: str
    tool: str
    arguments: bytes
    result: bytes
    latency_ms: int
    order: int | None


def trace_calls(value: Json, *, plain: bool = False) -> tuple[Call, ...]:
    """The calls of an agent-trace record, v1 or v2, that has passed its rules; `plain` as in `canonical_json`."""
    task_id = value["task_id"]
    if not _has_events(value):
        return tuple(
            Call(
                task_id,
                step["call_id"],
                step["tool"],
                _arguments_digest(step["arguments"], plain),
                _result_digest(step["result"]["success"], step["result"]["document_ids"]),
                int(step["latency_ms"]),
                None,
            )
            for step in value["steps"]
        )
    results = {result["call_id"]: result for _, result in events_of(value, "result")}
    return tuple(
        Call(
            task_id,
            call["call_id"],
            call["tool"],
            _arguments_digest(call["arguments"], plain),
            _result_digest(result["success"], [document["document_id"] for document in result["evidence"]]),
            int(result["latency_ms"]),
            None,
        )
        for _, call in events_of(value, "call")
        if (result := results.get(call["call_id"]))
    )


def logged_call(value: Json, *, plain: bool = False) -> Call:
    """The call of a valid tool-execution-v1 record; `plain` as in `canonical_json`."""
    if "arguments" in value:
        arguments = _arguments_digest(value["arguments"], plain)
    else:
        arguments = bytes.fromhex(value["arguments_sha256"])
    result = _result_digest(value["result"]["success"], value["result"]["document_ids"])
    latency_ms, order = int(value["server_latency_ms"]), int(value["order"])
    return Call(value["task_id"], value["call_id"], value["tool"], arguments, result, latency_ms, order)


def returned_documents(value: Json) -> tuple[tuple[str, str], ...]:
    """Every document id that an agent-trace record, v1 or v2, says a call returned, each after its JSON Pointer."""
    return tuple(_returned(value))


def called_tools(value: Json) -> tuple[tuple[str, str], ...]:
    """Every tool that an agent-trace record, v1 or v2, says it called, each after its JSON Pointer."""
    if not _has_events(value):
        return tuple((f"/steps/{index}/tool", step["tool"]) for index, step in enumerate(value["steps"]))
    return tuple((f"/events/{index}/tool", call["tool"]) for index, call in events_of(value, "call"))


def _returned(value: Json) -> Iterator[tuple[str, str]]:
    if _has_events(value):
        for index, result in events_of(value, "result"):
            for place, document in enumerate(result["evidence"]):
                yield f"/events/{index}/evidence/{place}/document_id", document["document_id"]
        return
    for index, step in enumerate(value["steps"]):
        for place, document_id in enumerate(step["result"]["document_ids"]):
            yield f"/steps/{index}/result/document_ids/{place}", document_id


def _has_events(value: Json) -> bool:
    """Whether a trace is one of v2: v1 requires a final answer, v2 has none."""
    return "final_answer" not in value


def _arguments_digest(arguments: Json, plain: bool) -> bytes:
    return digest(canonical_json(arguments, plain=plain))


def _result_digest(success: bool, document_ids: list[str]) -> bytes:
    # No float and only ASCII keys: the fast form is the canonical one.
    form = canonical_json({"success": success, "document_ids": document_ids}, plain=True)
    return digest(form)
