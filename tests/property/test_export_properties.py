"""Rows have a record's texts as they are, and the changes tell of each of its fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from small_records import TOOL, citation, derivation, pair, qa, step, talk, trace

from pipeline.export.formats import FORMATS
from pipeline.export.values import Changes, Choices, ExportRow, Neither, Reason, Record, Ties
from transforms.records import Json

TEXT = st.text(min_size=1, max_size=20)
PREFERENCES = st.sampled_from(["A", "B", "tie", "neither"])
DOCUMENT = {"document_id": "doc-1", "sha256": "0" * 64}


def rows(form: str, kind: str, value: Json) -> tuple[ExportRow, ...]:
    choices = Choices(form, ties=Ties.BOTH, neither=Neither.GOLDEN_PATCH)
    found = FORMATS[form].mappings[kind](Record(kind, value, b""), choices)
    return () if isinstance(found, Reason) else found


def fields(value: Any, pointer: str = "") -> Iterator[str]:
    """The pointers of all that has nothing below it."""
    if isinstance(value, dict) and value:
        for name, member in value.items():
            yield from fields(member, f"{pointer}/{name}")
    elif isinstance(value, list) and value:
        for item in value:
            yield from fields(item, f"{pointer}/*")
    else:
        yield pointer


def told(field: str, changes: Changes) -> int:
    """How often the changes tell of a field, or of what is above it."""
    sides = (set(changes.dropped), {name for name, _ in (*changes.renamed, *changes.normalised)})
    return sum(field == name or field.startswith(f"{name}/") for side in sides for name in side)


def agree(form: str, kind: str, value: Json) -> None:
    for row in rows(form, kind, value):
        assert b"\n" not in row.line
        assert {field: told(field, row.changes) for field in fields(value)} == dict.fromkeys(fields(value), 1)


@given(TEXT, TEXT, TEXT, TEXT, PREFERENCES)
def test_pairs(asked: str, a: str, b: str, patch: str, preference: str) -> None:
    messages = [{"role": "system", "content": asked}, {"role": "user", "content": asked}]
    value = pair(messages=messages, response_a=a, response_b=b, golden_patch=patch, preference=preference)
    agree("trl-preference", "pairwise-v2", value)
    agree("openai-preference", "pairwise-v2", value)
    found = [json.loads(row.line) for row in rows("trl-preference", "pairwise-v2", value)]
    expected = {"A": [(a, b)], "B": [(b, a)], "tie": [(a, b), (b, a)], "neither": [(patch, a), (patch, b)]}[preference]
    stated = [(row["chosen"][0]["content"], row["rejected"][0]["content"]) for row in found]
    assert stated == ([] if any(one == other for one, other in expected) else expected)
    assert all(row["prompt"] == messages for row in found)


@given(TEXT, TEXT, st.lists(TEXT, max_size=3), st.lists(TEXT, min_size=1, max_size=3))
def test_answers_and_derivations(asked: str, said: str, assumptions: list[str], steps: list[str]) -> None:
    answer = qa(citation(DOCUMENT, 0, 1, said), question=asked, answer=said)
    agree("conversational", "grounded-qa-v1", answer)
    value = derivation(problem=asked, assumptions=assumptions, derivation=steps, final_answer=said)
    agree("conversational", "math-derivation-v1", value)
    [row] = rows("conversational", "math-derivation-v1", value)
    texts = [message["content"] for message in json.loads(row.line)["messages"]]
    assert texts == [asked, "\n\n".join([*assumptions, *steps, said])]


@given(TEXT, st.lists(TEXT, min_size=1, max_size=3), TEXT)
def test_traces(asked: str, queries: list[str], said: str) -> None:
    steps = [step(number, "doc-1", arguments={"query": query, "top_k": 1}) for number, query in enumerate(queries, 1)]
    value = trace(*steps, prompt=asked, final_answer=said)
    agree("conversational", "agent-trace-v1", value)
    [row] = rows("conversational", "agent-trace-v1", value)
    messages = json.loads(row.line)["messages"]
    assert (messages[0]["content"], messages[-1]["content"]) == (asked, said)
    called = [call["function"]["arguments"] for message in messages for call in message.get("tool_calls", ())]
    assert [json.loads(arguments)["query"] for arguments in called] == queries
    agree("conversational", "agent-trace-v2", talk(*((one, [DOCUMENT]) for one in steps)))


EVENTS = st.lists(st.tuples(st.sampled_from(["user", "assistant", "call", "result"]), st.integers(1, 3)), max_size=12)


@given(EVENTS)
def test_every_call_of_a_conversation_is_answered_before_anybody_goes_on(drawn: list[tuple[str, int]]) -> None:
    events: list[Json] = []
    for what, number in drawn:
        named = {"call_id": f"call-{number}"}
        if what == "call":
            events.append({"type": what, **named, "tool": TOOL, "schema_version": "1", "arguments": {}})
        elif what == "result":
            events.append({"type": what, **named, "success": True, "evidence": [], "latency_ms": 1})
        else:
            events.append({"type": "message", "role": what, "content": what})
    waiting: list[str] = []
    for row in rows("conversational", "agent-trace-v2", talk(events=events)):
        for message in json.loads(row.line)["messages"]:
            if message["role"] == "tool":
                waiting.remove(message["tool_call_id"])
            else:
                assert waiting == []
                waiting = [call["id"] for call in message.get("tool_calls", ())]
    assert waiting == []
