"""What the rules on agent traces share, whatever the version: declared tools, call ids, bounds on results.

A trace is data: nothing in it is ever executed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from transforms.records import Code, Finding, Severity, Stage
from transforms.rules.rule import RuleContext
from transforms.rules.text import excerpt
from transforms.terms import Tool

DUPLICATE_CALL_ID = Code(
    "duplicate-call-id",
    Stage.RULES,
    Severity.REJECT,
    "Two calls of one trace have the same id, so results and log rows cannot be told apart.",
    'steps "call-1" and "call-1"',
    "Number the calls again where the trace was recorded; an id belongs to one call.",
)
CALL_ORDER = Code(
    "call-order",
    Stage.RULES,
    Severity.REJECT,
    "The numbers in the call ids do not rise along the trace, so the calls are not in the order they were made.",
    'steps "call-2", then "call-1"',
    "Export the calls in the order they were made, numbered upwards; gaps are fine.",
)
UNDECLARED_TOOL = Code(
    "undeclared-tool",
    Stage.RULES,
    Severity.REJECT,
    "A call names a tool that the campaign does not declare for the stream.",
    'a call of "run_shell" where the stream declares "retrieve_documents" alone',
    "Declare the tool in the stream with its schema versions if agents may use it; otherwise discard the trace.",
)
TOP_K_EXCEEDED = Code(
    "top-k-exceeded",
    Stage.RULES,
    Severity.REJECT,
    "A result has more documents than its call asked for.",
    '"top_k": 1 and a result of three documents',
    "Find out whether the tool or the trace is wrong; a tool that returns at most top_k cannot have given this result.",
)
FAILED_CALL_WITH_EVIDENCE = Code(
    "failed-call-with-evidence",
    Stage.RULES,
    Severity.REJECT,
    "A call failed by its own account and yet returned documents.",
    '"success": false and "document_ids": ["doc-a"]',
    "Record what the tool returned: a failed call returns no documents, one with documents succeeded.",
)
CODES: tuple[Code, ...] = (
    DUPLICATE_CALL_ID,
    CALL_ORDER,
    UNDECLARED_TOOL,
    TOP_K_EXCEEDED,
    FAILED_CALL_WITH_EVIDENCE,
)

_PREFIX = len("call-")

# A JSON Pointer into the record, and the text that stands there.
Located = tuple[str, str]


def declared_tools(context: RuleContext) -> Mapping[str, Tool]:
    """The tools that the campaign declares for the stream, by name; empty where it declares none."""
    return context.tools


def duplicate_call_ids(call_ids: Iterable[Located]) -> Iterator[Finding]:
    """A finding for every id that several calls have, at the second of them."""
    places: dict[str, list[str]] = {}
    for pointer, call_id in call_ids:
        places.setdefault(call_id, []).append(pointer)
    for call_id, pointers in places.items():
        if len(pointers) > 1:
            message = f"{call_id} is the id of {len(pointers)} calls"
            yield Finding(DUPLICATE_CALL_ID.code, message, pointers[1])


def call_order(call_ids: Iterable[Located]) -> Iterator[Finding]:
    """The first call whose number does not rise. A repeated id is duplicate-call-id's affair; gaps are none."""
    seen: set[str] = set()
    highest, before = -1, ""
    for pointer, call_id in call_ids:
        number = int(call_id[_PREFIX:])
        if call_id in seen:
            continue
        if number <= highest:
            yield Finding(CALL_ORDER.code, f"{call_id} stands after {before}", pointer)
            return
        seen.add(call_id)
        highest, before = number, call_id


def undeclared_tools(tools: Iterable[Located], context: RuleContext) -> Iterator[Finding]:
    """Every undeclared tool, at its first call. Nothing where the campaign declares no tools at all."""
    declared = declared_tools(context)
    if not declared:
        return
    reported: set[str] = set()
    for pointer, tool in tools:
        if tool not in declared and tool not in reported:
            reported.add(tool)
            yield Finding(UNDECLARED_TOOL.code, f"the stream declares no tool {excerpt(tool)}", pointer)


def top_k_exceeded(pointer: str, top_k: int, returned: int) -> Finding:
    """The finding for a result of `returned` documents; `pointer` leads to them."""
    return Finding(TOP_K_EXCEEDED.code, f"{returned} documents where the call asked for {top_k}", pointer)


def failed_with_evidence(pointer: str, returned: int) -> Finding:
    """The finding for a failed call that returned documents; `pointer` leads to them."""
    documents = "1 document" if returned == 1 else f"{returned} documents"
    return Finding(FAILED_CALL_WITH_EVIDENCE.code, f"the call failed, yet its result has {documents}", pointer)
