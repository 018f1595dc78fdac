"""The rules within one agent-trace-v1 record: a prompt, the retrieval calls made for it, and the final answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from transforms.records import Finding, Json
from transforms.rules import answer_evidence, tool_trace
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import CONVERSATION_TOO_LARGE, EMPTY_TEXT, empty_text, has_visible, size_findings
from transforms.rules.tool_trace import Located


def _located_texts(value: Json) -> Iterator[Located]:
    """Every text of the trace, in the order in which it arose."""
    yield "/prompt", value["prompt"]
    for index, step in enumerate(value["steps"]):
        yield f"/steps/{index}/arguments/query", step["arguments"]["query"]
    yield "/final_answer", value["final_answer"]


def _members(value: Json, name: str) -> list[Located]:
    return [(f"/steps/{index}/{name}", step[name]) for index, step in enumerate(value["steps"])]


def _check_text(value: Json, _context: RuleContext) -> Sequence[Finding]:
    return [empty_text(pointer) for pointer, text in _located_texts(value) if not has_visible(text)]


def _check_call_ids(value: Json, _context: RuleContext) -> Iterable[Finding]:
    return tool_trace.duplicate_call_ids(_members(value, "call_id"))


def _check_call_order(value: Json, _context: RuleContext) -> Iterable[Finding]:
    return tool_trace.call_order(_members(value, "call_id"))


def _check_tools(value: Json, context: RuleContext) -> Iterable[Finding]:
    return tool_trace.undeclared_tools(_members(value, "tool"), context)


def _check_top_k(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for index, step in enumerate(value["steps"]):
        top_k, returned = int(step["arguments"]["top_k"]), len(step["result"]["document_ids"])
        if returned > top_k:
            yield tool_trace.top_k_exceeded(f"/steps/{index}/result/document_ids", top_k, returned)


def _check_failed_calls(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for index, step in enumerate(value["steps"]):
        result = step["result"]
        if result["document_ids"] and not result["success"]:
            pointer = f"/steps/{index}/result/document_ids"
            yield tool_trace.failed_with_evidence(pointer, len(result["document_ids"]))


def _check_answer(value: Json, context: RuleContext) -> Iterable[Finding]:
    results = (step["result"] for step in value["steps"])
    evidence = answer_evidence.gather(
        ((result["success"], result["document_ids"]) for result in results),
        given=lambda: (text for pointer, text in _located_texts(value) if pointer != "/final_answer"),
    )
    return answer_evidence.check_answer(value["final_answer"], "/final_answer", evidence, context.policies)


def conversation(value: Json) -> Iterator[str]:
    """The texts that count against the bounds on a conversation."""
    return (text for _, text in _located_texts(value))


def _check_size(value: Json, context: RuleContext) -> Sequence[Finding]:
    return size_findings(conversation(value), context.limits)


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((tool_trace.DUPLICATE_CALL_ID,), _check_call_ids),
    Rule((tool_trace.CALL_ORDER,), _check_call_order),
    Rule((tool_trace.UNDECLARED_TOOL,), _check_tools),
    Rule((tool_trace.TOP_K_EXCEEDED,), _check_top_k),
    Rule((tool_trace.FAILED_CALL_WITH_EVIDENCE,), _check_failed_calls),
    Rule(answer_evidence.CODES, _check_answer),
    Rule((CONVERSATION_TOO_LARGE,), _check_size),
)
