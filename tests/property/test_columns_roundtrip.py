"""Random schemas with values that they accept: every value comes back from Parquet, whatever the batches.

And a value that does not fit its column is found before, however far in it stands.
"""

import io
import json
from itertools import pairwise
from typing import Any

import jsonschema_rs
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.columns.convert import ColumnError, column_builder
from transforms.columns.provenance import Provenance, full_schema, provenance_columns
from transforms.columns.stream_columns import StreamColumns
from transforms.parquet import write_parquet
from transforms.terms import StreamTerms

LARGEST = 2**53 - 1
NAMES = ["a", "b.c", "", "é", "element", "key", "name", "list", "Additional_properties"]
OTHER_NAMES = st.sampled_from(["x", "additional_properties", "zzz", "\u0000"])

integers = st.integers(-LARGEST, LARGEST)
whole = integers | integers.map(float)
numbers = st.floats(allow_nan=False, allow_infinity=False) | integers
scalars = st.none() | st.booleans() | numbers | st.text(max_size=8)
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)

Typed = tuple[Any, st.SearchStrategy[Any]]
SCALARS: list[Typed] = [
    ({"type": "string"}, st.text(max_size=20)),
    ({"type": "integer"}, whole),
    ({"type": "number"}, numbers),
    ({"type": "boolean"}, st.booleans()),
    ({"type": "null"}, st.none()),
    ({"enum": ["A", "B"]}, st.sampled_from(["A", "B"])),
    ({"type": ["string", "null"]}, st.none() | st.text(max_size=5)),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, st.none() | whole),
    ({"type": ["string", "integer"]}, st.text(max_size=5) | integers),
    ({"type": "array"}, st.lists(anything, max_size=3)),
    ({"type": "object"}, st.dictionaries(st.text(max_size=3), anything, max_size=3)),
    ({}, anything),
]


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Typed]) -> Typed:
    members = draw(st.dictionaries(st.sampled_from(NAMES), inner, max_size=4))
    closed = draw(st.booleans())
    schema = {"type": "object", "properties": {name: part for name, (part, _) in members.items()}}
    named = st.fixed_dictionaries({}, optional={name: values for name, (_, values) in members.items()})
    if closed:
        return {**schema, "additionalProperties": False}, named
    others = st.dictionaries(OTHER_NAMES, anything, max_size=2)
    return schema, st.tuples(named, others).map(lambda both: {**both[0], **both[1]})


def nested(inner: st.SearchStrategy[Typed]) -> st.SearchStrategy[Typed]:
    lists = inner.map(lambda typed: ({"type": "array", "items": typed[0]}, st.lists(typed[1], max_size=3)))
    free_names = inner.filter(lambda typed: typed[0] != {}).map(
        lambda typed: (
            {"type": "object", "additionalProperties": typed[0]},
            st.dictionaries(st.text(max_size=3), typed[1], max_size=3),
        )
    )
    return lists | free_names | objects(inner)


records = objects(st.recursive(st.sampled_from(SCALARS), nested, max_leaves=6))

# Valid integers all of them, and of some of these lists a few that no int64 holds.
around = st.sampled_from([2.0**53 - 1, 2.0**53, 2.0**62, 2.0**63 - 1024, 2.0**63, 2.0**64, 1e300])
vast = around | around.map(lambda number: -number)
integral: Typed = ({"type": "integer"}, whole | vast)
with_vast: list[Typed] = [
    *SCALARS,
    *[integral] * 6,
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, st.none() | whole | vast),
    ({"enum": [1, 2.0**53, 1e300, 2.0**63 - 1024]}, st.sampled_from([1, 1.0, 2.0**53, 1e300, 2.0**63 - 1024])),
    ({"const": 1e300}, st.just(1e300)),
]
records_with_vast = objects(st.recursive(st.sampled_from(with_vast), nested, max_leaves=6))


def normal(schema: Any, value: Any) -> Any:
    """A valid value as it must come back: null members left out, numbers of the type that the schema says."""
    if value is None:
        return None
    if "anyOf" in schema:
        return normal(schema["anyOf"][0], value)
    match schema.get("type"):
        case "integer":
            return int(value)
        case "number":
            return float(value)
        case "array" if "items" in schema:
            return [normal(schema["items"], item) for item in value]
        case "object" if schema.get("properties"):
            parts = schema["properties"]
            members = {name: normal(parts[name], item) if name in parts else item for name, item in value.items()}
            return {name: item for name, item in members.items() if item is not None or name not in parts}
        case "object" if schema.get("additionalProperties"):
            return {name: normal(schema["additionalProperties"], item) for name, item in value.items()}
    return value


def back(schema: Any, found: Any) -> Any:
    """What a Parquet reader gives, turned into a JSON value with nothing but the schema's own keywords."""
    if found is None:
        return None
    if "anyOf" in schema or "enum" in schema:
        return found
    match schema.get("type"):
        case "array":
            return [back(schema.get("items", {}), item) for item in found]
        case "object" if schema.get("properties"):
            members = {name: back(part, found[name]) for name, part in schema["properties"].items()}
            others = json.loads(found.get("additional_properties") or "{}")
            return {**{name: item for name, item in members.items() if item is not None}, **others}
        case "object" if schema.get("additionalProperties"):
            inner = schema["additionalProperties"]
            return {key: back(inner, value) for key, value in pairs(inner, found)}
        case "string" | "integer" | "number" | "boolean" | "null" | ["string", "null"]:
            return found
    return json.loads(found)


def pairs(inner: Any, found: list[Any]) -> list[tuple[str, Any]]:
    """The members of an object with free names, by the form that their schema gives them."""
    if "name" not in (inner.get("properties") or {"name": {}}):
        return [(entry["name"], entry) for entry in found]
    return [member if isinstance(member, tuple) else (member["key"], member["value"]) for member in found]


def exact(value: Any) -> str:
    """Tells 5 from 5.0, 0.0 from -0.0 and true from 1, as `==` does not."""
    return json.dumps(value, sort_keys=True)


@given(data=st.data())
@settings(max_examples=120, deadline=None)
def test_values_come_back_and_batches_leave_no_trace(data: st.DataObject) -> None:
    schema, values = data.draw(records)
    rows = data.draw(st.lists(values, max_size=8))
    validator = jsonschema_rs.validator_for(schema)
    assert all(validator.is_valid(row) for row in rows)

    builder = column_builder(schema, {})
    table = full_schema(builder.schema)

    def batch(start: int, end: int) -> pa.RecordBatch:
        origins = [Provenance("s", "a", n, n, 1, "v", None, "00" * 32, b"{}") for n in range(start, end)]
        arrays = builder.build(rows[start:end]) + provenance_columns(origins)
        return pa.RecordBatch.from_arrays(arrays, schema=table)

    bounds = {"row_group_rows": data.draw(st.integers(1, 5)), "row_group_bytes": data.draw(st.integers(1, 2000))}
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    one, many = io.BytesIO(), io.BytesIO()
    assert write_parquet(one, table, [batch(0, len(rows))], **bounds) == len(rows)
    parts = [batch(start, end) for start, end in pairwise([0, *cuts, len(rows)])]
    assert write_parquet(many, table, parts, **bounds) == len(rows)
    assert one.getvalue() == many.getvalue()

    found = pq.ParquetFile(io.BytesIO(one.getvalue())).read()
    assert found.schema.equals(table)
    whole_record = schema if schema["properties"] else {**schema, "properties": {"\ufffe": {}}}
    for row, read in zip(rows, found.to_pylist(), strict=True):
        recovered = back(whole_record, {"\ufffe": None, **read})
        assert exact(recovered) == exact(normal(whole_record, row))


@given(data=st.data())
@settings(max_examples=400, deadline=None)
def test_what_its_columns_refuse_is_a_misfit(data: st.DataObject) -> None:
    schema, values = data.draw(records_with_vast)
    row = data.draw(values)
    assert jsonschema_rs.validator_for(schema).is_valid(row)

    refused = None
    try:
        column_builder(schema, {}).build([row])
    except ColumnError as error:
        refused = error.column
    assert StreamColumns(StreamTerms("s", "document-v1", {"v": schema})).misfit(row, "v") == refused
