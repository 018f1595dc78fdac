from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import schemas
from transforms.records import Finding
from transforms.schema_engines.messages import quoted
from transforms.structure import Compiled, check, compile_validator, declared_version, engine_versions
from transforms.terms import Validator

ENGINES = ("jsonschema-rs", "jsonschema")
PAIRWISE = Path(schemas.__file__).parent / "records" / "pairwise-v2"
SCHEMA = json.loads((PAIRWISE / "schema.json").read_text())
MANY = 1000

each_engine = pytest.mark.parametrize("engine", ENGINES)


def found(engine: str, schema: Any, value: Any, bound: int = MANY, **more: Any) -> tuple[Finding, ...]:
    return check(value, compile_validator(schema, Validator(engine, assert_formats=True), **more), bound)


def record(name: str = "accept/prefers-a.json", **changes: Any) -> dict[str, Any]:
    return {**json.loads((PAIRWISE / name).read_text()), **changes}


@each_engine
def test_formats_are_annotations_unless_asserted(engine: str) -> None:
    compiled = compile_validator({"format": "date"}, Validator(engine, assert_formats=False))
    assert check("yesterday", compiled, MANY) == ()  # type: ignore[arg-type]


@each_engine
def test_references_lead_into_registered_schemas(engine: str) -> None:
    # Its `$schema` and its own `$defs` are those of another document.
    shared = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:example:shared",
        "$defs": {"name": {"type": "string", "pattern": "^a$"}},
        "properties": {"name": {"$ref": "#/$defs/name"}},
        "required": ["name"],
    }
    schema = {"$id": "urn:example:record", "items": {"$ref": "urn:example:shared"}}
    assert found(engine, schema, [{"name": "a\n"}, {}], registered={"urn:example:shared": shared}) == (
        Finding(
            "schema/pattern",
            "must match the pattern '^a$'",
            "/0/name",
            "/items/$ref/properties/name/$ref/pattern",
        ),
        Finding("schema/required", "is missing 'name'", "/1", "/items/$ref/required"),
    )


@pytest.mark.parametrize("reference", ["http://127.0.0.1:9/remote.json", "file:///etc/hostname", "#/$defs/missing"])
def test_a_schema_that_does_not_compile(reference: str) -> None:
    with pytest.raises(ValueError, match=r"does not compile|not present"):
        compile_validator({"$ref": reference}, Validator("jsonschema-rs"))


def test_an_unknown_engine() -> None:
    with pytest.raises(ValueError, match="unknown JSON Schema engine 'ajv'"):
        compile_validator({}, Validator("ajv"))


@each_engine
def test_a_deep_record_against_a_recursive_schema(engine: str) -> None:
    value: Any = "x"
    for _ in range(200):
        value = [value]
    schema = {"type": "array", "items": {"allOf": [{"anyOf": [{"type": "string"}, {"$ref": "#"}]}]}}
    assert found(engine, schema, value) == ()
    assert len(found(engine, {**schema, "type": ["array", "null"], "maxItems": 0}, value)) == 2


# Vacuous conditionals


@each_engine
def test_a_missing_preference_is_one_finding(engine: str) -> None:
    value = record("reject/missing-preference.json")
    assert value["golden_patch"] is None
    assert found(engine, SCHEMA, value) == (Finding("schema/required", "is missing 'preference'", "", "/required"),)


KIND_A = {"properties": {"kind": {"const": "a"}}}
NEEDS_X = {"required": ["x"]}


@each_engine
@pytest.mark.parametrize(
    ("schema", "value", "messages"),
    [
        # Nothing else says that `kind` is missing: the conditional's word stands.
        ({"if": KIND_A, "then": NEEDS_X}, {}, ["is missing 'x'"]),
        ({"if": KIND_A, "then": NEEDS_X, "required": ["kind"]}, {}, ["is missing 'kind'"]),
        ({"if": KIND_A, "then": NEEDS_X, "required": ["kind"]}, {"kind": "a"}, ["is missing 'x'"]),
        # `if` is false for want of `kind`, so `else` speaks.
        ({"if": {"required": ["kind"]}, "else": NEEDS_X, "required": ["kind"]}, {}, ["is missing 'kind'"]),
        # The missing property is not one that the `if` reads.
        ({"if": KIND_A, "then": NEEDS_X, "required": ["y"]}, {}, ["is missing 'y'", "is missing 'x'"]),
        # It is missing from another object.
        (
            {"items": {"if": KIND_A, "then": NEEDS_X}, "contains": True, "prefixItems": [{"required": ["kind"]}, True]},
            [{}, {"kind": "a", "x": 1}, {}],
            ["is missing 'kind'", "is missing 'x'"],
        ),
        # Through a reference in the `if`, and with the error deep below the `then`.
        (
            {
                "properties": {
                    "q": {
                        "if": {"allOf": [{"$ref": "#/$defs/a"}]},
                        "then": {"properties": {"r": {"items": {"type": "string"}}}},
                        "required": ["kind"],
                    }
                },
                "$defs": {"a": KIND_A},
            },
            {"q": {"r": [1]}},
            ["is missing 'kind'"],
        ),
        # Each is only missing because the other is: neither may hide the other.
        (
            {
                "allOf": [
                    {"if": {"properties": {"a": True}}, "then": {"required": ["b"]}},
                    {"if": {"properties": {"b": True}}, "then": {"required": ["a"]}},
                ]
            },
            {},
            ["is missing 'b'", "is missing 'a'"],
        ),
    ],
)
def test_vacuous_conditionals(engine: str, schema: Any, value: Any, messages: list[str]) -> None:
    assert [finding.message for finding in found(engine, schema, value)] == messages


# Bounds, and what messages may hold


@each_engine
def test_the_last_finding_counts_those_left_out(engine: str) -> None:
    findings = found(engine, {"items": {"type": "string"}}, [1, 2, 3, 4, 5], bound=3)
    assert [(each.pointer, each.message) for each in findings] == [
        ("/0", "must be of type string"),
        ("/1", "must be of type string"),
        ("/2", "must be of type string (2 further findings left out)"),
    ]


@each_engine
def test_a_very_large_record_is_listed_in_part(engine: str) -> None:
    schema = {"properties": {"n": {"items": {"type": "string"}}}}
    findings = found(engine, schema, {"n": [1] * 60_000}, bound=2)
    assert [(each.pointer, each.message) for each in findings] == [
        ("/n/0", "must be of type string"),
        ("/n/1", "must be of type string (9998 or more further findings left out)"),
    ]


@each_engine
def test_messages_hold_no_content_but_few_short_names(engine: str) -> None:
    secret = "SECRET" * 100
    schema = {
        "properties": {
            name: keyword
            for name, keyword in {
                "const": {"const": 1},
                "enum": {"enum": ["a"]},
                "format": {"format": "date"},
                "items": {"uniqueItems": True, "maxItems": 1, "contains": {"type": "null"}},
                "length": {"maxLength": 1},
                "not": {"not": {"type": "string"}},
                "one": {"oneOf": [{"type": "null"}, {"const": 2}]},
                "pattern": {"pattern": "^$"},
                "type": {"type": "integer"},
            }.items()
        },
        "maxProperties": 1,
    }
    value: Any = {name: secret for name in schema["properties"]}  # type: ignore[attr-defined]
    value["items"] = [secret, secret]
    findings = found(engine, schema, value)
    assert len(findings) == 12
    assert not [each for each in findings if "SECRET" in each.message + each.pointer + str(each.schema_pointer)]


@each_engine
def test_unexpected_names_are_cut_and_escaped(engine: str) -> None:
    names = ["a\n\x1b[31m", "b" * 10_000, "c'\u202e", "d", "e"]
    (finding,) = found(engine, {"additionalProperties": False}, dict.fromkeys(names, 1))
    assert finding.message == (
        rf"has unexpected properties: 'a\n\x1b[31m', '{'b' * 40}'…, " + r'"c' + r"'\u202e" + '" and 2 more'
    )


@each_engine
def test_pointers_are_bounded(engine: str) -> None:
    schema = {"additionalProperties": {"additionalProperties": {"type": "null"}}}
    (finding,) = found(engine, schema, {"a": {"b" * 10_000: 1}})
    assert finding.pointer == "/a"


@pytest.mark.parametrize(
    ("value", "text"),
    [("a'b", '"a\'b"'), ("é\x00", "'é\\x00'"), (None, "null"), (True, "true"), (1.5, "1.5"), ({"a": []}, '{"a": []}')],
)
def test_quoted(value: Any, text: str) -> None:
    assert quoted(value) == text


# The declared version


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"v": "b-1"}, "b-1"),
        ({}, Finding("missing-schema-version", "is missing 'v'; the campaign lists 'a-1', 'b-1'")),
        (
            {"v": "c-1"},
            Finding("unsupported-schema-version", "declares 'c-1'; the campaign lists 'a-1', 'b-1'", "/v"),
        ),
        (
            {"v": "c" * 9000},
            Finding("unsupported-schema-version", f"declares '{'c' * 40}'…; the campaign lists 'a-1', 'b-1'", "/v"),
        ),
        (
            {"v": ["b-1"]},
            Finding("unsupported-schema-version", "declares no string; the campaign lists 'a-1', 'b-1'", "/v"),
        ),
        (
            {"v": None},
            Finding("unsupported-schema-version", "declares no string; the campaign lists 'a-1', 'b-1'", "/v"),
        ),
    ],
)
def test_declared_version(value: Any, expected: str | Finding) -> None:
    assert declared_version(value, "v", {"b-1", "a-1"}) == expected


def test_a_kind_without_a_version_field_takes_the_only_version() -> None:
    assert declared_version({}, None, {"qa-1": object()}) == "qa-1"
    with pytest.raises(ValueError, match="takes one version, not 2"):
        declared_version({}, None, {"qa-1", "qa-2"})


# The fixtures of pairwise-v2; those with a code of another stage are judged by the whole pipeline

EXPECTED: dict[str, list[str]] = json.loads((PAIRWISE / "reject" / "index.json").read_text())
BY_STRUCTURE = sorted(name for name, codes in EXPECTED.items() if all(code.startswith("schema/") for code in codes))


@pytest.fixture(scope="module", params=ENGINES)
def pairwise(request: pytest.FixtureRequest) -> Compiled:
    return compile_validator(SCHEMA, Validator(request.param))


@pytest.mark.parametrize("path", sorted((PAIRWISE / "accept").iterdir()), ids=lambda path: path.name)
def test_accepted_fixtures(path: Path, pairwise: Compiled) -> None:
    assert check(json.loads(path.read_text()), pairwise, MANY) == ()


@pytest.mark.parametrize("name", BY_STRUCTURE)
def test_rejected_fixtures(name: str, pairwise: Compiled) -> None:
    findings = check(json.loads((PAIRWISE / "reject" / name).read_text()), pairwise, MANY)
    assert sorted({finding.code for finding in findings}) == EXPECTED[name]


@pytest.mark.parametrize("code", ["missing-schema-version", "unsupported-schema-version"])
def test_rejected_fixtures_by_version(code: str) -> None:
    names = [name for name, codes in EXPECTED.items() if codes == [code]]
    assert names
    for name in names:
        finding = declared_version(record(f"reject/{name}"), "schema_version", {"pairwise-v2"})
        assert isinstance(finding, Finding)
        assert finding.code == code


def test_every_rejected_fixture_is_listed() -> None:
    files = {path.name for path in (PAIRWISE / "reject").iterdir()} - {"index.json"}
    assert files == EXPECTED.keys()


def test_engine_versions() -> None:
    assert sorted(engine_versions()) == ["jsonschema", "jsonschema-rs"]
