"""Baseline documents, one file a record, through the plain functions and through the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
from baseline_records import GOLDEN, VERSION, baseline, changed, signed
from golden_campaigns import STREAM, Ran, by_command, by_plain_functions, write_campaign
from test_golden import agree

from pipeline.verify import verify_run
from transforms.baselines.emitted_text import emitted_text
from transforms.records import Json

BAD: dict[str, list[str]] = json.loads((GOLDEN / "bad" / "index.json").read_bytes())
REPORTS: dict[str, list[str]] = json.loads((GOLDEN / "reports" / "index.json").read_bytes())
# Rules that reported inputs break although they were meant to show other things.
APART = ("wilson-bound", "percentile-value", "percentile-gate")
SHOWN = {
    "24-baseline-fractional-latency.yaml",
    "58-baseline-empty-covariates.yaml",
    "68-baseline-good.yaml",
    "68-baseline-crlf.yaml",
    "70-baseline-rate-six-decimals.yaml",
}


def campaign(folder: Path, pattern: str, **stream: Any) -> Path:
    return write_campaign(folder, pattern, {"streams": {STREAM: {"format": "documents", **stream}}}, {}, VERSION)


def both(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ran:
    plain = by_plain_functions(path, tmp_path / "plain")
    ran = by_command(path, tmp_path / "command", capsys)
    assert agree(plain.folder, ran.folder)
    assert verify_run(ran.folder) == ()
    return ran


def refused(ran: Ran) -> dict[str, list[str]]:
    """Shard → sorted codes, of rejected and held documents."""
    rows = [row for outcome in ("rejected", "held") for row in ran.refused(outcome)]
    return {row["shard"]: sorted({finding["code"] for finding in row["findings"]}) for row in rows}


def accepted(ran: Ran) -> list[dict[str, Any]]:
    paths = sorted((ran.folder / "accepted" / STREAM).glob("*.parquet"))
    return [row for path in paths for row in pq.read_table(path).to_pylist()]


def test_good_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = both(campaign(tmp_path / "c", str(GOLDEN / "good" / "*.yaml")), tmp_path, capsys)
    rows = accepted(ran)
    paths = sorted((GOLDEN / "good").glob("*.yaml"))
    assert [row["assay_shard"] for row in rows] == [path.name for path in paths]
    assert [row["assay_archival_bytes"] for row in rows] == [path.read_bytes() for path in paths]
    assert {row["assay_fingerprint_form"] for row in rows} == {"text"}
    assert ran.manifest["streams"][STREAM]["codes"] == {}
    assert [row["records"]["accepted"] for row in ran.manifest["inputs"]] == [1] * len(paths)


def test_each_bad_document_has_one_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = both(campaign(tmp_path / "c", str(GOLDEN / "bad" / "*.yaml")), tmp_path, capsys)
    warned = {name for name, codes in BAD.items() if codes == ["failure-input-unknown"]}
    assert refused(ran) == {name: codes for name, codes in BAD.items() if name not in warned}
    assert {row["assay_shard"] for row in accepted(ran)} == warned
    assert ran.manifest["streams"][STREAM]["warned"] == {"failure-input-unknown": 1}
    assert all(len(row["findings"]) == 1 for row in ran.refused("rejected"))


def test_reported_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = both(campaign(tmp_path / "c", str(GOLDEN / "reports" / "*.yaml")), tmp_path, capsys)
    assert refused(ran) == REPORTS


def test_what_reported_documents_were_to_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the rules that they break by the way, just those that show a fault are refused."""
    allowed = {
        "rules": dict.fromkeys(APART, "allow"),
        "identity": dict.fromkeys(("identity-collision", "duplicate-record"), "allow"),
    }
    ran = both(campaign(tmp_path / "c", str(GOLDEN / "reports" / "*.yaml"), **allowed), tmp_path, capsys)
    rows = {row["assay_shard"]: row for row in accepted(ran)}
    assert rows.keys() == SHOWN
    assert rows["24-baseline-fractional-latency.yaml"]["latency"]["p50Ms"] == 12.75
    assert rows["24-baseline-fractional-latency.yaml"]["latency"]["sortedPassingLatenciesMs"][-1] == 16.25
    assert rows["58-baseline-empty-covariates.yaml"]["covariateProfile"] == []
    others = {name: [code for code in codes if code not in APART] for name, codes in REPORTS.items()}
    assert refused(ran) == {name: codes for name, codes in others.items() if name not in SHOWN}


def _lines(*values: Any) -> bytes:
    return b"".join(orjson.dumps(value) + b"\n" for value in values)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _named(service: str) -> Json:
    return signed(changed(baseline(), "serviceName", service))


def test_every_form_of_one_content(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """YAML and JSON files in folders, and lines of both forms, in one campaign."""
    _write(tmp_path / "docs/deep/er/a.yaml", emitted_text(_named("a")).encode())
    _write(tmp_path / "docs/b.yml", emitted_text(_named("b")).replace("\n", "\r\n").encode())
    _write(tmp_path / "json/c.json", json.dumps(_named("c"), indent=1).encode())
    _write(tmp_path / "lines.jsonl", _lines({"document": emitted_text(_named("d"))}, _named("e")))
    streams = {
        STREAM: {"input": ["docs/**/*.y*ml", "json/*.json"], "format": "documents"},
        "exported": {"kind": VERSION, "versions": [VERSION], "input": "lines.jsonl"},
    }
    path = write_campaign(tmp_path, "", {"streams": streams}, {}, VERSION)
    ran = both(path, tmp_path, capsys)
    assert refused(ran) == {}
    forms = {(row["serviceName"], row["assay_shard"]): row["assay_fingerprint_form"] for row in accepted(ran)}
    assert forms == {
        ("a", "docs/deep/er/a.yaml"): "text",
        ("b", "docs/b.yml"): "text",
        ("c", "json/c.json"): "emitter-text",
    }
    exported = pq.read_table(ran.folder / "accepted" / "exported" / "lines.jsonl-b00000.parquet").to_pylist()
    assert [(row["serviceName"], row["assay_fingerprint_form"]) for row in exported] == [
        ("d", "text"),
        ("e", "emitter-text"),
    ]
    assert exported[0]["assay_archival_bytes"] == (tmp_path / "lines.jsonl").read_bytes().splitlines()[0]


def test_remeasurements_across_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One identity: an old file, a newer line, its duplicate file; another identity twice at one instant."""
    newer = signed(
        changed(
            changed(baseline(), "generatedAt", "2026-08-03T12:00:00.000000001Z"), "expiration", {"expiresInDays": 1}
        )
    )
    collision = signed(changed(baseline(), "serviceName", "other"))
    shifted = signed(changed(collision, "generatedAt", "2026-08-03T12:00:00Z"))
    _write(tmp_path / "docs/a.yaml", emitted_text(signed(baseline())).encode())
    _write(tmp_path / "docs/b.yaml", emitted_text(newer).encode())
    _write(tmp_path / "docs/c.yaml", emitted_text(collision).encode())
    _write(tmp_path / "docs/d.yaml", emitted_text(shifted).encode())
    _write(tmp_path / "lines.jsonl", _lines({"document": emitted_text(newer)}))
    streams = {
        STREAM: {"input": "docs/*.yaml", "format": "documents"},
        "exported": {"kind": VERSION, "versions": [VERSION], "input": "lines.jsonl"},
    }
    ran = both(write_campaign(tmp_path, "", {"streams": streams}, {}, VERSION), tmp_path, capsys)
    assert refused(ran) == {
        "a.yaml": ["superseded-baseline"],
        "c.yaml": ["identity-collision"],
        "d.yaml": ["identity-collision"],
        "lines.jsonl": ["duplicate-record"],
    }
    named = {row["shard"]: row["findings"][0]["related"] for row in ran.refused("rejected")}
    assert named["c.yaml"] == [{"stream": STREAM, "shard": "d.yaml", "line": 1}]
    assert named["lines.jsonl"] == [{"stream": STREAM, "shard": "b.yaml", "line": 1}]
    assert {(place["stream"], place["shard"]) for place in named["a.yaml"]} == {
        (STREAM, "b.yaml"),
        ("exported", "lines.jsonl"),
    }


def test_rfc8785_where_the_campaign_declares_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import hashlib

    import rfc8785

    rest = {key: member for key, member in baseline().items() if key != "contentFingerprint"}
    value = dict(sorted(rest.items()))
    value["contentFingerprint"] = "sha256:" + hashlib.sha256(rfc8785.dumps(rest)).hexdigest()
    _write(tmp_path / "a.jsonl", _lines(dict(sorted(value.items()))))
    stream: dict[str, Any] = {"streams": {STREAM: {"fingerprint": "rfc8785"}}}
    declared = both(write_campaign(tmp_path / "c", str(tmp_path / "a.jsonl"), stream, {}, VERSION), tmp_path, capsys)
    assert [row["assay_fingerprint_form"] for row in accepted(declared)] == ["rfc8785"]
    silent = write_campaign(tmp_path / "d", str(tmp_path / "a.jsonl"), {}, {}, VERSION)
    ran = by_command(silent, tmp_path / "out", capsys)
    assert refused(ran) == {"a.jsonl": ["fingerprint-unverifiable"]}


@pytest.mark.parametrize("canonicalisation", ["raw", "jcs"])
def test_archival_bytes_are_the_documents_own(
    canonicalisation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = emitted_text(signed(baseline())).replace("\n", "\r\n").encode()
    _write(tmp_path / "a.yaml", text)
    patch = {"canonicalisation": canonicalisation, "streams": {STREAM: {"format": "documents"}}}
    ran = both(write_campaign(tmp_path / "c", str(tmp_path / "*.yaml"), patch, {}, VERSION), tmp_path, capsys)
    assert [row["assay_archival_bytes"] for row in accepted(ran)] == [text]
