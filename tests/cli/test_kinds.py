"""The campaigns with every kind of record: with all facts, and with none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from golden_campaigns import Ran, agree, by_command, by_plain_functions
from source_tree import ROOT

from pipeline.__main__ import run_command
from pipeline.verify import verify_run

KINDS = ROOT / "manifests" / "kinds"
EXPECTED: list[dict[str, Any]] = json.loads((KINDS / "expected.json").read_bytes())
WARNINGS = {"latency-mismatch", "look-alike-id"}


def by_place(ran: Ran) -> dict[tuple[str, int], list[str]]:
    """Sorted codes of each refused record."""
    rows = [*ran.refused("rejected"), *ran.refused("held")]
    return {(row["stream"], row["line"]): sorted({each["code"] for each in row["findings"]}) for row in rows}


@pytest.mark.parametrize("name", ["campaign", "standalone"])
def test_every_fault_gets_its_code(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = by_command(KINDS / f"{name}.json", tmp_path / "out", capsys)
    assert (ran.code, verify_run(ran.folder)) == (0, ())
    found, streams = by_place(ran), ran.manifest["streams"]
    for row in EXPECTED:
        shown = name == "campaign" or (not row["facts"] and row["stream"] in streams)
        if row["code"] in WARNINGS:
            assert (row["code"] in streams.get(row["stream"], {}).get("warned", {})) == shown, row
        elif shown:
            assert found.get((row["stream"], row["line"])) == [row["code"]], row
    if name == "standalone":
        by_facts, alone = ({row["code"] for row in EXPECTED if row["facts"] is facts} for facts in (True, False))
        assert (by_facts - alone).isdisjoint(code for stream in streams.values() for code in stream["codes"])


def test_the_plain_functions_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = by_plain_functions(KINDS / "campaign.json", tmp_path / "plain")
    command = by_command(KINDS / "campaign.json", tmp_path / "command", capsys)
    assert agree(plain.folder, command.folder)


@pytest.mark.parametrize("name", ["campaign", "standalone"])
def test_the_manifests_are_fit_to_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["check", str(KINDS / f"{name}.json")]) == 0


def test_nothing_of_a_private_record_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clinical = {"task_id": "qa-1", "domain": "clinical_qa", "question": "MARKER?", "answer": "MARKER.", "abstain": True}
    lines = [
        {**clinical, "citations": []},
        {**clinical, "citations": [], "MARKER": 1},
        {**clinical, "domain": "clinical-qa", "citations": []},
        {**clinical, "citations": {}},
    ]
    data = [json.dumps(line).encode() for line in lines]
    data += [data[0][:-1], data[0].replace(b'"abstain"', b'"MARKER": 1, "MARKER": 2, "abstain"')]
    (tmp_path / "answers.jsonl").write_bytes(b"\n".join(data))
    inputs = ("--input", f"answers={tmp_path / 'answers.jsonl'}")
    ran = by_command(KINDS / "standalone.json", tmp_path / "out", capsys, *inputs)
    rows = [row for outcome in ("rejected", "held") for row in ran.refused(outcome) if row["stream"] == "answers"]
    assert [row["line"] for row in sorted(rows, key=lambda row: row["line"])] == [1, 2, 3, 4, 5, 6]
    assert "MARKER" not in json.dumps(rows)
