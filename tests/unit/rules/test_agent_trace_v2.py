from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidence_records import rubric
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_events import (
    KIND,
    USER,
    Event,
    between,
    call,
    declaring,
    findings,
    found,
    message,
    record,
    result,
)

import schemas
from transforms.parsing.json_strict import parse
from transforms.records import Finding, Severity, Stage
from transforms.rules import agent_trace_v2, answer_evidence, event_order, text, tool_trace
from transforms.rules.pairwise import TURN_ORDER
from transforms.rules.rubric_version import UNSUPPORTED_RUBRIC_VERSION
from transforms.rules.rule import RuleContext
from transforms.structure import Compiled, check, compile_validator, declared_version
from transforms.terms import Limits, Validator

FOLDER = schemas.schema_path("records", KIND).parent
EXPECTED: dict[str, list[str]] = json.loads((FOLDER / "reject" / "index.json").read_text(encoding="utf-8"))


# the fixtures


@pytest.fixture(scope="module", params=["jsonschema-rs", "jsonschema"])
def compiled(request: pytest.FixtureRequest) -> Compiled:
    return compile_validator(schemas.load_schema("records", KIND), Validator(request.param))


def judged(path: Path, compiled: Compiled) -> list[str]:
    """The codes that parsing, structure and the rules give a fixture."""
    parsed = parse(path.read_bytes().rstrip(b"\n"), 64)
    if isinstance(parsed, Finding):
        return [parsed.code]
    version = declared_version(parsed.value, "schema_version", {KIND})
    if isinstance(version, Finding):
        return [version.code]
    of = check(parsed.value, compiled, 99) or findings(parsed.value)
    return sorted({finding.code for finding in of})


@pytest.mark.parametrize("path", sorted((FOLDER / "accept").iterdir()), ids=lambda path: path.name)
def test_accepted_fixtures(path: Path, compiled: Compiled) -> None:
    assert judged(path, compiled) == []


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_rejected_fixtures(name: str, compiled: Compiled) -> None:
    assert judged(FOLDER / "reject" / name, compiled) == EXPECTED[name]


def test_every_rejected_fixture_is_listed() -> None:
    assert {path.name for path in (FOLDER / "reject").iterdir()} - {"index.json"} == EXPECTED.keys()


def test_every_rule_has_a_fixture_but_the_ones_that_need_a_campaign() -> None:
    codes = {code.code for rule in agent_trace_v2.RULES for code in rule.codes}
    shown = {code for codes in EXPECTED.values() for code in codes}
    by_campaign = {"undeclared-tool", "tool-version-not-declared", "unsupported-rubric-version"}
    assert codes - shown == by_campaign | {"conversation-too-large"}


# the schema


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        ({"type": "message"}, ["/events/0 is missing 'content'", "/events/0 is missing 'role'"]),
        ({}, ["/events/0 is missing 'type'"]),
        ({"type": "thought"}, ["/events/0/type must be one of 'message', 'call', 'result'"]),
        (message("user") | {"tool": "x"}, ["/events/0/tool is not allowed here"]),
        (message("user") | {"name": "x"}, ["/events/0 has unexpected properties: 'name'"]),
        (call(1, arguments=None), ["/events/0/arguments must be of type object"]),
        (call(1) | {"latency_ms": 3}, ["/events/0/latency_ms is not allowed here"]),
        (result(1) | {"content": "x"}, ["/events/0/content is not allowed here"]),
        (result(1, success=1), ["/events/0/success must be of type boolean"]),
        (
            message("user") | {"type": "result"},
            [
                "/events/0 is missing 'call_id'",
                "/events/0 is missing 'evidence'",
                "/events/0 is missing 'latency_ms'",
                "/events/0 is missing 'success'",
                "/events/0/content is not allowed here",
                "/events/0/role is not allowed here",
            ],
        ),
    ],
)
def test_an_event_out_of_form_is_told_what_it_lacks(event: Event, expected: list[str], compiled: Compiled) -> None:
    broken = check(record(event), compiled, 99)
    assert [f"{finding.pointer} {finding.message}" for finding in broken] == expected


def test_arguments_are_any_object(compiled: Compiled) -> None:
    odd = {"": None, "type": ["message"], "call_id": 7, "ünï": {"a": [1.5, True]}}
    value = between(call(1, arguments=odd), result(1))
    assert check(value, compiled, 99) == ()
    assert found(value) == []


# empty-text


def test_a_message_with_nothing_visible_is_empty() -> None:
    assert found(record(message("user", "\u200b"), message("assistant", " "))) == [
        ("empty-text", "/events/0/content"),
        ("empty-text", "/events/1/content"),
    ]


# tools


def test_tools_and_their_versions_must_be_declared() -> None:
    value = between(call(1), result(1), call(2, schema_version="2"), result(2), call(3, tool="shell"), result(3))
    undeclared, version = (
        ("undeclared-tool", "/events/5/tool"),
        ("tool-version-not-declared", "/events/3/schema_version"),
    )
    assert found(value, declaring(retrieve="1 2", shell="1")) == []
    assert found(value, declaring(retrieve="1 2")) == [undeclared]
    assert found(value, declaring(retrieve="1", shell="1")) == [version]
    assert found(value, declaring(retrieve="1", other="1")) == [undeclared, version]
    assert found(value, declaring(retrieve="", shell="1")) == [
        ("tool-version-not-declared", "/events/1/schema_version"),
        version,
    ]


def test_without_declared_tools_none_is_asked_for() -> None:
    assert found(between(call(1, tool="shell"), result(1)), declaring()) == []
    assert found(between(call(1, tool="shell"), result(1)), RuleContext()) == []


def test_an_undeclared_tool_or_version_is_named_once() -> None:
    value = between(*(event for number in (1, 2, 3) for event in (call(number), result(number))))
    assert found(value, declaring(other="1")) == [("undeclared-tool", "/events/1/tool")]
    (finding,) = findings(value, declaring(retrieve="2"))
    assert finding.pointer == "/events/1/schema_version"
    assert finding.message == 'the stream declares no version "1" of tool "retrieve"'


# results


@pytest.mark.parametrize(
    ("arguments", "exceeded"),
    [
        ({"top_k": 1}, True),
        ({"top_k": 1.0}, True),
        ({"top_k": 0}, True),
        ({"top_k": -1}, True),
        ({"top_k": 2}, False),
        ({"top_k": 1.5}, False),
        ({"top_k": True}, False),
        ({"top_k": "1"}, False),
        ({"top_k": None}, False),
        ({"limit": 1}, False),
        ({}, False),
    ],
)
def test_top_k_bounds_the_result_where_it_is_an_integer(arguments: dict[str, Any], exceeded: bool) -> None:
    value = between(call(1, arguments=arguments), call(2), result(2, "doc-a"), result(1, "doc-a", "doc-b"))
    assert found(value) == ([("top-k-exceeded", "/events/4/evidence")] if exceeded else [])


def test_the_first_call_of_a_repeated_id_says_top_k() -> None:
    one, other = call(1, arguments={"top_k": 1}), call(1, arguments={"top_k": 2})
    assert ("top-k-exceeded", "/events/3/evidence") in found(between(one, other, result(1, "doc-a", "doc-b")))
    assert found(between(other, one, result(1, "doc-a", "doc-b"))) == [("duplicate-call-id", "/events/2/call_id")]


def test_a_failed_call_has_no_documents() -> None:
    value = between(call(1), result(1, success=False), call(2), result(2, "doc-a", success=False))
    assert found(value) == [("failed-call-with-evidence", "/events/4/evidence")]


def test_one_document_has_one_digest() -> None:
    other = [{"document_id": "doc-a", "sha256": "ff" * 32}]
    more = [*other, {"document_id": "doc-a", "sha256": "ee" * 32}]
    value = between(
        call(1), result(1, "doc-a", "doc-b"), call(2), result(2, evidence=more), call(3), result(3, "doc-a")
    )
    assert found(value) == [("evidence-digest-mismatch", "/events/4/evidence/0/sha256")]
    (finding,) = findings(value)
    assert finding.message == '"doc-a" stands with another digest before'


# the answer


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Noon [doc-a].", None),
        ("Noon [doc-b].", Severity.REJECT),
        ("Noon by doc-b.", Severity.WARN),
        ("Noon [doc-y], [doc-z].", None),  # given by the user, or asked for
    ],
)
def test_the_last_message_rests_on_all_results(answer: str, expected: Severity | None) -> None:
    value = record(
        *(message("user", "And doc-z?"), call(1, arguments={"ids": [{"one": "doc-y"}]}), result(1, "doc-a")),
        *(message("assistant", "[doc-x]"), USER, call(2), result(2), message("assistant", answer)),
    )
    severities = [(finding.code, finding.pointer, finding.severity) for finding in findings(value)]
    assert severities == ([] if expected is None else [("answer-cites-failed-call", "/events/7/content", expected)])


def test_without_evidence_no_claim_of_it() -> None:
    (finding,) = findings(between(call(1), result(1), answer="The search results show noon."))
    assert (finding.code, finding.severity) == ("answer-cites-failed-call", Severity.HOLD)


def test_a_trace_without_calls_retrieved_nothing() -> None:
    assert found(between(answer="The retrieved document says noon.")) == [
        ("answer-cites-failed-call", "/events/1/content")
    ]
    assert found(between(answer="Noon.")) == []


# the campaign's rubrics and limits


def test_a_rubric_version_must_be_pinned() -> None:
    assert found(between(), RuleContext(rubrics={"agent-review-v1": rubric("agent-review-v1", "a")})) == []
    context = RuleContext(rubrics={"agent-review-v2": rubric("agent-review-v2", "a")})
    assert found(between(), context) == [("unsupported-rubric-version", "/rubric_version")]


@pytest.mark.parametrize(("bound", "expected"), [(36, []), (35, [("conversation-too-large", "")])])
def test_messages_and_arguments_are_bounded_together(bound: int, expected: list[tuple[str, str]]) -> None:
    arguments = {"abc": ["de", {"fgh": "ij"}], "k": 12345, "lmn": None}
    events = (
        message("user", "u" * 10),
        call(1, arguments=arguments),
        result(1, "doc-a"),
        message("assistant", "a" * 12),
    )
    assert found(record(*events), RuleContext(Limits(max_conversation_characters=bound))) == expected


# any record

NUMBERS = st.integers(0, 3)
DOCUMENTS = st.lists(st.sampled_from(["doc-a", "doc-b", "d1", "[", "=1"]), max_size=3)
CONTENT = st.sampled_from(["doc-a", "[doc-b]", "The retrieved document confirms it.", " ", "\u200b", "no"])
EVENTS = (
    st.builds(message, st.sampled_from(["system", "user", "assistant"]), CONTENT)
    | st.builds(
        lambda number, top_k: call(number, arguments={"top_k": top_k}), NUMBERS, st.sampled_from([0, 1.0, "x", []])
    )
    | st.builds(
        lambda number, names, success: result(number, *names, success=success), NUMBERS, DOCUMENTS, st.booleans()
    )
)


@settings(deadline=None, max_examples=400)
@given(st.lists(EVENTS, min_size=1, max_size=10))
def test_any_valid_record_can_be_judged(events: list[Event]) -> None:
    value = record(*events)
    judged = findings(value, declaring(other="1"))
    assert len({(each.code, each.pointer, each.message) for each in judged}) == len(judged)
    for finding in judged:
        assert len(finding.message) <= 140
        at: Any = value
        for part in finding.pointer.split("/")[1:]:
            at = at[int(part)] if isinstance(at, list) else at[part]


# the table


def test_every_row_of_the_modules_belongs_to_a_rule() -> None:
    rows = {code for rule in agent_trace_v2.RULES for code in rule.codes}
    shared = {*tool_trace.CODES, *answer_evidence.CODES, *text.CODES, TURN_ORDER, UNSUPPORTED_RUBRIC_VERSION}
    assert rows == {*agent_trace_v2.CODES, *event_order.CODES, *shared}
    assert {row.stage for row in rows} == {Stage.RULES}
    assert len({row.code for row in rows}) == len(rows) == 16
