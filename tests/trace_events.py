"""Sound events of an agent-trace-v2 record, records of them, and what its rules find."""

from __future__ import annotations

from typing import Any

from transforms.records import Finding
from transforms.rules import agent_trace_v2
from transforms.rules.rule import RuleContext, apply
from transforms.rules.tool_trace import Tool

KIND = "agent-trace-v2"
DIGESTS = {"doc-a": "0a" * 32, "doc-b": "0b" * 32}

Event = dict[str, Any]


def declaring(**versions: str) -> RuleContext:
    """Tools by name, each with its versions between blanks."""
    return RuleContext(tools={name: Tool(name, frozenset(given.split())) for name, given in versions.items()})


def message(role: str, content: str = "High tide is at noon.") -> Event:
    return {"type": "message", "role": role, "content": content}


def call(number: int | str, **changes: Any) -> Event:
    value = {"type": "call", "call_id": f"call-{number}", "tool": "retrieve", "schema_version": "1", "arguments": {}}
    return value | changes


def result(number: int | str, *documents: str, **changes: Any) -> Event:
    evidence = [{"document_id": name, "sha256": DIGESTS.get(name, "00" * 32)} for name in documents]
    value = {"type": "result", "call_id": f"call-{number}", "success": True, "evidence": evidence, "latency_ms": 12}
    return value | changes


USER, ASSISTANT, SYSTEM = message("user"), message("assistant"), message("system")


def record(*events: Event, **changes: Any) -> dict[str, Any]:
    value = {"schema_version": KIND, "rubric_version": "agent-review-v1", "task_id": "t-1", "events": list(events)}
    return value | changes


def between(*events: Event, answer: str = "High tide is at noon.") -> dict[str, Any]:
    """A record of one question, these events, and an answer."""
    return record(USER, *events, message("assistant", answer))


def findings(value: dict[str, Any], context: RuleContext | None = None) -> tuple[Finding, ...]:
    return apply(agent_trace_v2.RULES, value, context or RuleContext())


def found(value: dict[str, Any], context: RuleContext | None = None) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in findings(value, context)]
