"""The lineage as Arrow: one batch after another, whatever their size."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from pipeline.export.lineage import LINEAGE_SCHEMA, Lineage, Origin, batches
from pipeline.export.values import Changes

ORIGIN = Origin("annotations", "a.jsonl", 3, "0" * 64)
CHANGES = Changes(("/ratings",), (("/messages", "/prompt"),), (("/preference", "said"),))


def test_rows() -> None:
    rows = [Lineage(ORIGIN, reason="tie"), Lineage(ORIGIN, "train", None, "train/a.jsonl", 1, CHANGES)]
    [batch] = batches(rows, "f" * 64)
    about = {"run_manifest_sha256": "f" * 64, "stream": "annotations", "shard": "a.jsonl", "line": 3}
    nothing = dict.fromkeys(("split", "export_file", "export_line"))
    lists = dict.fromkeys(("dropped_fields", "renamed_fields", "normalised_fields"))
    assert batch.schema.equals(LINEAGE_SCHEMA)
    assert batch.to_pylist() == [
        {**about, "record_sha256": "0" * 64, "outcome": "dropped", "reason": "tie", **nothing, **lists},
        {
            **about,
            "record_sha256": "0" * 64,
            "outcome": "exported",
            "reason": None,
            "split": "train",
            "export_file": "train/a.jsonl",
            "export_line": 1,
            "dropped_fields": ["/ratings"],
            "renamed_fields": [{"field": "/messages", "to": "/prompt"}],
            "normalised_fields": [{"field": "/preference", "how": "said"}],
        },
    ]


def test_many_rows_come_in_batches() -> None:
    taken = 0

    def rows() -> Iterator[Lineage]:
        nonlocal taken
        for _ in range(3000):
            taken += 1
            yield Lineage(ORIGIN, reason="tie")

    found = batches(rows(), "f" * 64)
    assert (next(found).num_rows, taken) == (1024, 1024)
    assert pa.Table.from_batches(list(found)).num_rows == 3000 - 1024
    assert list(batches([], "f" * 64)) == []
