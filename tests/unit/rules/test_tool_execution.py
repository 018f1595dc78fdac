from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

import schemas
from transforms.parsing.json_strict import parse
from transforms.records import Finding, Severity, Stage
from transforms.rules.rule import RuleContext, apply
from transforms.rules.tool_execution import JOIN_CODES, RULES, Call, logged_call, returned_documents, trace_calls
from transforms.structure import Compiled, check, compile_validator, declared_version
from transforms.terms import Validator

KIND = "tool-execution-v1"
FOLDER = schemas.schema_path("records", KIND).parent
EXPECTED: dict[str, list[str]] = json.loads((FOLDER / "reject" / "index.json").read_text(encoding="utf-8"))

ARGUMENTS = {"query": "tide tables", "top_k": 3}
ARGUMENTS_DIGEST = hashlib.sha256(b'{"query":"tide tables","top_k":3}').digest()
RESULT_DIGEST = hashlib.sha256(b'{"document_ids":["doc-b","doc-a"],"success":true}').digest()
NO_RESULT_DIGEST = hashlib.sha256(b'{"document_ids":[],"success":false}').digest()


def log(**changes: Any) -> dict[str, Any]:
    value = {
        "schema_version": KIND,
        "task_id": "t-1",
        "call_id": "call-1",
        "tool": "retrieve_documents",
        "arguments": ARGUMENTS,
        "result": {"success": True, "document_ids": ["doc-b", "doc-a"]},
        "server_latency_ms": 31,
        "order": 4,
    }
    return value | changes


V1 = {
    "task_id": "t-1",
    "prompt": "When is high tide?",
    "steps": [
        {
            "call_id": "call-1",
            "tool": "retrieve_documents",
            "arguments": ARGUMENTS,
            "result": {"document_ids": ["doc-b", "doc-a"], "success": True},
            "latency_ms": 38,
        },
        {
            "call_id": "call-2",
            "tool": "retrieve_documents",
            "arguments": {"top_k": 3.0, "query": "tide tables"},
            "result": {"document_ids": [], "success": False},
            "latency_ms": 12.0,
        },
    ],
    "final_answer": "At noon.",
}


def _v2() -> dict[str, Any]:
    """The same calls in the other form."""
    evidence = [{"document_id": name, "sha256": "0a" * 32} for name in ("doc-b", "doc-a")]
    call = {"type": "call", "tool": "retrieve_documents", "schema_version": "1", "arguments": ARGUMENTS}
    failed = {"type": "result", "call_id": "call-2", "success": False, "evidence": [], "latency_ms": 12}
    found = {"type": "result", "call_id": "call-1", "success": True, "evidence": evidence, "latency_ms": 38}
    said = [{"type": "message", "role": role, "content": "Noon?"} for role in ("user", "assistant")]
    events = [said[0], call | {"call_id": "call-1"}, call | {"call_id": "call-2"}, failed, found, said[1]]
    return {"schema_version": "agent-trace-v2", "rubric_version": "r-1", "task_id": "t-1", "events": events}


V2 = _v2()


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
    of = check(parsed.value, compiled, 99) or apply(RULES, parsed.value, RuleContext())
    return sorted({finding.code for finding in of})


@pytest.mark.parametrize("path", sorted((FOLDER / "accept").iterdir()), ids=lambda path: path.name)
def test_accepted_fixtures(path: Path, compiled: Compiled) -> None:
    assert judged(path, compiled) == []
    assert logged_call(json.loads(path.read_bytes())).call_id == "call-1"


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_rejected_fixtures(name: str, compiled: Compiled) -> None:
    assert judged(FOLDER / "reject" / name, compiled) == EXPECTED[name]


def test_every_rejected_fixture_is_listed() -> None:
    assert {path.name for path in (FOLDER / "reject").iterdir()} - {"index.json"} == EXPECTED.keys()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({"arguments_sha256": "0a" * 32}, "/arguments_sha256 is not allowed here"), ({}, None)],
)
def test_arguments_stand_once(changes: dict[str, Any], expected: str | None, compiled: Compiled) -> None:
    broken = check(log(**changes), compiled, 9)
    assert [f"{finding.pointer} {finding.message}" for finding in broken] == ([expected] if expected else [])
    without = {name: value for name, value in log().items() if name != "arguments"}
    assert [finding.message for finding in check(without, compiled, 9)] == ["is missing 'arguments_sha256'"]
    assert check(without | {"arguments_sha256": "0a" * 32}, compiled, 9) == ()


# what is compared


def test_a_logged_call() -> None:
    expected = Call("t-1", "call-1", "retrieve_documents", ARGUMENTS_DIGEST, RESULT_DIGEST, 31, 4)
    assert logged_call(log()) == logged_call(log(), plain=True) == expected
    value = log(arguments_sha256=ARGUMENTS_DIGEST.hex())
    del value["arguments"]
    assert logged_call(value) == expected


@pytest.mark.parametrize("trace", [V1, V2])
def test_the_calls_of_a_trace(trace: dict[str, Any]) -> None:
    first = Call("t-1", "call-1", "retrieve_documents", ARGUMENTS_DIGEST, RESULT_DIGEST, 38, None)
    second = Call("t-1", "call-2", "retrieve_documents", ARGUMENTS_DIGEST, NO_RESULT_DIGEST, 12, None)
    assert trace_calls(trace) == (first, second)
    assert replace(first, latency_ms=31, order=4) == logged_call(log())


def test_both_forms_of_a_trace_compare_alike() -> None:
    assert trace_calls(V1) == trace_calls(V2) == trace_calls(V2, plain=True)


@pytest.mark.parametrize(
    "changes",
    [
        {"arguments": ARGUMENTS | {"top_k": 4}},
        {"arguments": {}},
        {"result": {"success": True, "document_ids": ["doc-a", "doc-b"]}},  # in another order
        {"result": {"success": True, "document_ids": ["doc-b"]}},
        {"result": {"success": False, "document_ids": ["doc-b", "doc-a"]}},
        {"tool": "read_gauge"},
    ],
)
def test_what_differs_in_the_log_shows(changes: dict[str, Any]) -> None:
    same, other = logged_call(log()), logged_call(log(**changes))
    assert (same.tool, same.arguments, same.result) != (other.tool, other.arguments, other.result)


def test_spelling_does_not_matter() -> None:
    respelt = json.loads('{"top_k": 3.0, "qu\\u0065ry": "tide tables"}')
    assert logged_call(log(arguments=respelt)).arguments == ARGUMENTS_DIGEST


def test_a_trace_without_calls() -> None:
    assert trace_calls({"task_id": "t-1", "events": [V2["events"][0]]}) == ()
    assert returned_documents({"task_id": "t-1", "events": [V2["events"][0]]}) == ()


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(TEXT, JSON, max_size=4), st.lists(TEXT, max_size=4), st.booleans())
def test_digests_are_of_the_canonical_form(arguments: dict[str, Any], document_ids: list[str], success: bool) -> None:
    result: dict[str, Any] = {"success": success, "document_ids": document_ids}
    call = logged_call(log(arguments=arguments, result=result))
    assert call.arguments == hashlib.sha256(rfc8785.dumps(arguments)).digest()
    assert call.result == hashlib.sha256(rfc8785.dumps(result)).digest()


# documents


def test_returned_documents_with_their_places() -> None:
    assert returned_documents(V1) == (
        ("/steps/0/result/document_ids/0", "doc-b"),
        ("/steps/0/result/document_ids/1", "doc-a"),
    )
    assert returned_documents(V2) == (
        ("/events/4/evidence/0/document_id", "doc-b"),
        ("/events/4/evidence/1/document_id", "doc-a"),
    )


# the table


def test_a_fact_has_no_rules_and_the_comparison_four_codes() -> None:
    assert RULES == ()
    assert {(code.code, code.severity) for code in JOIN_CODES} == {
        ("unlogged-call", Severity.REJECT),
        ("log-mismatch", Severity.REJECT),
        ("missing-call", Severity.REJECT),
        ("latency-mismatch", Severity.WARN),
    }
    assert {code.stage for code in JOIN_CODES} == {Stage.JOINS}
