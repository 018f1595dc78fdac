"""Every golden case, through the plain functions and through the command."""

from __future__ import annotations

import filecmp
import json
from pathlib import Path
from typing import Any

import pytest
from golden_campaigns import GOLDEN, Ran, by_command, by_plain_functions, write_campaign

from pipeline.sample.bundles import document
from pipeline.sample.pairwise import line
from pipeline.verify import verify_run

KINDS_REPORTS = GOLDEN / "reports-kinds"
CASES = sorted(path.parent for path in (GOLDEN / "pairwise").glob("*/case.json"))
REPORTS: dict[str, dict[str, Any]] = json.loads((GOLDEN / "reports" / "expected.json").read_text(encoding="utf-8"))
REPORTS_OF_KINDS: dict[str, dict[str, Any]] = json.loads((KINDS_REPORTS / "expected.json").read_text(encoding="utf-8"))


def agree(one: Path, other: Path) -> bool:
    """Whether two run folders hold the same files with the same bytes."""
    names = [sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()) for root in (one, other)]
    return names[0] == names[1] and filecmp.cmpfiles(one, other, names[0], shallow=False)[0] == names[0]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads((case / "case.json").read_text(encoding="utf-8"))
    campaign, schema = document.get("campaign", {}), document.get("schema", {})
    path = write_campaign(tmp_path / "campaign", str(case / "input.jsonl"), campaign, schema)
    plain = by_plain_functions(path, tmp_path / "plain")
    command = by_command(path, tmp_path / "command", capsys)
    assert (plain.lines(), command.lines(), command.code) == (document["lines"], document["lines"], 0)
    assert verify_run(command.folder) == ()
    assert agree(plain.folder, command.folder)


@pytest.mark.parametrize("name", REPORTS)
def test_reported_input(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = REPORTS[name]
    path = write_campaign(tmp_path / "campaign", str(GOLDEN / "reports" / name), {}, {})
    ran = by_command(path, tmp_path / "out", capsys)
    if "fault" in expected:
        assert (ran.code, ran.folder.exists()) == (3, False)
        assert ran.complaint.startswith(f"assay: annotations/{name}: {expected['fault']}: ")
        assert ran.complaint.count("\n") == 1
        _quarantined(name, expected["fault"], tmp_path, capsys)
        return
    books = ran.manifest["streams"]["annotations"]["records"]
    assert (ran.code, ran.lines()) == (0, expected["lines"])
    assert books["accepted"] == expected["accepted"]
    assert books["read"] == expected["accepted"] + len(expected["lines"])
    assert [row["code"] for row in ran.manifest["warnings"]] == expected.get("warnings", [])
    assert verify_run(ran.folder) == ()


def _quarantined(name: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same shard beside a sound one, in a campaign that goes on without it."""
    (tmp_path / "sound.jsonl").symlink_to(GOLDEN / "reports" / "06-crlf.jsonl")
    (tmp_path / name).symlink_to(GOLDEN / "reports" / name)
    campaign = {"on_corrupt_shard": "quarantine"}
    path = write_campaign(tmp_path / "quarantine", str(tmp_path / "*.jsonl*"), campaign, {})
    ran: Ran = by_command(path, tmp_path / "out", capsys)
    assert ran.code == 0
    assert ran.manifest["streams"]["annotations"]["records"] == {"read": 3, "accepted": 3, "rejected": 0, "held": 0}
    assert [(row["shard"], row["code"]) for row in ran.manifest["warnings"]] == [(name, fault)]
    assert [row["fault"]["code"] for row in ran.manifest["inputs"] if "fault" in row] == [fault]
    assert verify_run(ran.folder) == ()


@pytest.mark.parametrize("name", REPORTS_OF_KINDS)
def test_reported_input_of_other_kinds(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = REPORTS_OF_KINDS[name]
    facts = {}
    if sources := expected.get("documents", ()):
        facts["documents"] = str(tmp_path / "documents.jsonl")
        rows = [line(document("doc-harbour", (KINDS_REPORTS / source).read_bytes().decode())) for source in sources]
        (tmp_path / "documents.jsonl").write_bytes(b"\n".join(rows))
    shard = KINDS_REPORTS / f"{name.partition(' ')[0]}.jsonl"
    path = write_campaign(tmp_path / "campaign", str(shard), {}, {}, expected["kind"], facts)
    plain = by_plain_functions(path, tmp_path / "plain")
    ran = by_command(path, tmp_path / "command", capsys)
    assert (ran.code, ran.lines()) == (0, expected["lines"])
    books = {name: stream["records"] for name, stream in ran.manifest["streams"].items()}
    refused, held = len(expected["lines"]), expected.get("held", 0)
    read = {"read": expected["accepted"] + refused, "accepted": expected["accepted"]}
    assert books.pop("annotations") == read | {"rejected": refused - held, "held": held}
    assert books == {fact: {"read": 1, "accepted": 1, "rejected": 0, "held": 0} for fact in facts}
    assert ran.manifest["streams"]["annotations"]["warned"] == expected.get("warned", {})
    assert verify_run(ran.folder) == ()
    assert agree(plain.folder, ran.folder)
