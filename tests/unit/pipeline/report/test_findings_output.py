from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

from pipeline.report.findings import print_findings, print_summary
from pipeline.run import Committed
from transforms.records import Finding

FINDINGS = (Finding("schema/type", "must be of type integer", "/a"), Finding("invalid-json", "cut\nshort"))


def printed(findings: tuple[Finding, ...], form: str) -> str:
    out = StringIO()
    print_findings(findings, form, out, fine="all is well")
    return out.getvalue()


def test_text() -> None:
    assert printed(FINDINGS, "text") == "schema/type: /a: must be of type integer\ninvalid-json: cut\\nshort\n"
    assert printed((), "text") == "all is well\n"


def test_json() -> None:
    assert json.loads(printed(FINDINGS, "json")) == [
        {"code": "schema/type", "pointer": "/a", "message": "must be of type integer", "severity": "error"},
        {"code": "invalid-json", "pointer": "", "message": "cut\nshort", "severity": "error"},
    ]
    assert printed((), "json") == "[]\n"


def test_a_summary_as_json_has_folder_streams_and_warnings() -> None:
    manifest = {"run_id": "r", "streams": {"a": {}}, "warnings": [{"code": "empty-shard"}], "outputs": []}
    out = StringIO()
    print_summary(Committed(Path("out/r"), manifest), "json", out)
    assert json.loads(out.getvalue()) == {
        "folder": "out/r",
        "run_id": "r",
        "streams": {"a": {}},
        "warnings": [{"code": "empty-shard"}],
        "campaign_warnings": [],
    }
