"""Two shards' files are one typed table to the readers that our users have."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet
import pytest

from transforms.columns.convert import column_builder
from transforms.columns.provenance import Provenance, full_schema, provenance_columns
from transforms.parquet import write_parquet
from transforms.records import Json

SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "task": {"type": "string"},
        "messages": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"role": {"enum": ["user", "assistant"]}, "content": {"type": "string"}},
            },
        },
        "patch": {"type": ["string", "null"]},
        "ratings": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"style": {"type": "integer"}, "reasoning": {"type": "integer"}},
        },
        "profile": {"type": "object", "additionalProperties": {"type": "string"}},
        "criteria": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"mode": {"type": "string"}, "trials": {"type": "integer"}},
            },
        },
        "notes": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sure": {"type": "boolean"},
        "weight": {"type": "number"},
    },
}
FIRST = {
    "task": "t-1",
    "messages": [{"role": "user", "content": "Zürich 😀\u0000"}, {"role": "assistant", "content": ""}],
    "patch": None,
    "ratings": {"style": 5, "reasoning": 2**53 - 1},
    "profile": {"region": "eu", "model": "m"},
    "criteria": {"safe": {"mode": "strict", "trials": 3}, "kind": {"trials": 4}},
    "notes": {"b": ["x", "y"], "a": []},
    "tags": [],
    "sure": True,
    "weight": 0.1,
}
SECOND = {
    "task": "t-2",
    "messages": [{"role": "user", "content": "x"}],
    "patch": "line\n",
    "ratings": {"style": 1, "reasoning": -1},
    "profile": {},
    "criteria": {},
    "notes": {},
    "tags": ["a", "b"],
    "sure": False,
    "weight": 5.0,
}
ORIGINS = [
    Provenance("pairs", "a.jsonl", 1, 0, 90, "v2", "r1", "00" * 32, b'{"task":"t-1"}'),
    Provenance("pairs", "a.jsonl", 3, 92, 80, "v2", None, "0f" * 32, b"\x00\xff"),
]
PROVENANCE = [
    {
        "assay_stream": "pairs",
        "assay_shard": "a.jsonl",
        "assay_line": line,
        "assay_byte_offset": offset,
        "assay_byte_length": length,
        "assay_schema_version": "v2",
        "assay_rubric_version": rubric,
        "assay_record_sha256": digest,
        "assay_archival_bytes": archival,
    }
    for line, offset, length, rubric, digest, archival in (
        (1, 0, 90, "r1", "00" * 32, b'{"task":"t-1"}'),
        (3, 92, 80, None, "0f" * 32, b"\x00\xff"),
    )
]


# How every reader gives the lists that `criteria` and `notes` become.
LISTS = [
    {
        "criteria": [{"name": "kind", "mode": None, "trials": 4}, {"name": "safe", "mode": "strict", "trials": 3}],
        "notes": [{"key": "a", "value": []}, {"key": "b", "value": ["x", "y"]}],
    },
    {"criteria": [], "notes": []},
]
SORTED_PROFILE = {"model": "m", "region": "eu"}


def write(folder: Path, schema: dict[str, Any], rows: Sequence[Json]) -> None:
    """An accepted file of two rows between two of none."""
    builder = column_builder(schema, {})
    columns = full_schema(builder.schema)
    arrays = builder.build(rows) + provenance_columns(ORIGINS)
    for name, batches in (("a", []), ("b", [pa.RecordBatch.from_arrays(arrays, schema=columns)]), ("c", [])):
        write_parquet(folder / f"{name}.parquet", columns, batches)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, SCHEMA, (FIRST, SECOND))
    return tmp_path


def expected(*profiles: Any) -> list[dict[str, Any]]:
    """The rows as a reader gives them that turns the map columns into `profiles`."""
    rows = zip((FIRST, SECOND), LISTS, profiles, PROVENANCE, strict=True)
    return [{**record, **lists, "profile": profile, **origin} for record, lists, profile, origin in rows]


def without_map(names: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in names.items() if name != "profile"}


def test_pyarrow_dataset(folder: Path) -> None:
    table = pyarrow.dataset.dataset(folder, format="parquet").to_table()
    assert table.schema.equals(full_schema(column_builder(SCHEMA, {}).schema))
    assert table.schema.field("profile").type == pa.map_(pa.string(), pa.string())
    assert table.to_pylist() == expected(list(SORTED_PROFILE.items()), [])
    regions = pyarrow.compute.map_lookup(table["profile"], pa.scalar("region"), "first")
    assert regions.to_pylist() == ["eu", None]


def test_duckdb(folder: Path) -> None:
    with duckdb.connect() as connection:
        found = connection.sql(f"select * from read_parquet('{folder}/*.parquet') order by assay_line")
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
        types = dict(zip(found.columns, map(str, found.types), strict=True))
        modes = connection.sql(
            f"select profile['region'], c.name, c.trials from '{folder}/b.parquet', unnest(criteria) as t(c)"
        ).fetchall()
    assert rows == expected(SORTED_PROFILE, {})
    assert modes == [("eu", "kind", 4), ("eu", "safe", 3)]
    assert types["messages"] == 'STRUCT("role" VARCHAR, "content" VARCHAR)[]'
    assert types["profile"] == "MAP(VARCHAR, VARCHAR)"
    assert types["criteria"] == 'STRUCT("name" VARCHAR, "mode" VARCHAR, trials BIGINT)[]'
    assert (types["weight"], types["sure"], types["assay_archival_bytes"]) == ("DOUBLE", "BOOLEAN", "BLOB")


def test_polars(folder: Path) -> None:
    frame = polars.scan_parquet(folder / "*.parquet").collect()
    assert frame.to_dicts() == expected(SORTED_PROFILE, {})
    turn = polars.Struct({"role": polars.String, "content": polars.String})
    assert frame.schema["messages"] == polars.List(turn)
    assert frame.schema["profile"] == polars.Map(polars.String, polars.String)
    assert (frame.schema["patch"], frame.schema["assay_archival_bytes"]) == (polars.String, polars.Binary)


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Opens the files of a folder with Hugging Face `datasets`, offline."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    import datasets

    def opened(folder: Path, **options: Any) -> Any:
        files = [str(path) for path in sorted(folder.glob("*.parquet"))]
        cache = str(tmp_path / "cache")
        return datasets.load_dataset("parquet", data_files=files, cache_dir=cache, split="train", **options)

    return opened


def test_hugging_face_datasets_reads_what_has_no_map(tmp_path: Path, load: Callable[..., Any]) -> None:
    schema = {**SCHEMA, "properties": without_map(SCHEMA["properties"])}
    write(tmp_path, schema, [without_map(FIRST), without_map(SECOND)])
    assert load(tmp_path).to_list() == [without_map(row) for row in expected(None, None)]


def test_hugging_face_datasets_reads_beside_a_map_what_it_is_told_of(folder: Path, load: Callable[..., Any]) -> None:
    from datasets import Features

    columns = pyarrow.parquet.read_schema(folder / "a.parquet")
    others = pa.schema([field for field in columns if not pa.types.is_map(field.type)])
    for options in ({}, {"columns": others.names}):
        with pytest.raises(ValueError, match=r"Arrow type map<string, string .* does not have a datasets dtype"):
            load(folder, **options)
    found = load(folder, columns=others.names, features=Features.from_arrow_schema(others))
    assert found.to_list() == [without_map(row) for row in expected(None, None)]
