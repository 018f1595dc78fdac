"""Answers, derivations and agent traces as conversations: rows of one column, `messages`.

The form is TRL's conversational language modelling type (TRL documentation, "Dataset formats and types"); tool calls
have the members that chat templates of the transformers library and OpenAI's chat format share. Arguments and results
are JSON texts there: as objects they would give the column another type with every tool.
"""

from __future__ import annotations

from typing import Any

import orjson

from pipeline.export.fields import Pairs, changes
from pipeline.export.values import Choices, ExportRow, Reason, Record
from transforms.digests import canonical_json
from transforms.records import Json

_ANSWER = "/messages/*/content"
_AS_TEXT = "written as RFC 8785 text"
_JOINED = "joined by empty lines in /messages/1/content"
_CALL_ID = "/messages/*/tool_calls/*/id"
_CALL_NAME = "/messages/*/tool_calls/*/function/name"


def grounded_answer(record: Record, _choices: Choices) -> tuple[ExportRow, ...]:
    """Question and answer."""
    value = record.value
    renamed = (("/question", "/messages/0/content"), ("/answer", "/messages/1/content"))
    return _row(value, [_said("user", value["question"]), _said("assistant", value["answer"])], renamed)


def derivation(record: Record, _choices: Choices) -> tuple[ExportRow, ...]:
    """The problem; then assumptions, steps and final answer, each a paragraph of one message."""
    value = record.value
    paragraphs = [*value["assumptions"], *value["derivation"], value["final_answer"]]
    normalised = tuple((f"/{name}", _JOINED) for name in ("assumptions", "derivation", "final_answer"))
    messages = [_said("user", value["problem"]), _said("assistant", "\n\n".join(paragraphs))]
    return _row(value, messages, (("/problem", "/messages/0/content"),), normalised)


def agent_trace(record: Record, _choices: Choices) -> tuple[ExportRow, ...]:
    """An agent-trace-v1 record: the prompt, each call with its result, the final answer."""
    value = record.value
    messages = [_said("user", value["prompt"])]
    for step in value["steps"]:
        messages += (_calling(step), _result(step["call_id"], step["tool"], step["result"]))
    messages.append(_said("assistant", value["final_answer"]))
    renamed = (
        ("/prompt", "/messages/0/content"),
        ("/steps/*/call_id", _CALL_ID),
        ("/steps/*/tool", _CALL_NAME),
        ("/final_answer", _ANSWER),
    )
    normalised = (("/steps/*/arguments", _AS_TEXT), ("/steps/*/result", _AS_TEXT))
    return _row(value, messages, renamed, normalised)


def agent_conversation(record: Record, _choices: Choices) -> tuple[ExportRow, ...] | Reason:
    """An agent-trace-v2 record, where all calls of a turn are answered before anybody goes on."""
    value = record.value
    messages = _turns(value["events"])
    if messages is None:
        return Reason.OVERLAPPING_CALLS
    renamed = (
        ("/events/*/role", "/messages/*/role"),
        ("/events/*/content", _ANSWER),
        ("/events/*/call_id", _CALL_ID),
        ("/events/*/tool", _CALL_NAME),
    )
    normalised = (
        ("/events/*/type", "said by the form of the message"),
        ("/events/*/arguments", _AS_TEXT),
        ("/events/*/success", _AS_TEXT),
        ("/events/*/evidence", _AS_TEXT),
    )
    return _row(value, messages, renamed, normalised)


def _turns(events: list[Json]) -> list[Json] | None:
    """The events as messages; None where a message or a further call stands between a call and its result."""
    messages: list[Json] = []
    open_calls: dict[str, str] = {}
    for event in events:
        calls_before = messages[-1].get("tool_calls") if messages else None
        if event["type"] == "result":
            tool = open_calls.pop(event["call_id"], None)
            if tool is None:
                return None
            seen = {"evidence": event["evidence"], "success": event["success"]}
            messages.append(_result(event["call_id"], tool, seen))
        elif open_calls and (event["type"] == "message" or calls_before is None or event["call_id"] in open_calls):
            return None
        elif event["type"] == "message":
            messages.append(_said(event["role"], event["content"]))
        else:
            _add_call(messages, event)
            open_calls[event["call_id"]] = event["tool"]
    return None if open_calls else messages


def _add_call(messages: list[Json], event: Json) -> None:
    """A call belongs to what the assistant says right before it, else to a message without text."""
    call = _calling(event)
    if messages and messages[-1]["role"] == "assistant":
        messages[-1].setdefault("tool_calls", []).extend(call["tool_calls"])
    else:
        messages.append(call)


def _said(role: str, text: str) -> Json:
    return {"role": role, "content": text}


def _calling(step: Json) -> Json:
    function = {"name": step["tool"], "arguments": canonical_json(step["arguments"]).decode()}
    calls = [{"id": step["call_id"], "type": "function", "function": function}]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def _result(call_id: str, tool: str, result: Any) -> Json:
    return {"role": "tool", "tool_call_id": call_id, "name": tool, "content": canonical_json(result).decode()}


def _row(value: Json, messages: list[Json], renamed: Pairs, normalised: Pairs = ()) -> tuple[ExportRow, ...]:
    return (ExportRow(orjson.dumps({"messages": messages}), changes(value, renamed, normalised)),)
