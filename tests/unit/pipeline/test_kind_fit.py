from __future__ import annotations

import json
from typing import Any

import pytest

import schemas
from pipeline.kind_fit import misfits

SHIPPED: dict[str, Any] = {
    "type": "object",
    "required": ["id", "score"],
    "properties": {
        "id": {"type": "string"},
        "score": {"type": "number"},
        "verdict": {"enum": ["A", "B", None]},
        "messages": {"type": "array", "items": {"type": "object", "required": ["role"]}},
    },
}


def own(**changes: Any) -> dict[str, Any]:
    return {**SHIPPED, "properties": {**SHIPPED["properties"], **changes}}


def test_a_schema_fits_itself() -> None:
    assert list(misfits(SHIPPED, SHIPPED)) == []
    pairwise = schemas.load_schema("records", "pairwise-v2")
    assert list(misfits(pairwise, pairwise)) == []


@pytest.mark.parametrize(
    "schema",
    [
        own(extra={"type": "object"}),
        own(score={"type": "integer"}),
        own(score={"type": ["integer", "number"]}),
        own(score={"enum": [1, 2.5]}),
        own(score={"const": 3}),
        own(verdict={"const": "A"}),
        own(verdict={"type": ["string", "null"]}),
        own(id={"type": "string", "maxLength": 3}),
        {**SHIPPED, "required": ["id", "score", "verdict"]},
    ],
)
def test_a_schema_may_say_more(schema: dict[str, Any]) -> None:
    assert list(misfits(schema, SHIPPED)) == []


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (True, "the record has no schema of its own"),
        ({}, "the record must be of type object, stated by `type`, `enum` or `const`"),
        (
            {**SHIPPED, "type": ["object", "array"]},
            "the record must be of type object, stated by `type`, `enum` or `const`",
        ),
        ({**SHIPPED, "required": ["id"]}, "the record must require 'score'"),
        (own(score={}), "score must be of type number, stated by `type`, `enum` or `const`"),
        (own(score={"type": ["number", "null"]}), "score must be of type number, stated by `type`, `enum` or `const`"),
        (own(score={"enum": [1, True]}), "score must be of type number, stated by `type`, `enum` or `const`"),
        (own(id={"$ref": "#/$defs/id"}), "id must be of type string, stated by `type`, `enum` or `const`"),
        (own(id=False), "id has no schema of its own"),
        (own(messages={"type": "array"}), "messages[] has no schema of its own"),
        (own(messages={"type": "array", "items": {"type": "object"}}), "messages[] must require 'role'"),
    ],
)
def test_a_schema_that_promises_less(schema: Any, said: str) -> None:
    assert list(misfits(schema, SHIPPED)) == [said]


def test_all_misfits_are_told() -> None:
    schema = {"type": "object", "properties": {"id": {"type": "integer"}}}
    assert list(misfits(schema, SHIPPED)) == [
        "the record must require 'id'",
        "the record must require 'score'",
        "id must be of type string, stated by `type`, `enum` or `const`",
        "score has no schema of its own",
        "verdict has no schema of its own",
        "messages has no schema of its own",
    ]


@pytest.mark.parametrize(
    ("kind", "path", "keyword"),
    [
        ("pairwise-v2", ("messages",), "minItems"),
        ("grounded-qa-v1", ("citations", "items", "start"), "minimum"),
        ("grounded-qa-v1", ("citations", "items", "document_sha256"), "pattern"),
        ("agent-trace-v1", ("steps", "items", "call_id"), "pattern"),
        ("agent-trace-v1", ("steps", "items", "latency_ms"), "minimum"),
        ("agent-trace-v2", ("events",), "minItems"),
        ("tool-execution-v1", ("order",), "minimum"),
        ("assignment-v1", ("record_sha256",), "pattern"),
        ("input-task-v1", ("max_conversation_characters",), "maximum"),
    ],
)
def test_a_bound_that_rules_rely_on_must_stay(kind: str, path: tuple[str, ...], keyword: str) -> None:
    shipped = schemas.load_schema("records", kind)
    own = json.loads(json.dumps(shipped))
    place = own
    for step in path:
        place = place[step] if step == "items" else place["properties"][step]
    del place[keyword]
    (misfit,) = misfits(own, shipped)
    assert f"must keep `{keyword}`" in misfit


def test_an_open_schema_is_a_misfit() -> None:
    shipped = schemas.load_schema("records", "agent-trace-v2")
    assert list(misfits({**shipped, "additionalProperties": True}, shipped)) == [
        "the record must keep `additionalProperties` at least as strict as the shipped schema"
    ]


def test_a_list_that_rules_go_by_may_not_grow_but_domains_may() -> None:
    shipped = schemas.load_schema("records", "grounded-qa-v1")
    own = {**shipped, "properties": {**shipped["properties"], "domain": {"enum": ["general_rag", "legal_qa"]}}}
    assert list(misfits(own, shipped)) == []
    task = schemas.load_schema("records", "input-task-v1")
    kinds = {**task, "properties": {**task["properties"], "kind": {"enum": ["pairwise", "poetry"]}}}
    assert list(misfits(kinds, task)) == ["kind must list no other values than the shipped schema"]
