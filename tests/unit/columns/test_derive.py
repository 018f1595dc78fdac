from typing import Any

import pyarrow as pa
import pytest

import schemas
from transforms.columns.derive import MAX_SUBSCHEMAS, arrow_schema
from transforms.columns.marks import ADDITIONAL, CATEGORY, ENTRIES, JSON_TEXT, MAP, NAMED, mark_of

STRING = (pa.string(), None)
CATEGORIES = (pa.string(), CATEGORY)
JSON = (pa.string(), JSON_TEXT)
INTEGER, NUMBER, BOOLEAN = (pa.int64(), None), (pa.float64(), None), (pa.bool_(), None)
ADDITIONAL_FIELD = pa.field("additional_properties", pa.string())


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def column(schema: Any, **definitions: Any) -> pa.Field:
    derived = arrow_schema({**record(x=schema), "$defs": definitions}, {})
    assert derived.names == ["x"]
    return derived.field("x")


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "maxLength": 3}, STRING),
        ({"type": "integer", "minimum": 1}, INTEGER),
        ({"type": "number"}, NUMBER),
        ({"type": "boolean"}, BOOLEAN),
        ({"type": "null"}, STRING),
        (False, STRING),
        ({"type": ["string", "null"]}, STRING),
        ({"type": ["null", "integer"]}, INTEGER),
        ({"type": ["integer", "number"]}, NUMBER),
        ({"type": ["string", "integer"]}, JSON),
        (True, JSON),
        ({}, JSON),
        ({"minLength": 1}, JSON),
        ({"properties": {"a": {"type": "string"}}}, JSON),
        ({"const": "v2"}, CATEGORIES),
        ({"type": "string", "enum": ["A", "B"]}, CATEGORIES),
        ({"enum": ["A", None]}, CATEGORIES),
        ({"enum": [1, 2.0]}, INTEGER),
        ({"enum": [1, 2.5]}, NUMBER),
        ({"enum": [True, False]}, BOOLEAN),
        ({"enum": [True, 1]}, JSON),
        ({"enum": ["A", 1]}, JSON),
        ({"const": None}, STRING),
        ({"const": {"a": 1}}, JSON),
        ({"type": "number", "enum": [1, 2]}, NUMBER),
        ({"type": ["string", "integer"], "enum": ["A"]}, CATEGORIES),
        ({"type": "object"}, JSON),
        ({"type": "object", "additionalProperties": True}, JSON),
        ({"type": "object", "additionalProperties": {}}, JSON),
        ({"type": "object", "additionalProperties": False}, JSON),
        ({"type": "object", "additionalProperties": {"type": "string"}, "patternProperties": {"^x": {}}}, JSON),
    ],
)
def test_scalars_and_json_text(schema: Any, expected: tuple[pa.DataType, bytes | None]) -> None:
    field = column(schema)
    assert (field.type, mark_of(field)) == expected
    assert field.nullable


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, INTEGER),
        ({"oneOf": [{"type": "string"}, {"const": "x"}]}, STRING),
        ({"oneOf": [{"const": "x"}, {"const": "y"}]}, CATEGORIES),
        ({"anyOf": [{"type": "null"}, False]}, STRING),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, JSON),
        ({"anyOf": [{"type": "string"}, {}]}, JSON),
        ({"anyOf": [{"type": "string"}, {"type": ["string", "integer"]}]}, JSON),
        ({"type": "string", "anyOf": [{"minLength": 3}, {"const": ""}]}, STRING),
        ({"allOf": [{"minimum": 1}, {"type": "integer"}]}, INTEGER),
        ({"$ref": "#/$defs/word"}, STRING),
        ({"$ref": "#/$defs/word", "type": "integer"}, INTEGER),
        ({"if": {"type": "string"}, "then": {"type": "string"}, "else": {"type": "integer"}}, JSON),
    ],
)
def test_combinations(schema: Any, expected: tuple[pa.DataType, bytes | None]) -> None:
    field = column(schema, word={"type": "string"})
    assert (field.type, mark_of(field)) == expected


def test_arrays() -> None:
    assert column({"type": "array", "items": {"type": "integer"}}).type == pa.list_(pa.int64())
    nested = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
    assert column(nested).type == pa.list_(pa.list_(pa.float64()))
    for schema in ({"type": "array"}, {"type": "array", "prefixItems": [{"type": "integer"}], "items": False}):
        field = column(schema)
        assert field.type == pa.list_(pa.string())
        assert mark_of(field.type.value_field) == JSON_TEXT
    assert column({"type": "array", "items": False}).type == pa.list_(pa.string())


def test_a_closed_object_is_a_struct_in_schema_order() -> None:
    schema = record(style={"type": "integer"}, mode={"enum": ["fast", "slow"]})
    field = column(schema)
    assert field.type == pa.struct([("style", pa.int64()), ("mode", pa.string())])
    assert mark_of(field.type.field("mode")) == CATEGORY


@pytest.mark.parametrize(
    "additional", [{}, {"additionalProperties": True}, {"additionalProperties": {"type": "string"}}]
)
def test_an_open_object_keeps_what_it_does_not_name(additional: dict[str, Any]) -> None:
    field = column({"type": "object", "properties": {"a": {"type": "integer"}}, **additional})
    assert field.type == pa.struct([pa.field("a", pa.int64()), ADDITIONAL_FIELD])
    assert mark_of(field.type.field("additional_properties")) == ADDITIONAL


def test_pattern_properties_open_a_closed_object() -> None:
    field = column({**record(a={"type": "integer"}), "patternProperties": {"^x-": {"type": "string"}}})
    assert [member.name for member in field.type] == ["a", "additional_properties"]


def test_unevaluated_properties_close_an_object_that_stands_alone() -> None:
    alone = {"type": "object", "properties": {"a": {"type": "integer"}}, "unevaluatedProperties": False}
    assert column(alone).type == pa.struct([("a", pa.int64())])
    beside = column({**alone, "allOf": [{"properties": {"b": {"type": "string"}}}]})
    assert [member.name for member in beside.type] == ["a", "additional_properties"]


def free_names(values: Any) -> pa.Field:
    """The column of an object whose members have any names, and values as said."""
    field = column({"type": ["object", "null"], "additionalProperties": values}, word={"type": "string"})
    assert field.nullable
    return field


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"type": "string"}, STRING),
        ({"type": ["integer", "null"]}, INTEGER),
        ({"anyOf": [{"type": "number"}, {"type": "null"}]}, NUMBER),
        ({"type": "boolean"}, BOOLEAN),
        ({"enum": ["A", "B", None]}, CATEGORIES),
        ({"$ref": "#/$defs/word"}, STRING),
        ({"type": "null"}, STRING),
    ],
)
def test_scalars_by_free_names_are_a_map(values: Any, expected: tuple[pa.DataType, bytes | None]) -> None:
    field = free_names(values)
    assert (mark_of(field), field.type) == (MAP, pa.map_(pa.string(), expected[0]))
    assert mark_of(field.type.item_field) == expected[1]
    assert (field.type.key_field.nullable, field.type.item_field.nullable) == (False, True)


NAME, KEY = (pa.field(name, pa.string(), nullable=False) for name in ("name", "key"))


def test_structs_by_free_names_are_a_list_of_named_structs() -> None:
    field = free_names({**record(mode={"enum": ["a", "b"]}, trials={"type": "integer"}), "type": ["object", "null"]})
    assert field.type == pa.list_(pa.struct([NAME, ("mode", pa.string()), ("trials", pa.int64())]))
    assert mark_of(field) == NAMED
    assert (mark_of(field.type.value_type.field("name")), mark_of(field.type.value_type.field("mode"))) == (
        None,
        CATEGORY,
    )
    opened = free_names({"type": "object", "properties": {"mode": {"type": "string"}}})
    assert opened.type == pa.list_(pa.struct([NAME, ("mode", pa.string()), ADDITIONAL_FIELD]))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (record(name={"type": "integer"}, a={"type": "string"}), pa.struct([("name", pa.int64()), ("a", pa.string())])),
        ({"type": "array", "items": {"type": "integer"}}, pa.list_(pa.int64())),
        ({"type": ["integer", "string"]}, pa.string()),
        ({"type": "object"}, pa.string()),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, pa.map_(pa.string(), pa.int64())),
    ],
)
def test_other_values_by_free_names_are_entries(values: Any, expected: pa.DataType) -> None:
    field = free_names(values)
    assert field.type == pa.list_(pa.struct([KEY, ("value", expected)]))
    assert mark_of(field) == ENTRIES


def test_conditions_leave_the_base_as_it_is() -> None:
    schema = record(kind={"enum": ["a", "b"]}, note={"type": ["string", "null"]})
    schema["allOf"] = [
        {"if": {"properties": {"kind": {"const": "a"}}}, "then": {"properties": {"note": {"type": "string"}}}}
    ]
    assert arrow_schema(schema, {}) == arrow_schema({**schema, "allOf": []}, {})


def test_branches_of_one_struct_are_that_struct() -> None:
    first = record(kind={"const": "a"}, size={"type": "integer"})
    second = record(kind={"const": "b"}, size={"type": "integer", "minimum": 1})
    assert column({"oneOf": [first, second]}).type == pa.struct([("kind", pa.string()), ("size", pa.int64())])
    assert mark_of(column({"oneOf": [first, record(kind={"const": "b"})]})) == JSON_TEXT


def test_references_reach_registered_documents_by_their_own_base() -> None:
    registered = {
        "https://example.org/types": {
            "$id": "https://example.org/types",
            "$defs": {
                "score": {"$ref": "#/$defs/whole"},
                "whole": {"type": "integer"},
                "inner": {"$id": "deeper/", "$ref": "leaf"},
            },
        },
        "https://example.org/deeper/leaf": {"type": "boolean"},
    }
    schema = record(a={"$ref": "types#/$defs/score"}, b={"$ref": "types#/$defs/inner"})
    schema["$id"] = "https://example.org/record"
    assert arrow_schema(schema, registered) == pa.schema([("a", pa.int64()), ("b", pa.bool_())])


@pytest.mark.parametrize("reference", ["#/$defs/absent", "https://example.org/absent", "#nowhere"])
def test_an_unregistered_reference_is_refused(reference: str) -> None:
    with pytest.raises(ValueError, match="in no registered schema"):
        column({"$ref": reference})


def test_a_definition_that_contains_itself_is_json_text() -> None:
    tree = record(value={"type": "integer"}, children={"type": "array", "items": {"$ref": "#/$defs/tree"}})
    assert mark_of(column({"$ref": "#/$defs/tree"}, tree=tree)) == JSON_TEXT
    one, other = record(next={"$ref": "#/$defs/other"}), record(next={"$ref": "#/$defs/one"})
    assert mark_of(column({"$ref": "#/$defs/one"}, one=one, other=other)) == JSON_TEXT
    assert mark_of(column({"$ref": "#"})) == JSON_TEXT
    assert mark_of(column({"$ref": "#/$defs/loop"}, loop={"$ref": "#/$defs/loop"})) == JSON_TEXT


def test_a_record_that_contains_itself_has_its_own_columns() -> None:
    node = record(value={"type": "integer"}, next={"$ref": "#/$defs/node"})
    derived = arrow_schema({"$ref": "#/$defs/node", "$defs": {"node": node}}, {})
    assert derived == pa.schema([("value", pa.int64()), ("next", pa.string())])


def test_the_record_itself() -> None:
    assert arrow_schema(record(b={"type": "string"}, a={"type": "number"}), {}).names == ["b", "a"]
    open_record = arrow_schema({"properties": {"a": {"type": "string"}}}, {})
    assert open_record == pa.schema([pa.field("a", pa.string()), ADDITIONAL_FIELD])
    assert arrow_schema({"type": "object", "additionalProperties": False}, {}).names == []


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"oneOf": [record(a={"type": "string"}), record(b={"type": "string"})]},
    ],
)
def test_a_record_without_members_of_its_own_is_one_column_of_json_text(schema: Any) -> None:
    derived = arrow_schema(schema, {})
    assert derived == pa.schema([ADDITIONAL_FIELD])
    assert mark_of(derived.field(0)) == ADDITIONAL


def test_a_record_by_reference_or_by_like_branches_has_columns() -> None:
    assert arrow_schema({"$defs": {"r": record(a={"type": "string"})}, "$ref": "#/$defs/r"}, {}).names == ["a"]
    branches = [record(kind={"const": "a"}), record(kind={"const": "b"})]
    assert arrow_schema({"oneOf": branches}, {}) == pa.schema([("kind", pa.string())])


def test_clashing_names_are_refused() -> None:
    with pytest.raises(ValueError, match="'additional_properties': the name is reserved"):
        column({"type": "object", "properties": {"additional_properties": {}}})
    assert column(record(additional_properties={"type": "integer"})).type == pa.struct(
        [("additional_properties", pa.int64())]
    )
    with pytest.raises(ValueError, match="'assay_line' clashes with a provenance column"):
        arrow_schema(record(assay_line={"type": "integer"}), {})
    assert column(record(assay_line={"type": "integer"})).type == pa.struct([("assay_line", pa.int64())])


def test_references_that_multiply_are_refused() -> None:
    levels = {
        f"level{n}": record(a={"$ref": f"#/$defs/level{n + 1}"}, b={"$ref": f"#/$defs/level{n + 1}"}) for n in range(40)
    }
    with pytest.raises(ValueError, match=f"more than {MAX_SUBSCHEMAS} subschemas"):
        column({"$ref": "#/$defs/level0"}, **levels, level40={"type": "string"})


def test_a_shipped_baseline_has_these_columns() -> None:
    """The columns that queries over published baselines are written for."""
    rest = ADDITIONAL_FIELD
    text, whole, number = pa.string(), pa.int64(), pa.float64()
    failure = [("condition", text), ("kind", text), ("reason", text), ("count", whole)]
    failure = pa.struct([*failure, ("inputIndex", whole), ("inputExcerpt", text), rest])
    judgement = [("state", text), ("stipulatedThreshold", number), ("confidence", number)]
    judgement = pa.struct([*judgement, ("feasibleMinimumSamples", whole), rest])
    criterion = pa.struct(
        [
            NAME,
            ("mode", text),
            ("procedure", text),
            ("trials", whole),
            ("successes", whole),
            ("observedPassRate", number),
            ("wilsonLowerBound", number),
            ("failureDistribution", pa.list_(failure)),
            ("normativeJudgement", judgement),
            ("standings", text),
            rest,
        ]
    )
    latency = [("basis", text), ("contributingSamples", whole), ("totalSamples", whole)]
    latency += [(percentile, number) for percentile in ("p50Ms", "p90Ms", "p95Ms", "p99Ms")]
    derived = arrow_schema(schemas.load_schema("records", "mavai-baseline-1"), {})
    assert derived == pa.schema(
        [
            ("schemaVersion", text),
            ("serviceContractId", text),
            ("serviceName", text),
            ("generatedAt", text),
            ("confidenceLevel", number),
            ("inputsIdentity", text),
            ("footprint", text),
            ("covariateProfile", pa.map_(text, text)),
            ("factorRecord", pa.map_(text, text)),
            (
                "execution",
                pa.struct([("samplesPlanned", whole), ("samplesExecuted", whole), ("terminationReason", text), rest]),
            ),
            ("inputs", pa.list_(pa.struct([("inputIndex", whole), ("inputExcerpt", text), rest]))),
            ("criteria", pa.list_(criterion)),
            ("cost", text),
            ("latency", pa.struct([*latency, ("sortedPassingLatenciesMs", pa.list_(number)), rest])),
            ("expiration", pa.struct([("expiresInDays", whole), ("expiresAt", text), rest])),
            ("contentFingerprint", text),
            rest,
        ]
    )
    marks = {field.name: mark_of(field) for field in derived if mark_of(field)}
    assert marks == {
        "schemaVersion": CATEGORY,
        "covariateProfile": MAP,
        "factorRecord": MAP,
        "criteria": NAMED,
        "cost": JSON_TEXT,
        "additional_properties": ADDITIONAL,
    }
