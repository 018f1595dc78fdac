import pyarrow as pa

from transforms.columns.provenance import PROVENANCE_SCHEMA, Provenance, full_schema, provenance_columns


def test_provenance_columns() -> None:
    first = Provenance("pairwise", "a.jsonl", 1, 0, 12, "pairwise-v2", "code-review-v1", "00" * 32, b'{"a": "\xc3"}')
    second = Provenance("pairwise", "a.jsonl", 2, 13, 2**40, "pairwise-v2", None, "ff" * 32, b"{}")
    batch = pa.RecordBatch.from_arrays(provenance_columns([first, second]), schema=PROVENANCE_SCHEMA)
    batch.validate(full=True)
    assert batch.to_pylist() == [
        {
            "assay_stream": "pairwise",
            "assay_shard": "a.jsonl",
            "assay_line": 1,
            "assay_byte_offset": 0,
            "assay_byte_length": 12,
            "assay_schema_version": "pairwise-v2",
            "assay_rubric_version": "code-review-v1",
            "assay_record_sha256": "00" * 32,
            "assay_archival_bytes": b'{"a": "\xc3"}',
        },
        {
            "assay_stream": "pairwise",
            "assay_shard": "a.jsonl",
            "assay_line": 2,
            "assay_byte_offset": 13,
            "assay_byte_length": 2**40,
            "assay_schema_version": "pairwise-v2",
            "assay_rubric_version": None,
            "assay_record_sha256": "ff" * 32,
            "assay_archival_bytes": b"{}",
        },
    ]
    assert [len(column) for column in provenance_columns([])] == [0] * len(PROVENANCE_SCHEMA)


def test_only_the_rubric_version_may_be_missing() -> None:
    assert [field.name for field in PROVENANCE_SCHEMA if field.nullable] == ["assay_rubric_version"]


def test_the_record_comes_first() -> None:
    record = pa.schema([("schema_version", pa.string()), ("line", pa.int64())])
    assert full_schema(record).names == ["schema_version", "line", *PROVENANCE_SCHEMA.names]
    assert full_schema(pa.schema([])).equals(PROVENANCE_SCHEMA, check_metadata=True)
