from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import schemas
from transforms.records import Finding, Severity
from transforms.schema_check import CODES, DRAFT, check_schema
from transforms.schema_engines.patterns import unsupported

DRAFT_7 = "http://json-schema.org/draft-07/schema#"
NEVER_ENDS = "its references lead back to it without going into the value: they never end"


def found(schema: Any, **more: Any) -> list[tuple[str, str, str]]:
    """Give (code, pointer, message) of each finding on a schema that declares the right draft."""
    findings = check_schema("s", {"$schema": DRAFT, **schema}, **more)
    assert {each.severity for each in findings} <= {Severity.CAMPAIGN}
    assert all(each.message.startswith("schema 's': ") for each in findings)
    return [(each.code, each.pointer, each.message.removeprefix("schema 's': ")) for each in findings]


@pytest.mark.parametrize(
    "path", sorted(Path(schemas.__file__).parent.rglob("schema.json")), ids=lambda p: p.parent.name
)
def test_our_own_schemas(path: Path) -> None:
    assert check_schema(path.parent.name, json.loads(path.read_text())) == ()


@pytest.mark.parametrize("schema", [True, 5, None, [], "{}"])
def test_no_object(schema: Any) -> None:
    assert check_schema("s", schema) == (
        Finding("invalid-schema", "schema 's': is no JSON object", severity=Severity.CAMPAIGN),
    )


@pytest.mark.parametrize("schema", [{}, {"$schema": DRAFT_7}, {"$schema": DRAFT + "#"}, {"$schema": None}])
def test_another_draft(schema: Any) -> None:
    message = f"schema 's': must be '{DRAFT}'"
    assert check_schema("s", schema) == (Finding("invalid-schema", message, "/$schema", severity=Severity.CAMPAIGN),)


@pytest.mark.parametrize(
    ("schema", "rows"),
    [
        ({"properties": {"a": 5}}, [("/properties/a", "must be of type object or boolean")]),
        (
            {"properties": {"a": {"maximum": "5", "required": "x"}}},
            [
                ("/properties/a/maximum", "must be of type number"),
                ("/properties/a/required", "must be of type array"),
            ],
        ),
        ({"type": "strin"}, [("/type", "must match at least one of 2 alternatives")]),
        ({"maxLength": -1}, [("/maxLength", "must be at least 0")]),
        ({"multipleOf": 0}, [("/multipleOf", "must be greater than 0")]),
        ({"items": [{}]}, [("/items", "must be of type object or boolean")]),
        ({"required": ["a", "a"]}, [("/required", "must not have two equal items")]),
        ({"$defs": {"a": {"$schema": DRAFT_7}}}, [("/$defs/a/$schema", "the draft cannot change inside a document")]),
        ({"$defs": {"a": {"$schema": DRAFT}}}, []),
        ({"additionalItems": False}, [("/additionalItems", "additionalItems is of an earlier draft: write items")]),
        (
            {"properties": {"dependencies": {"dependencies": {}}}},
            [
                (
                    "/properties/dependencies/dependencies",
                    "dependencies is of an earlier draft: write dependentRequired or dependentSchemas",
                )
            ],
        ),
        ({"$ref": "#"}, [("", NEVER_ENDS)]),
        (
            {"$defs": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}},
            [("/$defs/a", NEVER_ENDS), ("/$defs/a/anyOf/1", NEVER_ENDS), ("/$defs/b", NEVER_ENDS)],
        ),
        # A tree refers to itself for its children, which is not without end.
        ({"properties": {"children": {"items": {"$ref": "#"}}}}, []),
    ],
)
def test_invalid_schemas(schema: Any, rows: list[tuple[str, str]]) -> None:
    assert found(schema) == [("invalid-schema", *row) for row in rows]


@pytest.mark.parametrize(
    "reference",
    [
        "http://127.0.0.1:9/remote.json",
        "file:///etc/hostname",
        "other.json",
        "#/$defs/missing",
        "#missing",
        "#/title",
        "#/title/x",
        "#/allOf/x",
        "http://[bad",
        "urn:example:unregistered",
        DRAFT,
    ],
)
def test_references_that_lead_nowhere(reference: str) -> None:
    schema = {"title": "t", "allOf": [True], "properties": {"a/b": {"$ref": reference}}}
    message = f"'{reference}' leads to no schema in the document or registered beside it"
    assert found(schema) == [("unresolvable-reference", "/properties/a~1b/$ref", message)]


def test_a_dynamic_reference_that_leads_nowhere() -> None:
    message = "'#node' leads to no schema in the document or registered beside it"
    assert found({"items": {"$dynamicRef": "#node"}}) == [("unresolvable-reference", "/items/$dynamicRef", message)]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/a", "$defs": {"a": {}}},
        {"$ref": "#a", "$defs": {"x": {"$anchor": "a"}}},
        {"$dynamicRef": "#a", "$defs": {"x": {"$dynamicAnchor": "a"}}},
        {"$ref": "urn:example:inner", "$defs": {"x": {"$id": "urn:example:inner"}}},
        {"$defs": {"x": {"$id": "urn:example:inner", "$ref": "#/$defs/y", "$defs": {"y": True}}}},
        {"$id": "https://example.org/a/b", "$ref": "c", "$defs": {"x": {"$id": "https://example.org/a/c"}}},
        {"$ref": "urn:example:shared"},
        {"$ref": "urn:example:shared#/$defs/name"},
        # Not references at all.
        {"const": {"$ref": "#/nowhere"}, "properties": {"$ref": {"enum": [{"$ref": "urn:none"}]}}},
    ],
)
def test_references_that_resolve(schema: Any) -> None:
    shared = {"$schema": DRAFT, "$id": "urn:example:shared", "$defs": {"name": {"type": "string"}}}
    assert found(schema, registered={"urn:example:shared": shared}) == []


def test_patterns() -> None:
    schema = {"properties": {"a": {"pattern": "(?=b)"}}, "patternProperties": {r"(a)/\1": {}}}
    reason = "cannot be used: it is malformed, too large, or has a lookaround or backreference"
    assert found(schema) == [
        ("unsupported-pattern", r"/patternProperties/(a)~1\1", rf"pattern '(a)/\\1' {reason}"),
        ("unsupported-pattern", "/properties/a/pattern", f"pattern '(?=b)' {reason}"),
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        *("(?!a)", "(?<=a)b", r"(?<n>a)\k<n>", "[", "a{2", r"\Z", "(a{1000}){1000}", r"a\b", r"\Ba", r"\A"),
        *("(?i)a", "(?i:a)", "(?P<n>a)", "a++", "a{2}*", "a**", r"\<a"),
    ],
)
def test_unsupported_patterns(pattern: str) -> None:
    assert unsupported(pattern) is not None


@pytest.mark.parametrize(
    "pattern",
    ["^[a-zA-Z0-9_-]{1,64}$", "a+?b*?", "(?:a|b)", "(?<n>a)", r"\\b", r"[\]+*]+", "[*+]", r"\p{L}", r"\u0041\x41\cA\/"],
)
def test_supported_patterns(pattern: str) -> None:
    assert unsupported(pattern) is None


def test_codes() -> None:
    assert [code.code for code in CODES] == ["invalid-schema", "unresolvable-reference", "unsupported-pattern"]
