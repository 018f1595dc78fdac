"""The smallest sound record of every kind; changes are members that differ."""

from __future__ import annotations

from typing import Any

from pipeline.sample.bundles import task
from transforms.records import Json

TOOL = "retrieve_documents"
RUBRIC = "code-review-v1"
WHY = [{"role": "user", "content": "why?"}]


def pair(**changes: Any) -> Json:
    return {
        "task_id": "t-1",
        "messages": WHY,
        "response_a": "left",
        "response_b": "right",
        "preference": "A",
        "rationale": "The first one says it shortly.",
        "golden_patch": None,
        "schema_version": "pairwise-v2",
        "rubric_version": RUBRIC,
        "ratings": dict.fromkeys(("factuality", "reasoning", "instruction_adherence", "style"), 4),
    } | changes


def citation(document: Json, start: int, end: int, quote: str, **changes: Any) -> Json:
    """A citation of a document-v1 record."""
    named = {"document_id": document["document_id"], "document_sha256": document["sha256"]}
    return named | {"start": start, "end": end, "quote": quote} | changes


def qa(*citations: Json, **changes: Any) -> Json:
    return {
        "task_id": "t-1",
        "domain": "general_rag",
        "question": "why?",
        "answer": "Therefore.",
        "citations": list(citations),
        "abstain": not citations,
    } | changes


def step(number: int = 1, *documents: str, **changes: Any) -> Json:
    """A call of an agent-trace-v1 record."""
    return {
        "call_id": f"call-{number}",
        "tool": TOOL,
        "arguments": {"query": "tides", "top_k": 3},
        "result": {"document_ids": list(documents), "success": True},
        "latency_ms": 40,
    } | changes


def trace(*steps: Json, **changes: Any) -> Json:
    return {"task_id": "t-1", "prompt": "why?", "steps": list(steps), "final_answer": "Therefore."} | changes


def talk(*calls: tuple[Json, list[Json]], **changes: Any) -> Json:
    """An agent-trace-v2 record of calls as in v1, each with its evidence, the documents with their digests."""
    events: list[Json] = [{"type": "message", "role": "user", "content": "why?"}]
    for call, evidence in calls:
        events += (
            {"type": "call", "schema_version": "1", **{name: call[name] for name in ("call_id", "tool", "arguments")}},
            {
                "type": "result",
                "call_id": call["call_id"],
                "success": call["result"]["success"],
                "evidence": [{name: source[name] for name in ("document_id", "sha256")} for source in evidence],
                "latency_ms": call["latency_ms"],
            },
        )
    events.append({"type": "message", "role": "assistant", "content": "Therefore."})
    return {"schema_version": "agent-trace-v2", "rubric_version": RUBRIC, "task_id": "t-1", "events": events} | changes


def execution(call: Json, order: int = 0, **changes: Any) -> Json:
    """The tool-execution-v1 record of a call as in v1."""
    return {
        "schema_version": "tool-execution-v1",
        "task_id": "t-1",
        "call_id": call["call_id"],
        "tool": call["tool"],
        "arguments": call["arguments"],
        "result": call["result"],
        "server_latency_ms": call["latency_ms"],
        "order": order,
    } | changes


def derivation(**changes: Any) -> Json:
    return {
        "task_id": "t-1",
        "problem": "why?",
        "assumptions": [],
        "derivation": ["Because."],
        "final_answer": "4",
        "reasoning_score": 4,
    } | changes


_SHOWN = {
    "pairwise-v2": ("pairwise", ("messages", "response_a", "response_b")),
    "agent-trace-v1": ("agent_trace", ("prompt",)),
    "grounded-qa-v1": ("grounded_qa", ("question",)),
    "math-derivation-v1": ("math_derivation", ("problem",)),
}


def issued(kind: str, value: Json, **changes: Any) -> Json:
    """The task that a record of `kind` annotates, as issued."""
    if kind == "agent-trace-v2":
        asked = next(event["content"] for event in value["events"] if event.get("role") == "user")
        name, shown = "agent_trace", {"prompt": asked}
    else:
        name, members = _SHOWN[kind]
        shown = {member: value[member] for member in members}
    shown |= {"tools": [TOOL]} if name == "agent_trace" else {}
    return task(value["task_id"], name, kind, rubric_version=value.get("rubric_version"), **shown) | changes


def assignment(contributor: str, record_sha256: str, task_id: str = "t-1") -> Json:
    return {
        "schema_version": "assignment-v1",
        "task_id": task_id,
        "contributor": contributor,
        "record_sha256": record_sha256,
    }
