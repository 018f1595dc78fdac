import json
from typing import Any

import pyarrow as pa
import pytest
from baseline_records import baseline

import schemas
from transforms.columns.convert import ColumnError, column_builder, json_text, stream_builder


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def built(schema: Any, *rows: Any) -> list[dict[str, Any]]:
    builder = column_builder(schema, {})
    return pa.RecordBatch.from_arrays(builder.build(rows), schema=builder.schema).to_pylist()


STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def test_plain_records_take_the_fast_path() -> None:
    schema = closed(
        task=STRING,
        messages={"type": "array", "items": closed(role={"enum": ["user"]}, content=STRING)},
        patch={"type": ["string", "null"]},
        ratings=closed(style=INTEGER),
        sure={"type": "boolean"},
        weight=NUMBER,
    )
    assert column_builder(schema, {}).prepare is None
    full = {
        "task": "t",
        "messages": [{"role": "user", "content": "a\u0000\u2028é😀"}, {"role": "user", "content": ""}],
        "patch": None,
        "ratings": {"style": 5},
        "sure": False,
        "weight": 0.1,
    }
    sparse = {"messages": [], "ratings": {}}
    absent = {"task": None, "patch": None, "sure": None, "weight": None}
    assert built(schema, full, sparse) == [full, {**absent, "messages": [], "ratings": {"style": None}}]


def test_arrays_come_in_the_order_and_types_of_the_schema() -> None:
    builder = column_builder(closed(b=STRING, a=INTEGER), {})
    arrays = builder.build([{"a": 1, "b": "x"}])
    assert arrays == [pa.array(["x"]), pa.array([1])]
    assert builder.build([]) == [pa.array([], pa.string()), pa.array([], pa.int64())]
    assert column_builder({"type": "object", "additionalProperties": False}, {}).build([{}, {}]) == []


def test_numbers_are_exact() -> None:
    largest = 2**53 - 1
    rows = [{"i": largest, "n": largest}, {"i": -largest, "n": -largest}, {"i": 5.0, "n": 5}, {"i": -0.0, "n": -0.0}]
    found = built(closed(i=INTEGER, n=NUMBER), *rows, {"i": 1e18, "n": 5e-324})
    assert [row["i"] for row in found] == [largest, -largest, 5, 0, 10**18]
    assert [row["n"] for row in found] == [float(largest), -float(largest), 5.0, 0.0, 5e-324]
    assert str(found[3]["n"]) == "-0.0"


@pytest.mark.parametrize("value", [1e19, 1e300, True, "5", 2**63])
def test_what_an_integer_column_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(ColumnError, match="column 'scores' cannot hold the value of row 1 exactly") as caught:
        built(closed(name=STRING, scores={"type": "array", "items": INTEGER}), {"scores": [1]}, {"scores": [2, value]})
    assert (caught.value.column, caught.value.row) == ("scores", 1)
    assert caught.value.__suppress_context__, "Arrow's message quotes the value"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (NUMBER, 2**53 + 1),
        ({"type": "boolean"}, 1),
        (STRING, 5),
        (STRING, "\ud800"),
        ({}, "\ud800"),
        (closed(a=INTEGER), "text"),
        ({"type": "object", "additionalProperties": INTEGER}, {"a": 1e300}),
        ({"type": "object", "additionalProperties": INTEGER}, {"a": True}),
        ({"type": "object", "additionalProperties": STRING}, {"a": 5}),
        ({"type": "object", "additionalProperties": STRING}, {"\ud800": "a"}),
        ({"type": "object", "additionalProperties": closed(a=INTEGER)}, {"a": 5}),
        ({"type": "object", "additionalProperties": closed(a=INTEGER)}, {"a": {"a": 1e300}}),
        ({"type": "array"}, ["\udfff"]),
        ({"type": "object", "properties": {"a": INTEGER}}, {"a": "x", "b": 1}),
    ],
)
def test_other_values_that_do_not_fit_are_refused(schema: Any, value: Any) -> None:
    with pytest.raises(ColumnError, match="column 'x'"):
        built(closed(x=schema), {"x": value})


def test_a_refusal_quotes_no_more_than_the_start_of_a_name() -> None:
    with pytest.raises(ColumnError) as caught:
        built({"properties": {"a": STRING}}, {"n" * 1000: "\ud800"})
    assert str(caught.value) == f"column '{'n' * 40}' cannot hold the value of row 0 exactly"


def test_json_text_is_compact_and_sorted() -> None:
    schema = closed(x={}, y={"type": "array"})
    value = {"b": [1, 5.0, None, True], "a": {"é": "\n", "Z": {}}}
    assert built(schema, {"x": value, "y": [None, "a", 1, []]}) == [
        {"x": '{"a":{"Z":{},"é":"\\n"},"b":[1,5.0,null,true]}', "y": [None, '"a"', "1", "[]"]}
    ]
    assert built(schema, {"x": "text"}, {"x": None}, {}) == [
        {"x": '"text"', "y": None},
        {"x": None, "y": None},
        {"x": None, "y": None},
    ]
    assert json_text({"\U00010000": 1, "\uffff": 2}) == '{"\uffff":2,"\U00010000":1}'


def free_names(values: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


def entries(**members: Any) -> list[dict[str, Any]]:
    return [{"key": key, "value": value} for key, value in members.items()]


def test_maps_have_sorted_keys() -> None:
    schema = closed(counts=free_names(INTEGER), rates=free_names(NUMBER), sure=free_names({"type": "boolean"}))
    row = {"counts": {"b": 1, "a": None, "c": 5.0}, "rates": {"\U00010000": 5, "\uffff": 0.1, "": -0.0}}
    (full, empty, absent) = built(schema, {**row, "sure": {"x": False}}, {"counts": {}}, {})
    assert full == {
        "counts": [("a", None), ("b", 1), ("c", 5)],
        "rates": [("", 0.0), ("\uffff", 0.1), ("\U00010000", 5.0)],
        "sure": [("x", False)],
    }
    assert [str(value) for _, value in full["rates"]] == ["-0.0", "0.1", "5.0"]
    assert empty == {"counts": [], "rates": None, "sure": None}
    assert absent == {"counts": None, "rates": None, "sure": None}
    assert list(row["counts"]) == ["b", "a", "c"], "the record itself is left as it is"


def test_named_structs_are_sorted_by_name() -> None:
    schema = closed(plain=free_names(closed(n=INTEGER)), opened=free_names({"type": "object", "properties": {"n": {}}}))
    row = {"plain": {"b": {"n": 2}, "a": {}, "c": None}, "opened": {"z": {"n": [1], "name": "own", "m": 1}, "y": {}}}
    assert built(schema, row, {"plain": {}}) == [
        {
            "plain": [{"name": "a", "n": None}, {"name": "b", "n": 2}, {"name": "c", "n": None}],
            "opened": [
                {"name": "y", "n": None, "additional_properties": None},
                {"name": "z", "n": "[1]", "additional_properties": '{"m":1,"name":"own"}'},
            ],
        },
        {"plain": [], "opened": None},
    ]
    assert row["plain"]["b"] == {"n": 2}, "the record itself is left as it is"


def test_entries_have_sorted_keys() -> None:
    schema = closed(
        lists=free_names({"type": "array"}),
        maps=free_names(free_names(INTEGER)),
        names=free_names(closed(name=STRING)),
    )
    row = {
        "lists": {"z": [1], "y": None},
        "maps": {"b": {"d": 1, "c": 2}, "a": {}},
        "names": {"k": {"name": "n"}, "j": None},
    }
    assert built(schema, row, {"lists": {}}) == [
        {
            "lists": entries(y=None, z=["1"]),
            "maps": entries(a=[], b=[("c", 2), ("d", 1)]),
            "names": entries(j=None, k={"name": "n"}),
        },
        {"lists": [], "maps": None, "names": None},
    ]


def test_a_shipped_baseline_has_this_row() -> None:
    value = baseline()
    value["covariateProfile"] = {}
    value["factorRecord"] = {"commit": "3fd", "branch": "main"}
    value["confidenceLevel"] = 0.95
    value["latency"]["p50Ms"] = 129.5
    value["cost"] = {"tokens": 7}
    value["note"] = "n"
    value["execution"]["seed"] = 7
    value["criteria"]["c"]["observedPassRate"] = 1
    value["criteria"]["c"]["name"] = "own"
    value["criteria"]["c"]["failureDistribution"][0]["x"] = None
    value["expiration"]["x"] = {"b": 1, "a": [2.0]}
    (row,) = built(schemas.load_schema("records", "mavai-baseline-1"), value)
    assert (row["covariateProfile"], row["factorRecord"]) == ([], [("branch", "main"), ("commit", "3fd")])
    assert (row["cost"], row["footprint"], row["additional_properties"]) == ('{"tokens":7}', None, '{"note":"n"}')
    assert row["execution"]["additional_properties"] == '{"seed":7}'
    assert row["inputs"][1] == {"inputIndex": 1, "inputExcerpt": "b", "additional_properties": None}
    assert row["expiration"]["additional_properties"] == '{"x":{"a":[2.0],"b":1}}'
    assert row["latency"] == {
        **value["latency"],
        "sortedPassingLatenciesMs": [100.0, 110.0, 120.0, 130.0, 140.0, 150.0, 160.0, 170.0],
        "p90Ms": None,
        "p95Ms": None,
        "p99Ms": None,
        "additional_properties": None,
    }
    first, second = row["criteria"]
    assert list(first)[:4] == ["name", "mode", "procedure", "trials"]
    assert (first["name"], first["successes"], first["additional_properties"]) == ("c", 8, '{"name":"own"}')
    assert str(first["observedPassRate"]) == "1.0"
    assert first["failureDistribution"][0]["additional_properties"] == '{"x":null}'
    assert json.loads(first["standings"]) == value["criteria"]["c"]["standings"]
    own = {"name": "seen", "mode": "observational", "trials": 10, "successes": 10}
    assert second == {**dict.fromkeys(first), **own}


def test_an_open_object_keeps_its_other_members() -> None:
    inner = {"type": "object", "properties": {"a": INTEGER}}
    schema = {"type": "object", "properties": {"x": inner, "list": {"type": "array", "items": inner}}}
    row = {
        "x": {"a": 1, "q": [2], "b": None},
        "list": [{"a": 2}, {"p": 1}, None],
        "additional_properties": "mine",
        "zz": {"k": 1},
    }
    assert built(schema, row, {"x": None}) == [
        {
            "x": {"a": 1, "additional_properties": '{"b":null,"q":[2]}'},
            "list": [
                {"a": 2, "additional_properties": None},
                {"a": None, "additional_properties": '{"p":1}'},
                None,
            ],
            "additional_properties": '{"additional_properties":"mine","zz":{"k":1}}',
        },
        {"x": None, "list": None, "additional_properties": None},
    ]
    assert row["zz"] == {"k": 1}, "the record itself is left as it is"


def test_a_record_without_columns_of_its_own_is_kept_as_json_text() -> None:
    assert built({}, {"b": 1, "a": 2}, {}) == [
        {"additional_properties": '{"a":2,"b":1}'},
        {"additional_properties": None},
    ]


def test_versions_stand_in_one_table_in_any_order() -> None:
    old = {"type": "object", "properties": {"task": STRING, "tags": {"type": "array"}}}
    new = {"type": "object", "properties": {"task": STRING, "note": STRING}}
    builder = stream_builder({"v1": old, "v2": new}, {})
    rows = [{"task": "a", "note": 5}, {"task": "b", "note": "n", "tags": "t"}, {"task": "c", "tags": [1]}]
    batch = pa.RecordBatch.from_arrays(builder.build(rows, ["v1", "v2", "v1"]), schema=builder.schema)
    assert batch.to_pylist() == [
        {"task": "a", "tags": None, "additional_properties": '{"note":5}', "note": None},
        {"task": "b", "tags": None, "additional_properties": '{"tags":"t"}', "note": "n"},
        {"task": "c", "tags": ["1"], "additional_properties": None, "note": None},
    ]


def test_versions_that_need_no_preparation_are_refused_by_row_and_column() -> None:
    builder = stream_builder({"v1": closed(a=INTEGER), "v2": closed(a=INTEGER, b={})}, {})
    assert [array.to_pylist() for array in builder.build([{"a": 1}, {"b": 2}], ["v1", "v2"])] == [
        [1, None],
        [None, "2"],
    ]
    with pytest.raises(ColumnError, match="column 'a' cannot hold the value of row 1"):
        builder.build([{"b": 2}, {"a": 1e300}], ["v2", "v1"])
