"""The rules within one agent-trace-v2 record: messages, tool calls and their results, in the order they happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules import answer_evidence, event_order, rubric_version, tool_trace
from transforms.rules.event_order import events_of
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import CONVERSATION_TOO_LARGE, EMPTY_TEXT, empty_text, excerpt, has_visible, size_findings
from transforms.rules.tool_trace import Located

TOOL_VERSION_NOT_DECLARED = Code(
    "tool-version-not-declared",
    Stage.RULES,
    Severity.REJECT,
    "A call names a version of its tool's arguments and results that the campaign does not declare.",
    '"tool": "retrieve_documents" with "schema_version": "2" where the stream declares version "1"',
    "Declare that version of the tool in the stream, or export the trace under a declared one.",
)
EVIDENCE_DIGEST_MISMATCH = Code(
    "evidence-digest-mismatch",
    Stage.RULES,
    Severity.REJECT,
    "One document id stands with different digests, so it is not known which text the agent saw.",
    'two results return "doc-a", with sha256 "1f2e…" and "9c0b…"',
    "Give each version of a document an id of its own, or correct the digest where the trace was recorded.",
)
CODES: tuple[Code, ...] = (TOOL_VERSION_NOT_DECLARED, EVIDENCE_DIGEST_MISMATCH)


def _members(value: Json, name: str) -> list[Located]:
    return [(f"/events/{index}/{name}", call[name]) for index, call in events_of(value, "call")]


def _strings(value: Any) -> Iterator[str]:
    """Every string inside a JSON value, member names included."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            waiting += (*part, *part.values())
        elif isinstance(part, list):
            waiting += part


def _check_text(value: Json, _context: RuleContext) -> Sequence[Finding]:
    messages = events_of(value, "message")
    return [empty_text(f"/events/{index}/content") for index, event in messages if not has_visible(event["content"])]


def _check_call_ids(value: Json, _context: RuleContext) -> Iterable[Finding]:
    return tool_trace.duplicate_call_ids(_members(value, "call_id"))


def _check_call_order(value: Json, _context: RuleContext) -> Iterable[Finding]:
    return tool_trace.call_order(_members(value, "call_id"))


def _check_tools(value: Json, context: RuleContext) -> Iterable[Finding]:
    return tool_trace.undeclared_tools(_members(value, "tool"), context)


def _check_tool_versions(value: Json, context: RuleContext) -> Iterator[Finding]:
    """Every undeclared version of a declared tool, at its first call."""
    declared = tool_trace.declared_tools(context)
    reported: set[tuple[str, str]] = set()
    for index, call in events_of(value, "call"):
        tool, version = call["tool"], call["schema_version"]
        if tool not in declared or version in declared[tool].versions or (tool, version) in reported:
            continue
        reported.add((tool, version))
        message = f"the stream declares no version {excerpt(version)} of tool {excerpt(tool)}"
        yield Finding(TOOL_VERSION_NOT_DECLARED.code, message, f"/events/{index}/schema_version")


def _check_top_k(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """Only where the arguments have an integer `top_k`; with a repeated call id its first call counts."""
    asked: dict[str, int] = {}
    for _, call in events_of(value, "call"):
        top_k = call["arguments"].get("top_k")
        # In JSON Schema 5.0 is an integer and true is none.
        if type(top_k) is int or (type(top_k) is float and top_k.is_integer()):
            asked.setdefault(call["call_id"], int(top_k))
    for index, result in events_of(value, "result"):
        top_k, returned = asked.get(result["call_id"]), len(result["evidence"])
        if top_k is not None and returned > top_k:
            yield tool_trace.top_k_exceeded(f"/events/{index}/evidence", top_k, returned)


def _check_failed_calls(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for index, result in events_of(value, "result"):
        if result["evidence"] and not result["success"]:
            yield tool_trace.failed_with_evidence(f"/events/{index}/evidence", len(result["evidence"]))


def _check_digests(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """The first contradiction for each document id."""
    digests: dict[str, str] = {}
    reported: set[str] = set()
    for index, result in events_of(value, "result"):
        for place, document in enumerate(result["evidence"]):
            name, digest = document["document_id"], document["sha256"]
            if digests.setdefault(name, digest) != digest and name not in reported:
                reported.add(name)
                message = f"{excerpt(name)} stands with another digest before"
                yield Finding(EVIDENCE_DIGEST_MISMATCH.code, message, f"/events/{index}/evidence/{place}/sha256")


def _check_answer(value: Json, context: RuleContext) -> Iterable[Finding]:
    """The answer is the last event; where that is no message of the assistant, final-answer-missing says so."""
    last = value["events"][-1]
    if last.get("role") != "assistant":
        return ()
    evidence = answer_evidence.gather(
        (
            (result["success"], [document["document_id"] for document in result["evidence"]])
            for _, result in events_of(value, "result")
        ),
        given=lambda: _given(value),
    )
    pointer = f"/events/{len(value['events']) - 1}/content"
    return answer_evidence.check_answer(last["content"], pointer, evidence, context.policies)


def _given(value: Json) -> Iterator[str]:
    """What the assistant was told, and what it asked its tools."""
    for event in value["events"]:
        if event["type"] == "message" and event["role"] != "assistant":
            yield event["content"]
        elif event["type"] == "call":
            yield from _strings(event["arguments"])


def conversation(value: Json) -> Iterator[str]:
    """The texts that count against the bounds on a conversation."""
    for _, event in events_of(value, "message"):
        yield event["content"]
    for _, call in events_of(value, "call"):
        yield from _strings(call["arguments"])


def _check_size(value: Json, context: RuleContext) -> Sequence[Finding]:
    return size_findings(conversation(value), context.limits)


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    *event_order.RULES,
    Rule((tool_trace.DUPLICATE_CALL_ID,), _check_call_ids),
    Rule((tool_trace.CALL_ORDER,), _check_call_order),
    Rule((tool_trace.UNDECLARED_TOOL,), _check_tools),
    Rule((TOOL_VERSION_NOT_DECLARED,), _check_tool_versions),
    Rule((tool_trace.TOP_K_EXCEEDED,), _check_top_k),
    Rule((tool_trace.FAILED_CALL_WITH_EVIDENCE,), _check_failed_calls),
    Rule((EVIDENCE_DIGEST_MISMATCH,), _check_digests),
    Rule(answer_evidence.CODES, _check_answer),
    rubric_version.RULE,
    Rule((CONVERSATION_TOO_LARGE,), _check_size),
)
