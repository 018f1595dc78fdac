from __future__ import annotations

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
