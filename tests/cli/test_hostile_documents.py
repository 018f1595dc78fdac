"""Documents that are no files, or whose values are odd and legal."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from golden_campaigns import GOLDEN, by_command, write_campaign

from pipeline.__main__ import run_command
from pipeline.campaign import load_campaign
from transforms.records import Finding

INPUT = str(GOLDEN / "reports" / "06-crlf.jsonl")


@pytest.mark.parametrize("command", ["check", "pin"])
def test_a_device_is_no_campaign(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command([command, "/dev/zero"]) == 2
    said = capsys.readouterr()
    assert "is no regular file" in said.out + said.err


def test_a_pipe_is_no_campaign_and_no_manifest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "campaign.json")
    assert run_command(["check", str(tmp_path / "campaign.json")]) == 2
    os.mkfifo(tmp_path / "manifest.json")
    assert run_command(["verify", str(tmp_path)]) == 3
    assert "is no regular file" in capsys.readouterr().out


def test_a_rubric_may_not_be_a_device(tmp_path: Path) -> None:
    pin = {"rubrics": {"code-review-v1": {"path": "/dev/zero"}}}
    problems = load_campaign(write_campaign(tmp_path, INPUT, pin, {}))
    assert isinstance(problems, tuple)
    assert [finding.code for finding in problems] == ["document-unreadable"]


def test_limits_that_are_written_as_floats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limits = {"limits": {"block_bytes": 1024.0, "max_findings_per_record": 2.0, "max_expanded_bytes": 1e9}}
    ran = by_command(write_campaign(tmp_path / "campaign", INPUT, limits, {}), tmp_path / "out", capsys)
    assert (ran.code, ran.manifest["streams"]["annotations"]["records"]["accepted"]) == (0, 3)


def test_a_reference_to_nowhere_is_told_of_alone(tmp_path: Path) -> None:
    stray = {"properties": {"x": {"$ref": "http://localhost:1/x.json"}}}
    path = write_campaign(tmp_path, INPUT, {}, stray)
    campaign = json.loads(path.read_bytes())
    sound = {"path": "assay:document-v1"}
    campaign["schemas"]["document-v1"] = sound | {"sha256": _digest_of("document-v1")}
    path.write_text(json.dumps(campaign), encoding="utf-8")
    problems = load_campaign(path)
    assert isinstance(problems, tuple)
    assert [_told(finding) for finding in problems] == [("unresolvable-reference", "/properties/x/$ref")]


def _digest_of(kind: str) -> str:
    import schemas
    from transforms.digests import sha256_hex

    return sha256_hex(schemas.schema_path("records", kind).read_bytes())


def _told(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.pointer


def test_a_number_of_workers_is_not_negative(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_campaign(tmp_path / "campaign", INPUT, {}, {})
    ran = by_command(path, tmp_path / "out", capsys, "--direct_num_workers=-3")
    assert (ran.code, ran.folder.exists()) == (2, False)
