"""Findings and summaries on standard output, as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TextIO

from pipeline.report.printable import finding_line, printable
from pipeline.report.text import render_summary
from pipeline.run import Committed
from transforms.records import Finding, Severity


def print_findings(findings: Sequence[Finding], form: str, out: TextIO, *, fine: str) -> None:
    """One line each, then `fine` where there are none but warnings; or one JSON array."""
    if form == "json":
        print(json.dumps([_row(finding) for finding in findings], indent=2), file=out)
        return
    for finding in findings:
        print(printable(f"warning: {finding_line(finding)}" if _warns(finding) else finding_line(finding)), file=out)
    if all(map(_warns, findings)):
        print(fine, file=out)


def _warns(finding: Finding) -> bool:
    return finding.severity is Severity.WARN


def _row(finding: Finding) -> dict[str, str]:
    severity = "warning" if _warns(finding) else "error"
    return {"code": finding.code, "pointer": finding.pointer, "message": finding.message, "severity": severity}


def print_summary(committed: Committed, form: str, out: TextIO, warnings: Sequence[Finding] = ()) -> None:
    """A committed run: the readable summary, or folder, streams and warnings as one JSON object.

    `warnings` are those about the campaign; text leaves them out, as they were said before the run began.
    """
    manifest = committed.manifest
    if form == "text":
        print(render_summary(manifest, committed.folder), file=out, end="")
        return
    row = {key: manifest[key] for key in ("run_id", "streams", "warnings")}
    row["campaign_warnings"] = [_row(finding) for finding in warnings]
    print(json.dumps({"folder": str(committed.folder), **row}, indent=2), file=out)
