"""Inputs that were reported, of traces and grounded answers, through the command."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from golden_campaigns import GOLDEN, Lines, Ran, by_command
from source_tree import ROOT

FOLDER = GOLDEN / "reports-kinds"
REPORTS: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_bytes())
STANDALONE = ROOT / "manifests" / "kinds" / "standalone.json"


def lines_of(ran: Ran, stream: str) -> Lines:
    """Line number → sorted codes, of one stream's refused records."""
    rows = [row for outcome in ("rejected", "held") for row in ran.refused(outcome) if row["stream"] == stream]
    return {str(row["line"]): sorted({each["code"] for each in row["findings"]}) for row in rows}


@pytest.mark.parametrize("name", REPORTS)
def test_reported_input(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = REPORTS[name]
    stream = expected["stream"]
    ran = by_command(STANDALONE, tmp_path / "out", capsys, "--input", f"{stream}={FOLDER / name}")
    assert (ran.code, lines_of(ran, stream)) == (0, expected["lines"])
    assert ran.manifest["streams"][stream]["records"]["accepted"] == expected["accepted"]


@pytest.mark.parametrize(
    ("unit", "accepted"), [("code-points", "c32-cp"), ("utf-16-units", "c32-u16"), ("utf-8-bytes", "c32-bytes")]
)
def test_citations_against_their_document(
    unit: str, accepted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (FOLDER / "32-source-doc-harbour.txt").read_bytes()
    harbour = {"schema_version": "document-v1", "document_id": "doc-harbour", "text": text.decode()}
    harbour["sha256"] = hashlib.sha256(text).hexdigest()
    (tmp_path / "documents.jsonl").write_text(json.dumps(harbour), encoding="utf-8")
    campaign = json.loads((ROOT / "manifests" / "kinds" / "campaign.json").read_bytes())
    campaign["streams"] = {name: campaign["streams"][name] for name in ("answers", "documents")}
    campaign["streams"]["answers"]["offsets"] = unit
    campaign |= {"without": ["tasks"], "rubrics": {}}
    (tmp_path / "campaign.json").write_text(json.dumps(campaign), encoding="utf-8")
    inputs = (f"answers={FOLDER / '32-citation-offsets.jsonl'}", f"documents={tmp_path / 'documents.jsonl'}")
    flags = [flag for pattern in inputs for flag in ("--input", pattern)]
    ran = by_command(tmp_path / "campaign.json", tmp_path / "out", capsys, *flags)
    found = lines_of(ran, "answers")
    tasks = [json.loads(line)["task_id"] for line in (FOLDER / "32-citation-offsets.jsonl").open(encoding="utf-8")]
    left = [task for number, task in enumerate(tasks, 1) if str(number) not in found]
    assert (ran.code, left) == (0, [accepted])
    assert {code for codes in found.values() for code in codes} <= {
        "span-order",
        "quote-mismatch",
        "span-out-of-bounds",
    }
