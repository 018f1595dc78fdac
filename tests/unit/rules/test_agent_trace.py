from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schemas
from transforms.parsing.json_strict import parse
from transforms.records import Finding, Severity, Stage
from transforms.rules import agent_trace, answer_evidence, text, tool_trace
from transforms.rules.rule import RuleContext, apply
from transforms.rules.tool_trace import Tool
from transforms.structure import Compiled, check, compile_validator, declared_version
from transforms.terms import Action, Limits, Validator

KIND = "agent-trace-v1"
FOLDER = schemas.schema_path("records", KIND).parent
EXPECTED: dict[str, list[str]] = json.loads((FOLDER / "reject" / "index.json").read_text(encoding="utf-8"))


def declaring(*names: str) -> RuleContext:
    return RuleContext(tools={name: Tool(name, frozenset({"1"})) for name in names})


def step(number: int, *document_ids: str, **changes: Any) -> dict[str, Any]:
    """A call; `success`, `top_k` and `query` go where they belong."""
    arguments = {"query": changes.pop("query", "tide tables"), "top_k": changes.pop("top_k", 3)}
    result = {"document_ids": list(document_ids), "success": changes.pop("success", True)}
    value = {"call_id": f"call-{number}", "tool": "retrieve_documents", "arguments": arguments, "result": result}
    return value | {"latency_ms": 12} | changes


def record(*steps: dict[str, Any], **changes: Any) -> dict[str, Any]:
    value = {
        "task_id": "t-1",
        "prompt": "When is high tide?",
        "steps": list(steps) or [step(1, "doc-a")],
        "final_answer": "High tide is listed in doc-a.",
    }
    return value | changes


def findings(value: dict[str, Any], context: RuleContext | None = None) -> tuple[Finding, ...]:
    return apply(agent_trace.RULES, value, context or RuleContext())


def found(value: dict[str, Any], context: RuleContext | None = None) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in findings(value, context)]


# the fixtures


@pytest.fixture(scope="module", params=["jsonschema-rs", "jsonschema"])
def compiled(request: pytest.FixtureRequest) -> Compiled:
    return compile_validator(schemas.load_schema("records", KIND), Validator(request.param))


def judged(path: Path, compiled: Compiled) -> list[str]:
    """The codes that parsing, structure and the rules give a fixture."""
    parsed = parse(path.read_bytes().rstrip(b"\n"), 64)
    if isinstance(parsed, Finding):
        return [parsed.code]
    assert declared_version(parsed.value, None, {KIND}) == KIND
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
    codes = {code.code for rule in agent_trace.RULES for code in rule.codes}
    shown = {code for codes in EXPECTED.values() for code in codes}
    assert codes - shown == {"undeclared-tool", "conversation-too-large"}


# empty-text


@pytest.mark.parametrize("blank", [" ", "\n\t", "\u200b\u2060", "\u3164"])
def test_texts_with_nothing_visible(blank: str) -> None:
    assert found(record(step(1, "doc-a"), step(2, "doc-b", query=blank), prompt=blank)) == [
        ("empty-text", "/prompt"),
        ("empty-text", "/steps/1/arguments/query"),
    ]
    assert found(record(final_answer=blank)) == [("empty-text", "/final_answer")]


# duplicate-call-id, call-order


def numbered(*numbers: int | str) -> list[dict[str, Any]]:
    return [step(1, "doc-a", call_id=f"call-{number}") for number in numbers]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((1,), []),
        ((0, 1, 2), []),
        ((3, 17, 999999), []),
        (("007", "8"), []),
        ((1, 1), [("duplicate-call-id", 1)]),
        ((1, 2, 1, 1), [("duplicate-call-id", 2)]),
        ((1, 1, 2, 2), [("duplicate-call-id", 1), ("duplicate-call-id", 3)]),
        ((2, 1), [("call-order", 1)]),
        (("1", "01"), [("call-order", 1)]),
        ((1, 3, 2, 1, 4), [("duplicate-call-id", 3), ("call-order", 2)]),
        ((5, 4, 3), [("call-order", 1)]),  # the first break only
        ((9, 10), []),  # numbers, not texts
    ],
)
def test_call_ids(numbers: tuple[int | str, ...], expected: list[tuple[str, int]]) -> None:
    assert found(record(*numbered(*numbers))) == [(code, f"/steps/{at}/call_id") for code, at in expected]


def test_messages_about_call_ids() -> None:
    messages = [finding.message for finding in findings(record(*numbered(4, 2, 4)))]
    assert messages == ["call-4 is the id of 2 calls", "call-2 stands after call-4"]


# undeclared-tool


def test_a_tool_must_be_declared() -> None:
    value = record(step(1, "doc-a"), step(2, "doc-b"))
    assert found(value, declaring("retrieve_documents", "read_gauge")) == []
    assert found(value, declaring("read_gauge")) == [("undeclared-tool", "/steps/0/tool")]
    (finding,) = findings(value, declaring("read_gauge"))
    assert finding.message == 'the stream declares no tool "retrieve_documents"'
    assert finding.severity is Severity.REJECT


def test_without_declared_tools_the_schema_decides() -> None:
    assert found(record(), declaring()) == []
    assert found(record(), RuleContext()) == []


# top-k-exceeded, failed-call-with-evidence


@pytest.mark.parametrize(
    ("top_k", "exceeded"), [(1, True), (2, True), (2.0, True), (3, False), (3.0, False), (20, False)]
)
def test_no_more_documents_than_asked_for(top_k: float, exceeded: bool) -> None:
    value = record(step(1, "doc-a"), step(2, "doc-a", "doc-b", "doc-c", top_k=top_k))
    assert found(value) == ([("top-k-exceeded", "/steps/1/result/document_ids")] if exceeded else [])


def test_the_message_on_too_many_documents() -> None:
    (finding,) = findings(record(step(1, "doc-a", "doc-b", top_k=1.0)))
    assert finding.message == "2 documents where the call asked for 1"


def test_a_failed_call_has_no_documents() -> None:
    value = record(step(1, "doc-a"), step(2, success=False), step(3, "doc-a", success=False))
    assert found(value) == [("failed-call-with-evidence", "/steps/2/result/document_ids")]
    messages = [each.message for each in findings(record(step(1, "doc-b", "doc-c", success=False), step(2, "doc-a")))]
    assert messages == ["the call failed, yet its result has 2 documents"]


# answer-cites-failed-call; tests/unit/rules/test_answer_evidence.py has its cases


def test_the_answer_rests_on_what_the_calls_returned() -> None:
    value = record(step(1, "doc-a"), step(2, "doc-b", success=False), final_answer="Noon [doc-a], doc-b.")
    assert found(value) == [
        ("failed-call-with-evidence", "/steps/1/result/document_ids"),
        ("answer-cites-failed-call", "/final_answer"),
    ]


def test_ids_in_the_prompt_and_the_queries_may_be_named() -> None:
    answer = "Noon [doc-b]."
    assert found(record(step(1, "doc-a"), final_answer=answer)) == [("answer-cites-failed-call", "/final_answer")]
    assert found(record(step(1, "doc-a"), prompt="Compare doc-a with doc-b.", final_answer=answer)) == []
    assert found(record(step(1, "doc-a", query="doc-b tides"), final_answer=answer)) == []


@pytest.mark.parametrize("action", [Action.HOLD, Action.REJECT])
def test_the_answer_follows_the_policy(action: Action) -> None:
    context = RuleContext(policies={"answer-cites-failed-call": action})
    severities = [finding.severity.value for finding in findings(record(step(1)), context)]
    assert severities == [action.value]


# conversation-too-large


@pytest.mark.parametrize(("bound", "expected"), [(60, []), (59, [("conversation-too-large", "")])])
def test_prompt_queries_and_answer_are_bounded_together(bound: int, expected: list[tuple[str, str]]) -> None:
    steps = (step(1, "doc-a", query="q" * 10), step(2, "d" * 128, query="r" * 10))
    value = record(*steps, prompt="p" * 20, final_answer="a" * 20)
    assert found(value, RuleContext(Limits(max_conversation_characters=bound))) == expected


# records as they came in


def case(
    number: int, result: dict[str, Any], top_k: int, answer: str = "High tide is listed in doc-a."
) -> dict[str, Any]:
    call = step(1, top_k=top_k, result=result)
    return record(
        call, task_id=f"c36-{number}", prompt=f"Look up the tide for case 'c36-{number}'.", final_answer=answer
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (case(0, {"document_ids": ["doc-a"], "success": True}, 3), {}),
        (
            case(1, {"document_ids": ["doc-a"], "success": False}, 3),
            {"failed-call-with-evidence": "reject", "answer-cites-failed-call": "reject"},
        ),
        (case(2, {"document_ids": [], "success": True}, 3), {"answer-cites-failed-call": "warn"}),
        (case(3, {"document_ids": ["d1", "d2", "d3"], "success": True}, 1), {"top-k-exceeded": "reject"}),
        (
            case(5, {"document_ids": [], "success": False}, 3, "The retrieved document confirms high tide at noon."),
            {"answer-cites-failed-call": "hold"},
        ),
    ],
)
def test_evidence_of_tools(value: dict[str, Any], expected: dict[str, str]) -> None:
    assert {finding.code: finding.severity.value for finding in findings(value)} == expected


@pytest.mark.parametrize("task_id", ["=1+1", "@SUM(1)", "-2+3"])
def test_ids_like_formulas_are_legal(task_id: str, compiled: Compiled) -> None:
    value = record(step(1, "doc-a", task_id), task_id=task_id)
    assert check(value, compiled, 9) == ()
    assert found(value) == []


# any record


IDS = st.sampled_from(["doc-a", "doc-b", "doc-1", "d1", "a", "17", "=1+1", "-", "[", "doc-a.", "ß-1", "\u200b"])
PLAIN_WORDS = ("the", "retrieved", "document", "confirms", "not", "search", "results", "source", "e.g.", "İ")
MARKS = ("[", "]", "(doc:", ")", ".", "\n", "```", '"', "“", "-")
WORDS = st.sampled_from(PLAIN_WORDS + MARKS) | IDS
PROSE = st.lists(WORDS, min_size=1, max_size=24).map(" ".join) | st.text(min_size=1, max_size=80)
STEPS = st.builds(
    lambda number, ids, success, query, top_k: step(number, *ids, success=success, query=query, top_k=top_k),
    st.integers(0, 12),
    st.lists(IDS, max_size=4, unique=True),
    st.booleans(),
    PROSE,
    st.integers(1, 4) | st.sampled_from([1.0, 2.0]),
)
RECORDS = st.builds(
    lambda steps, prompt, answer: record(*steps, prompt=prompt, final_answer=answer),
    st.lists(STEPS, min_size=1, max_size=4),
    PROSE,
    PROSE,
)


@settings(deadline=None, max_examples=400)
@given(RECORDS)
def test_any_valid_record_can_be_judged(value: dict[str, Any]) -> None:
    for finding in findings(value):
        assert len(finding.message) <= 140
        assert finding.message.isprintable()
        at: Any = value
        for part in finding.pointer.split("/")[1:]:
            at = at[int(part)] if isinstance(at, list) else at[part]


# the table


def test_every_row_of_the_modules_belongs_to_a_rule() -> None:
    rows = {code for rule in agent_trace.RULES for code in rule.codes}
    assert rows == {*tool_trace.CODES, *answer_evidence.CODES, *text.CODES}
    assert {row.stage for row in rows} == {Stage.RULES}
    assert len({row.code for row in rows}) == len(rows) == 8
