"""Two shards' files are one typed table to the readers that our users have."""

from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pyarrow.dataset
import pytest

from transforms.columns.convert import column_builder
from transforms.columns.provenance import Provenance, full_schema, provenance_columns
from transforms.parquet import write_parquet

SCHEMA = {
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An accepted file of two rows, and one of none that sorts before it."""
    builder = column_builder(SCHEMA, {})
    schema = full_schema(builder.schema)
    arrays = builder.build([FIRST, SECOND]) + provenance_columns(ORIGINS)
    for name, batches in (("a", []), ("b", [pa.RecordBatch.from_arrays(arrays, schema=schema)]), ("c", [])):
        write_parquet(tmp_path / f"{name}.parquet", schema, batches)
    return tmp_path


def expected() -> list[dict[str, Any]]:
    """The rows as every reader gives them: the members of `profile` as entries, sorted by key."""
    entries = [[{"key": "model", "value": "m"}, {"key": "region", "value": "eu"}], []]
    return [
        {**record, "profile": profile, **origin}
        for record, profile, origin in zip((FIRST, SECOND), entries, PROVENANCE, strict=True)
    ]


def test_pyarrow_dataset(folder: Path) -> None:
    table = pyarrow.dataset.dataset(folder, format="parquet").to_table()
    assert table.schema.equals(full_schema(column_builder(SCHEMA, {}).schema))
    assert table.to_pylist() == expected()


def test_duckdb(folder: Path) -> None:
    with duckdb.connect() as connection:
        found = connection.sql(f"select * from read_parquet('{folder}/*.parquet') order by assay_line")
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
        types = dict(zip(found.columns, map(str, found.types), strict=True))
    assert rows == expected()
    assert types["messages"] == 'STRUCT("role" VARCHAR, "content" VARCHAR)[]'
    assert types["profile"] == 'STRUCT("key" VARCHAR, "value" VARCHAR)[]'
    assert (types["weight"], types["sure"], types["assay_archival_bytes"]) == ("DOUBLE", "BOOLEAN", "BLOB")


def test_polars(folder: Path) -> None:
    frame = polars.scan_parquet(folder / "*.parquet").collect()
    assert frame.to_dicts() == expected()
    turn = polars.Struct({"role": polars.String, "content": polars.String})
    assert frame.schema["messages"] == polars.List(turn)
    assert (frame.schema["patch"], frame.schema["assay_archival_bytes"]) == (polars.String, polars.Binary)


def test_hugging_face_datasets(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(folder / "home"))
    import datasets

    files = [str(path) for path in sorted(folder.glob("*.parquet"))]
    found = datasets.load_dataset("parquet", data_files=files, cache_dir=str(folder / "cache"), split="train")
    assert found.to_list() == expected()
