"""Private records stay where they are, unless somebody asks for them by name."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from commands import assay, read
from golden_campaigns import by_plain_functions
from source_tree import ROOT

CLINICAL = 6


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return by_plain_functions(ROOT / "manifests" / "acceptance" / "campaign.json", tmp_path_factory.mktemp("r")).folder


def test_by_default_no_row_is_of_a_clinical_record(run: Path, tmp_path: Path) -> None:
    said = assay("export", run, "--output", tmp_path / "x", "--format", "conversational", "--stream", "clinical")
    assert (said.code, said.err) == (1, "")
    manifest = read(tmp_path / "x" / "export.json")
    assert manifest["streams"]["clinical"] == {
        "kind": "grounded-qa-v1",
        "records": CLINICAL,
        "exported": 0,
        "rows": 0,
        "dropped": {"private": CLINICAL},
        "rights": {},
    }
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == ["SHA256SUMS", "export.json", "lineage.parquet"]
    rows = pq.read_table(tmp_path / "x" / "lineage.parquet").to_pylist()
    assert [(row["outcome"], row["reason"], row["split"]) for row in rows] == [("dropped", "private", None)] * CLINICAL
    assert assay("verify", tmp_path / "x").code == 0


def test_they_are_exported_where_that_is_said(run: Path, tmp_path: Path) -> None:
    flags = ("--format", "conversational", "--stream", "clinical", "--include-private")
    assert assay("export", run, "--output", tmp_path / "x", *flags).code == 0
    manifest = read(tmp_path / "x" / "export.json")
    assert manifest["options"] == {"include_private": True}
    assert manifest["streams"]["clinical"]["rows"] == CLINICAL


def test_evidence_that_may_repeat_a_clinical_record(run: Path, tmp_path: Path) -> None:
    assert assay("export", run, "--output", tmp_path / "x", "--format", "jsonl").code == 0
    streams = read(tmp_path / "x" / "export.json")["streams"]
    assert {name for name, stream in streams.items() if not stream["exported"]} == {
        *("adjudications", "clinical", "safety-annotations"),
    }
    assert streams["reviews"]["dropped"].keys() == {"private"}
