from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

import schemas
from pipeline.kind_fit import misfits
from transforms.kinds import KINDS
from transforms.schema_engines.applicators import subschemas

MESSAGE: dict[str, Any] = {"type": "object", "required": ["role"]}
SHIPPED: dict[str, Any] = {
    "type": "object",
    "required": ["id", "score"],
    "properties": {
        "id": {"type": "string"},
        "score": {"type": "number"},
        "verdict": {"enum": ["A", "B", None]},
        "messages": {"type": "array", "items": MESSAGE},
    },
}


UNTYPED = "must be of type object, stated by `type`, `enum` or `const`"


def own(**changes: Any) -> dict[str, Any]:
    return {**SHIPPED, "properties": {**SHIPPED["properties"], **changes}}


@pytest.mark.parametrize("kind", KINDS)
def test_a_shipped_schema_fits_itself(kind: str) -> None:
    shipped = schemas.load_schema("records", kind)
    assert list(misfits(shipped, shipped)) == []
    assert list(misfits(deepcopy(shipped), shipped)) == []


COMPARED = {"$defs", "properties", "items", "additionalProperties", "propertyNames", "allOf", "if", "then", "else"}
CONDITIONS = {"allOf", "if", "then", "else"}


def said(schema: Any) -> set[str]:
    """The keywords of a schema outside of conditions; those beside a reference are told as `$ref …`."""
    own = {f"$ref {keyword}" if "$ref" in schema else keyword for keyword in schema if keyword != "$ref"}
    inside = [part for path, part in subschemas(schema) if path[0] not in CONDITIONS and isinstance(part, dict)]
    return own.union(*map(said, inside))


def test_shipped_schemas_say_nothing_that_is_not_compared() -> None:
    bounds = {f"{end}{what}" for end in ("min", "max") for what in ("imum", "Length", "Items", "Properties")}
    bounds |= {"exclusiveMinimum", "exclusiveMaximum", "pattern", "const", "enum", "uniqueItems", "type", "required"}
    notes = {"$schema", "$id", "title", "description", "$ref description"}
    assert set().union(*(said(schemas.load_schema("records", kind)) for kind in KINDS)) <= COMPARED | bounds | notes


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
        {**SHIPPED, "additionalProperties": False},
        {**own(id={"$ref": "#/$defs/word"}), "$defs": {"word": {"type": "string"}}},
        {**own(id={"$ref": "#/$defs/word", "type": "string"}), "$defs": {"word": {"maxLength": 3}}},
        {**own(id={"$ref": "#/$defs/one"}), "$defs": {"one": {"$ref": "#/$defs/two"}, "two": {"const": "x"}}},
        {**own(id={"$ref": "#word"}), "$defs": {"word": {"$anchor": "word", "type": "string"}}},
        {"$ref": "#/$defs/record", "$defs": {"record": SHIPPED}},
        own(messages={"type": "array", "prefixItems": [MESSAGE], "items": False}),
        own(messages=False, verdict=False),
        {**own(messages={"$ref": "#/$defs/never"}), "$defs": {"never": False}},
    ],
)
def test_a_schema_may_say_more(schema: dict[str, Any]) -> None:
    assert list(misfits(schema, SHIPPED)) == []


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (True, "the record has no schema of its own"),
        ({}, "the record " + UNTYPED),
        (
            {**SHIPPED, "type": ["object", "array"]},
            "the record " + UNTYPED,
        ),
        ({**SHIPPED, "required": ["id"]}, "the record must require 'score'"),
        (own(score={}), "score must be of type number, stated by `type`, `enum` or `const`"),
        (own(score={"type": ["number", "null"]}), "score must be of type number, stated by `type`, `enum` or `const`"),
        (own(score={"enum": [1, True]}), "score must be of type number, stated by `type`, `enum` or `const`"),
        (own(id={"$ref": "#/$defs/id"}), "id has no schema of its own"),
        (own(id={"$ref": "urn:other"}), "id has no schema of its own"),
        (
            {
                **own(id={"$ref": "#/$defs/one"}),
                "$defs": {"one": {"$ref": "#/$defs/two"}, "two": {"$ref": "#/$defs/one"}},
            },
            "id has no schema of its own",
        ),
        ({"$ref": "#"}, "the record has no schema of its own"),
        (
            {**own(id={"$ref": "#/$defs/word"}), "$defs": {"word": {"type": "integer"}}},
            "id must be of type string, stated by `type`, `enum` or `const`",
        ),
        (own(messages={"type": "array", "prefixItems": [{}, MESSAGE], "items": MESSAGE}), "messages[] " + UNTYPED),
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
        ("mavai-baseline-1", ("confidenceLevel",), "exclusiveMinimum"),
        ("mavai-baseline-1", ("criteria",), "minProperties"),
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


def changed(schema: dict[str, Any], *path_and_new: Any) -> dict[str, Any]:
    *path, last, new = path_and_new
    copy = deepcopy(schema)
    place = copy
    for step in path:
        place = place[step]
    place[last] = new
    return copy


BASELINE = schemas.load_schema("records", "mavai-baseline-1")
CRITERION = ("$defs", "criterion")
PROFILE = ("properties", "covariateProfile")
TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (changed(BASELINE, *CRITERION, "required", ["mode", "successes"]), "criteria{} must require 'trials'"),
        (
            changed(BASELINE, *CRITERION, "properties", "successes", "minimum", -1),
            "criteria{}.successes must keep `minimum` at least as strict as the shipped schema",
        ),
        (
            changed(BASELINE, *CRITERION, "properties", "failureDistribution", "items", "properties", "count", {}),
            "criteria{}.failureDistribution[].count must be of type integer, stated by `type`, `enum` or `const`",
        ),
        (
            changed(BASELINE, *PROFILE, "additionalProperties", {"type": "number"}),
            "covariateProfile{} must be of type string, stated by `type`, `enum` or `const`",
        ),
        (changed(BASELINE, *PROFILE, "additionalProperties", True), "covariateProfile{} has no schema of its own"),
        (
            changed(BASELINE, *PROFILE, "properties", {"temperature": {"type": "number"}}),
            "covariateProfile.temperature must be of type string, stated by `type`, `enum` or `const`",
        ),
        (
            changed(BASELINE, *PROFILE, "patternProperties", {"^x-": {"type": "number"}}),
            "covariateProfile{} must be of type string, stated by `type`, `enum` or `const`",
        ),
        (
            changed(BASELINE, *PROFILE, "propertyNames", {"maxLength": 257}),
            "a name in covariateProfile must keep `maxLength` at least as strict as the shipped schema",
        ),
        (
            changed(BASELINE, *PROFILE, "propertyNames", True),
            "a name in covariateProfile has no schema of its own",
        ),
        (
            changed(BASELINE, *CRITERION, {"$ref": "#/$defs/criterion"}),
            "criteria{} has no schema of its own",
        ),
        (
            changed(BASELINE, "$defs", "deliveryCause", "enum", ["unreachable"]),
            "criteria{}.failureDistribution[] must keep the conditions that the shipped schema has under `allOf`",
        ),
        (
            changed(BASELINE, "properties", "latency", "properties", "basis", "const", "responded-samples"),
            "latency.basis must keep `const` at least as strict as the shipped schema",
        ),
        (changed(BASELINE, "properties", "execution", False), "execution has no schema of its own"),
    ],
)
def test_what_a_baseline_schema_no_longer_promises_is_told_by_its_place(schema: dict[str, Any], said: str) -> None:
    assert list(misfits(schema, BASELINE)) == [said]


@pytest.mark.parametrize(
    "schema",
    [
        changed(BASELINE, "properties", "schemaVersion", "const", "mavai-baseline-1-strict"),
        changed(BASELINE, "additionalProperties", False),
        changed(BASELINE, *CRITERION, "properties", "successes", "minimum", 1),
        changed(BASELINE, *PROFILE, "propertyNames", {"maxLength": 20, "pattern": "^[a-z]+$"}),
        changed(BASELINE, *PROFILE, "properties", {"region": {"enum": ["eu", "us"]}}),
        changed(changed(BASELINE, *PROFILE, "properties", {"region": TEXT}), *PROFILE, "additionalProperties", False),
        changed(BASELINE, "properties", "criteria", "additionalProperties", BASELINE["$defs"]["criterion"]),
        changed(BASELINE, "$defs", "deliveryCause", "description", "In other words."),
        changed(BASELINE, *CRITERION, "properties", "within", {"$ref": "#/$defs/criterion"}),
        changed(BASELINE, "properties", "latency", False),
        changed(BASELINE, *CRITERION, "properties", "standings", False),
        changed(BASELINE, "properties", "latency", "properties", "p99Ms", False),
    ],
)
def test_a_baseline_schema_may_say_more_or_say_it_elsewhere(schema: dict[str, Any]) -> None:
    assert list(misfits(schema, BASELINE)) == []


def test_a_reference_may_lead_to_a_registered_document() -> None:
    registered = {"urn:own:criterion": {"$id": "urn:own:criterion", **BASELINE["$defs"]["criterion"]}}
    registered["urn:own:criterion"]["$defs"] = {"deliveryCause": BASELINE["$defs"]["deliveryCause"]}
    schema = changed(BASELINE, "properties", "criteria", "additionalProperties", {"$ref": "urn:own:criterion"})
    assert list(misfits(schema, BASELINE, registered)) == []
    assert list(misfits(schema, BASELINE)) == ["criteria{} has no schema of its own"]


def test_what_stands_beside_a_reference_counts_unless_it_holds_schemas() -> None:
    looser = {"type": "object", "properties": {"x": {}}, "additionalProperties": TEXT}
    shipped = {"type": "object", "additionalProperties": TEXT}
    schema = {"$ref": "#/$defs/looser", "maxProperties": 3, "properties": {"y": TEXT}, "$defs": {"looser": looser}}
    assert list(misfits(schema, shipped)) == ["x must be of type string, stated by `type`, `enum` or `const`"]
    assert list(misfits(schema, {"type": "object", "maxProperties": 3})) == []


def test_references_that_lead_back_or_multiply_end() -> None:
    tree = {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer"}}}
        },
    }
    assert list(misfits(tree, tree)) == []
    assert list(misfits(deepcopy(tree), tree)) == []
    loose = changed(tree, "$defs", "node", "properties", "n", True)
    assert list(misfits(loose, tree)) == ["next.n has no schema of its own", "n has no schema of its own"]
    alternating = changed(tree, "$defs", "loose", loose["$defs"]["node"])
    alternating = changed(alternating, "$defs", "node", "properties", "next", {"$ref": "#/$defs/loose"})
    assert list(misfits(alternating, tree)) == ["next.n has no schema of its own"]
    conditions = {"allOf": [{"not": {"$ref": "#"}}]}
    assert list(misfits(deepcopy(conditions), conditions)) == []
    levels = {f"l{n}": {"properties": {x: {"$ref": f"#/$defs/l{n + 1}"} for x in "ab"}} for n in range(60)}
    wide = {**own(extra={"$ref": "#/$defs/l0"}), "$defs": {**levels, "l60": {}}}
    assert list(misfits(wide, SHIPPED)) == []
