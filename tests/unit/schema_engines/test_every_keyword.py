"""What each keyword of JSON Schema says of a value that breaks it, the same by both engines."""

from __future__ import annotations

import json
from typing import Any

import pytest

from transforms.records import Finding
from transforms.structure import CODES, check, compile_validator
from transforms.terms import Validator

# schema, value, then for each finding: keyword, instance pointer, schema pointer, message
Row = tuple[str, str, str, str]
CASES: list[tuple[Any, Any, list[Row]]] = [
    ({"type": "integer"}, 4.5, [("type", "", "/type", "must be of type integer")]),
    ({"type": ["string", "null"]}, True, [("type", "", "/type", "must be of type string or null")]),
    ({"type": "integer"}, True, [("type", "", "/type", "must be of type integer")]),
    ({"type": "integer"}, 5.0, []),
    ({"enum": ["A", None, 1]}, True, [("enum", "", "/enum", "must be one of 'A', null, 1")]),
    ({"enum": [1.0]}, 1, []),
    ({"enum": list(range(20))}, 99, [("enum", "", "/enum", "must be one of 0, 1, 2, 3, 4, 5, 6, 7 and 12 more")]),
    ({"const": "x" * 50}, 1, [("const", "", "/const", f"must be '{'x' * 40}'…")]),
    ({"const": [1]}, [True], [("const", "", "/const", "must be [1]")]),
    ({"multipleOf": 0.01}, 19.99, []),
    ({"multipleOf": 0.01}, 19.991, [("multipleOf", "", "/multipleOf", "must be a multiple of 0.01")]),
    ({"multipleOf": 1e-8}, 12391239123, []),
    ({"maximum": 5}, 6, [("maximum", "", "/maximum", "must be at most 5")]),
    ({"exclusiveMaximum": 1}, 1, [("exclusiveMaximum", "", "/exclusiveMaximum", "must be less than 1")]),
    ({"minimum": 1.5}, 1, [("minimum", "", "/minimum", "must be at least 1.5")]),
    ({"exclusiveMinimum": 0}, 0, [("exclusiveMinimum", "", "/exclusiveMinimum", "must be greater than 0")]),
    ({"maxLength": 1}, "👍🏽", [("maxLength", "", "/maxLength", "must have at most 1 character")]),
    ({"maxLength": 1}, "👍", []),
    ({"minLength": 15}, "short", [("minLength", "", "/minLength", "must have at least 15 characters")]),
    ({"pattern": "^a$"}, "a\n", [("pattern", "", "/pattern", "must match the pattern '^a$'")]),
    ({"pattern": r"^\d$"}, "٣", [("pattern", "", "/pattern", r"must match the pattern '^\\d$'")]),
    ({"pattern": r"^\w$"}, "é", [("pattern", "", "/pattern", r"must match the pattern '^\\w$'")]),
    ({"pattern": "^(a+)+$"}, "a" * 5000 + "b", [("pattern", "", "/pattern", "must match the pattern '^(a+)+$'")]),
    ({"patternProperties": {"^a$": False}}, {"a\n": 1}, []),
    ({"maxItems": 1}, [1, 2], [("maxItems", "", "/maxItems", "must have at most 1 item")]),
    ({"minItems": 2}, [], [("minItems", "", "/minItems", "must have at least 2 items")]),
    ({"uniqueItems": True}, [1, 1.0], [("uniqueItems", "", "/uniqueItems", "must not have two equal items")]),
    ({"uniqueItems": True}, [1, True, 0, False, "1", [1], [True], {"a": 1}, {"a": True}], []),
    (
        {"uniqueItems": True},
        [{"a": [1], "b": 2}, {"b": 2.0, "a": [1.0]}],
        [("uniqueItems", "", "/uniqueItems", "must not have two equal items")],
    ),
    (
        {"contains": {"type": "string"}},
        [1, 2],
        [("contains", "", "/contains", "must have at least 1 of the items that its schema asks for")],
    ),
    (
        {"contains": {"type": "string"}, "minContains": 2},
        ["a", 2],
        [("contains", "", "/contains", "must have at least 2 of the items that its schema asks for")],
    ),
    (
        {"contains": {"type": "string"}, "minContains": 0, "maxContains": 1},
        ["a", "b"],
        [("contains", "", "/contains", "must have from 0 to 1 of the items that its schema asks for")],
    ),
    ({"maxProperties": 1}, {"a": 1, "b": 2}, [("maxProperties", "", "/maxProperties", "must have at most 1 property")]),
    ({"minProperties": 2}, {}, [("minProperties", "", "/minProperties", "must have at least 2 properties")]),
    (
        {"properties": {"q": {"required": ["a", "b"]}}},
        {"q": {"c": 1}},
        [
            ("required", "/q", "/properties/q/required", "is missing 'a'"),
            ("required", "/q", "/properties/q/required", "is missing 'b'"),
        ],
    ),
    (
        {"dependentRequired": {"a": ["b"], "c": ["b"]}},
        {"a": 1, "c": 1},
        [("dependentRequired", "", "/dependentRequired", "is missing 'b', which another property asks for")],
    ),
    (
        {"dependentSchemas": {"a": {"required": ["b"]}}},
        {"a": 1},
        [("required", "", "/dependentSchemas/a/required", "is missing 'b'")],
    ),
    (
        {"items": {"properties": {"a": True}, "additionalProperties": False}},
        [{"z": 1, "y": 2, "x": 3, "w": 4, "a": 5}],
        [
            (
                "additionalProperties",
                "/0",
                "/items/additionalProperties",
                "has unexpected properties: 'w', 'x', 'y' and 1 more",
            )
        ],
    ),
    (
        {"additionalProperties": False},
        {"b": 1, "a": 1},
        [("additionalProperties", "", "/additionalProperties", "has unexpected properties: 'a', 'b'")],
    ),
    (
        {"properties": {}, "additionalProperties": False, "required": ["a"]},
        {"a": 1},
        [("additionalProperties", "", "/additionalProperties", "has unexpected properties: 'a'")],
    ),
    (
        {"additionalProperties": {"type": "string"}},
        {"a/b~c": 1},
        [("type", "/a~1b~0c", "/additionalProperties/type", "must be of type string")],
    ),
    (
        {"anyOf": [{"properties": {"a": True}}, False], "unevaluatedProperties": False},
        {"a": 1, "b": 2},
        [
            (
                "unevaluatedProperties",
                "",
                "/unevaluatedProperties",
                "has properties that no part of its schema allows: 'b'",
            )
        ],
    ),
    (
        {"prefixItems": [True], "unevaluatedItems": False},
        [1, 2, 3],
        [("unevaluatedItems", "", "/unevaluatedItems", "has items that no part of its schema allows")],
    ),
    (
        {"propertyNames": {"maxLength": 1}},
        {"bb": 1, "aa": 2, "c": 3},
        [("propertyNames", "", "/propertyNames", "has property names that are not allowed: 'aa', 'bb'")],
    ),
    (
        {"propertyNames": {"$ref": "#/$defs/name"}, "$defs": {"name": {"maxLength": 1}}},
        {"bb": 1},
        [("propertyNames", "", "/propertyNames", "has property names that are not allowed: 'bb'")],
    ),
    (
        {"propertyNames": False},
        {"bb": 1},
        [("propertyNames", "", "/propertyNames", "has property names that are not allowed: 'bb'")],
    ),
    (
        {"prefixItems": [True, False], "items": False},
        [1, 2, 3, 4],
        [
            ("items", "", "/items", "must have at most 2 items"),
            ("false", "/1", "/prefixItems/1", "is not allowed here"),
        ],
    ),
    ({"not": {"type": "null"}}, None, [("not", "", "/not", "must not match the schema under 'not'")]),
    (
        {"anyOf": [{"required": ["a"]}, {"type": "null"}]},
        {},
        [("anyOf", "", "/anyOf", "must match at least one of 2 alternatives")],
    ),
    (
        {"oneOf": [{"type": "integer"}, {"minimum": 0}]},
        1,
        [("oneOf", "", "/oneOf", "must match exactly one of 2 alternatives")],
    ),
    (
        {"allOf": [{"type": "string"}, {"minimum": 2}]},
        1,
        [
            ("type", "", "/allOf/0/type", "must be of type string"),
            ("minimum", "", "/allOf/1/minimum", "must be at least 2"),
        ],
    ),
    ({"format": "date"}, "2023-02-29", [("format", "", "/format", "must have the format 'date'")]),
    ({"format": "unheard-of"}, "x", []),
    (False, 1, [("false", "", "", "is not allowed here")]),
    ({"properties": {"items": False}}, {"items": 1}, [("false", "/items", "/properties/items", "is not allowed here")]),
    ({"if": {"const": 1}, "then": False}, 1, [("false", "", "/then", "is not allowed here")]),
    ({"$ref": "#/$defs/no", "$defs": {"no": False}}, 1, [("false", "", "/$ref", "is not allowed here")]),
    (
        {"properties": {"a": {"$ref": "#item"}}, "$defs": {"x": {"$anchor": "item", "type": "string"}}},
        {"a": 1},
        [("type", "/a", "/properties/a/$ref/type", "must be of type string")],
    ),
    (
        {"items": {"$dynamicRef": "#node"}, "$defs": {"x": {"$dynamicAnchor": "node", "type": "string"}}},
        [1],
        [("type", "/0", "/items/$dynamicRef/type", "must be of type string")],
    ),
    ({"properties": {"": {"type": "null"}}}, {"": 1}, [("type", "/", "/properties//type", "must be of type null")]),
    ({"contentEncoding": "base64", "contentMediaType": "application/json"}, "!", []),
]


@pytest.mark.parametrize("engine", ["jsonschema-rs", "jsonschema"])
@pytest.mark.parametrize(("schema", "value", "rows"), CASES, ids=lambda each: json.dumps(each)[:50])
def test_each_keyword(engine: str, schema: Any, value: Any, rows: list[Row]) -> None:
    expected = tuple(
        Finding(f"schema/{keyword}", message, where, schema_where) for keyword, where, schema_where, message in rows
    )
    compiled = compile_validator(schema, Validator(engine, assert_formats=True))
    assert check(value, compiled, max_findings=100) == expected


def test_every_code_is_produced_by_some_case() -> None:
    produced = {f"schema/{row[0]}" for _, _, rows in CASES for row in rows}
    assert {code.code for code in CODES} == produced | {"missing-schema-version", "unsupported-schema-version"}
