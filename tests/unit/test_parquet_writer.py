import io
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from transforms.columns.convert import column_builder
from transforms.columns.provenance import Provenance, full_schema, provenance_columns
from transforms.parquet import write_parquet, writer_options

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "task": {"type": "string"},
        "choice": {"enum": ["A", "B"]},
        "messages": {
            "type": "array",
            "items": {"type": "object", "properties": {"role": {"const": "user"}, "text": {"type": "string"}}},
        },
        "scores": {"type": "object", "additionalProperties": {"type": "integer"}},
        "profile": {"type": "object", "additionalProperties": {"type": "string"}},
        "moods": {"type": "array", "items": {"type": "object", "additionalProperties": {"enum": ["up", "down"]}}},
        "criteria": {
            "type": "object",
            "additionalProperties": {"properties": {"n": {"type": "number"}}, "type": "object"},
        },
        "lists": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "boolean"}}},
        "weight": {"type": "number"},
        "sure": {"type": "boolean"},
        "free": {},
        "grid": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
        "dots.in.name": {"type": "integer"},
        "": {"type": "integer"},
    },
}


def record(n: int) -> dict[str, Any]:
    return {
        "task": f"task {n}",
        "choice": "AB"[n % 2],
        "messages": [{"role": "user", "text": "hello " * (m + n % 3), "x": n} for m in range(n % 4)],
        "scores": {f"s{m}": m for m in range(n % 3)},
        "profile": {f"p{m}": None if m % 4 else f"secret {n}" for m in range(n % 6)} if n % 7 else None,
        "moods": [{"m": "up"}, {}, {"a": "down", "b": "up"}][: n % 4],
        "criteria": {f"c{m}": {"n": n / 3, "x": m} for m in range(n % 3)},
        "lists": {f"l{m}": [True, False][: n % 3] for m in range(n % 2)},
        "weight": n / 7,
        "sure": n % 5 == 0,
        "free": [n, {"k": None}] if n % 2 else None,
        "grid": [[n / 3], []] if n % 3 else None,
        "dots.in.name": n,
        "": n,
    }


BUILDER = column_builder(SCHEMA, {})
FULL = full_schema(BUILDER.schema)


def batch(numbers: Sequence[int]) -> pa.RecordBatch:
    origin = [
        Provenance("pairs", "a.jsonl", n + 1, n * 100, 99, "v2", None, f"{n:064x}", b"x" * (n % 7)) for n in numbers
    ]
    return pa.RecordBatch.from_arrays(
        BUILDER.build([record(n) for n in numbers]) + provenance_columns(origin), schema=FULL
    )


def written(batches: Any, schema: pa.Schema = FULL, **bounds: int) -> bytes:
    file = io.BytesIO()
    write_parquet(file, schema, batches, **bounds)
    assert not file.closed
    return file.getvalue()


def opened(data: bytes) -> pq.ParquetFile:
    return pq.ParquetFile(io.BytesIO(data))


def groups(data: bytes) -> list[int]:
    metadata = opened(data).metadata
    return [metadata.row_group(n).num_rows for n in range(metadata.num_row_groups)]


def test_rows_and_types_come_back() -> None:
    whole = batch(range(50))
    file = io.BytesIO()
    assert write_parquet(file, FULL, [whole]) == 50
    found = opened(file.getvalue()).read()
    assert found.to_pylist() == whole.to_pylist()
    assert found.schema.equals(FULL)
    assert (found.schema.field("task").type, found.schema.field("assay_archival_bytes").type) == (
        pa.string(),
        pa.binary(),
    )


def test_the_footer_names_only_the_writer() -> None:
    metadata = opened(written([batch(range(5))])).metadata
    assert metadata.created_by == f"parquet-cpp-arrow version {pa.__version__}"
    assert (metadata.format_version, metadata.metadata) == ("2.6", None)
    marked = FULL.with_metadata({"note": "x"})
    assert written([batch(range(5))], marked) == written([batch(range(5))])


def columns_with(data: bytes, what: str) -> set[str]:
    group = opened(data).metadata.row_group(0)
    columns = [group.column(n) for n in range(group.num_columns)]
    assert {column.compression for column in columns} == {"ZSTD"}
    if what == "statistics":
        return {column.path_in_schema for column in columns if column.statistics is not None}
    return {column.path_in_schema for column in columns if "RLE_DICTIONARY" in column.encodings}


def test_dictionaries_are_for_categories_and_whole_numbers() -> None:
    assert columns_with(written([batch(range(20))]), "dictionary") == {
        "choice",
        "messages.list.element.role",
        "scores.key_value.value",
        "moods.list.element.key_value.value",
        "dots.in.name",
        "",
        "assay_stream",
        "assay_shard",
        "assay_line",
        "assay_byte_offset",
        "assay_byte_length",
        "assay_schema_version",
        "assay_rubric_version",
    }


def test_no_text_of_a_record_stands_in_the_footer() -> None:
    data = written([batch(range(20))])
    with_statistics = columns_with(data, "statistics")
    numbers = {"weight", "sure", "grid.list.element.list.element"}
    numbers |= {"criteria.list.element.n", "lists.list.element.value.list.element"}
    assert with_statistics == columns_with(data, "dictionary") | numbers
    footer = data[-8 - int.from_bytes(data[-8:-4], "little") :]
    assert b"task 1" not in footer
    assert b"hello" not in footer
    assert b"secret" not in footer


def test_the_paths_of_columns_are_those_that_parquet_gives() -> None:
    stored = opened(written([batch(range(20))])).schema
    paths = [stored.column(n).path for n in range(len(stored))]
    options = writer_options(FULL)
    assert {*options["use_dictionary"], *options["write_statistics"]} <= set(paths)
    assert [path for path in paths if path.startswith(("profile", "criteria", "lists"))] == [
        "profile.key_value.key",
        "profile.key_value.value",
        "criteria.list.element.name",
        "criteria.list.element.n",
        "criteria.list.element.additional_properties",
        "lists.list.element.key",
        "lists.list.element.value.list.element",
    ]


def test_no_rows_give_a_typed_file_without_row_groups() -> None:
    for batches in ([], [batch([])], [FULL.empty_table()]):
        data = written(batches)
        assert groups(data) == []
        assert opened(data).schema_arrow.equals(FULL)
        assert opened(data).read().num_rows == 0


@pytest.mark.parametrize("cuts", [[], [1], [3, 3, 4], [6, 9], [5, 10, 15], [1, 2, 18], list(range(20))])
def test_row_groups_do_not_depend_on_batches(cuts: list[int]) -> None:
    bounds = [0, *cuts, 20]
    parts = [batch(range(start, end)) for start, end in pairwise(bounds)]
    expected = written([batch(range(20))], row_group_rows=6)
    assert groups(expected) == [6, 6, 6, 2]
    assert written(parts, row_group_rows=6) == expected
    assert written([pa.Table.from_batches(parts)], row_group_rows=6) == expected
    whole = batch(range(20))
    slices = [whole.slice(start, end - start) for start, end in pairwise(bounds)]
    assert written(slices, row_group_rows=6) == expected


@pytest.mark.parametrize("step", [1, 700, 1024, 1500, 4999])
def test_pages_do_not_depend_on_batches(step: int) -> None:
    schema = pa.schema([("x", pa.string()), ("n", pa.int64())])
    rows = [{"x": None if n % 11 == 0 else f"{n:05d}" * (n % 400), "n": n % 5 or n} for n in range(5000)]
    whole = pa.Table.from_pylist(rows, schema)
    expected = written([whole], schema)
    assert opened(expected).metadata.row_group(0).column(0).total_uncompressed_size > 2 << 20, "several pages"
    assert written([whole.slice(start, step) for start in range(0, 5000, step)], schema) == expected


def sized(*sizes: int) -> pa.Table:
    return pa.table({"x": [b"." * (size - 8) for size in sizes]}, pa.schema([("x", pa.binary())]))


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((40, 60, 30, 70), [2, 2]),
        ((40, 61, 30, 70), [1, 2, 1]),
        ((250, 40, 250, 250, 8), [1, 1, 1, 1, 1]),
        ((100, 100, 8), [1, 1, 1]),
        ((8,) * 9, [4, 4, 1]),
        ((8,) * 4, [4]),
        ((8, 8, 8, 80, 8), [3, 2]),
    ],
)
def test_a_row_group_ends_before_the_row_that_would_pass_its_bounds(
    sizes: tuple[int, ...], expected: list[int]
) -> None:
    table = sized(*sizes)
    data = written([table], table.schema, row_group_rows=4, row_group_bytes=100)
    assert groups(data) == expected
    single = [table.slice(n, 1) for n in range(len(sizes))]
    assert written(single, table.schema, row_group_rows=4, row_group_bytes=100) == data


def test_other_columns_than_the_schema_has_are_refused() -> None:
    with pytest.raises(ValueError, match="a batch has columns"):
        written([batch(range(2)), batch(range(2)).select(["task"])])
    with pytest.raises(ValueError, match="or other types"):
        written([pa.table({"x": [1.0]})], pa.schema([("x", pa.int64())]))


def test_a_path_is_written_and_removed_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "gs:x" / "a.parquet"
    path.parent.mkdir()
    assert write_parquet(path, FULL, [batch(range(3))]) == 3
    assert path.read_bytes() == written([batch(range(3))])
    assert write_parquet(str(path), FULL, []) == 0
    assert path.read_bytes() == written([])

    def breaking() -> Iterator[pa.RecordBatch]:
        yield batch(range(3))
        raise RuntimeError("broken source")

    with pytest.raises(RuntimeError, match="broken source"):
        write_parquet(path, FULL, breaking(), row_group_rows=1)
    assert list(path.parent.iterdir()) == []
    with pytest.raises(IsADirectoryError):
        write_parquet(tmp_path, FULL, [])
    assert tmp_path.is_dir()


def test_memory_is_bounded_by_the_row_group() -> None:
    class Discard(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            return len(data)

    pool = pa.default_memory_pool()
    schema = pa.schema([("x", pa.binary())])
    text = os.urandom(4000)
    held: list[int] = []

    def source() -> Iterator[pa.RecordBatch]:
        for _ in range(150):
            held.append(pool.bytes_allocated() - before)
            yield pa.record_batch([pa.array([text] * 256, pa.binary())], schema=schema)

    before = pool.bytes_allocated()
    bounds = {"row_group_rows": 10_000, "row_group_bytes": 4 << 20}
    assert write_parquet(Discard(), schema, source(), **bounds) == 150 * 256
    assert max(held) < 20 << 20
