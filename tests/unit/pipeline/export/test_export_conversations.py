"""Answers, derivations and traces as conversations."""

from __future__ import annotations

import json
from typing import Any

import pytest
from small_records import TOOL, citation, derivation, qa, step, talk, trace

from pipeline.export.formats import FORMATS
from pipeline.export.values import Choices, ExportRow, Reason, Record

DOCUMENT = {"document_id": "doc-1", "sha256": "0" * 64}
FORMAT = "conversational"


def mapped(kind: str, value: dict[str, Any]) -> ExportRow | Reason:
    found = FORMATS[FORMAT].mappings[kind](Record(kind, value, b""), Choices(FORMAT))
    if isinstance(found, Reason):
        return found
    [row] = found
    return row


def row(kind: str, value: dict[str, Any]) -> ExportRow:
    found = mapped(kind, value)
    assert isinstance(found, ExportRow)
    assert json.loads(found.line).keys() == {"messages"}
    return found


def messages(kind: str, value: dict[str, Any]) -> list[Any]:
    found: list[Any] = json.loads(row(kind, value).line)["messages"]
    return found


def said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def calling(*numbers: int, content: str = "") -> dict[str, Any]:
    function = {"name": TOOL, "arguments": '{"query":"tides","top_k":3}'}
    calls = [{"id": f"call-{number}", "type": "function", "function": function} for number in numbers]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def returned(number: int, content: str) -> dict[str, str]:
    return {"role": "tool", "tool_call_id": f"call-{number}", "name": TOOL, "content": content}


def test_a_grounded_answer() -> None:
    value = qa(citation(DOCUMENT, 0, 4, "Tide"))
    assert messages("grounded-qa-v1", value) == [said("user", "why?"), said("assistant", "Therefore.")]
    changes = row("grounded-qa-v1", value).changes
    assert changes.dropped == ("/task_id", "/domain", "/citations", "/abstain")
    assert changes.normalised == ()


def test_a_derivation() -> None:
    value = derivation(assumptions=["Let x be 2."], derivation=["Double it.", "Done."])
    text = "Let x be 2.\n\nDouble it.\n\nDone.\n\n4"
    assert messages("math-derivation-v1", value) == [said("user", "why?"), said("assistant", text)]
    assert row("math-derivation-v1", value).changes.dropped == ("/task_id", "/reasoning_score")


def test_a_trace() -> None:
    value = trace(step(1, "doc-1"), step(2, result={"document_ids": [], "success": False}))
    assert messages("agent-trace-v1", value) == [
        said("user", "why?"),
        calling(1),
        returned(1, '{"document_ids":["doc-1"],"success":true}'),
        calling(2),
        returned(2, '{"document_ids":[],"success":false}'),
        said("assistant", "Therefore."),
    ]
    assert row("agent-trace-v1", value).changes.dropped == ("/task_id", "/steps/*/latency_ms")


def test_a_conversation_with_a_call() -> None:
    seen = '{"evidence":[{"document_id":"doc-1","sha256":"' + "0" * 64 + '"}],"success":true}'
    value = talk((step(1, "doc-1"), [DOCUMENT]))
    assert messages("agent-trace-v2", value) == [
        said("user", "why?"),
        calling(1),
        returned(1, seen),
        said("assistant", "Therefore."),
    ]
    assert row("agent-trace-v2", value).changes.dropped == (
        "/schema_version",
        "/rubric_version",
        "/task_id",
        "/events/*/schema_version",
        "/events/*/latency_ms",
    )


def events(letters: str) -> dict[str, Any]:
    """A conversation: u and a are messages, 1 to 4 calls, the letters of ! @ # $ their results."""
    made: list[dict[str, Any]] = []
    for letter in letters:
        if letter in "ua":
            made.append({"type": "message", "role": {"u": "user", "a": "assistant"}[letter], "content": letter})
        elif letter.isdigit():
            call = {"call_id": f"call-{letter}", "tool": TOOL, "schema_version": "1"}
            made.append({"type": "call", **call, "arguments": {"top_k": 3, "query": "tides"}})
        else:
            result = {"call_id": f"call-{'!@#$'.index(letter) + 1}", "success": True, "evidence": []}
            made.append({"type": "result", **result, "latency_ms": 1})
    return talk(events=made)


NOTHING = '{"evidence":[],"success":true}'


def test_calls_of_one_turn_are_answered_in_any_order() -> None:
    assert messages("agent-trace-v2", events("ua12@!3#aua")) == [
        said("user", "u"),
        calling(1, 2, content="a"),
        returned(2, NOTHING),
        returned(1, NOTHING),
        calling(3),
        returned(3, NOTHING),
        said("assistant", "a"),
        said("user", "u"),
        said("assistant", "a"),
    ]


@pytest.mark.parametrize("letters", ["u1u!a", "u1a!a", "u12!3@#a", "u1!2", "u!a", "u11!a"])
def test_calls_that_overlap_have_no_form(letters: str) -> None:
    assert mapped("agent-trace-v2", events(letters)) is Reason.OVERLAPPING_CALLS
