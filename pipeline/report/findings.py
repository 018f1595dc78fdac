"""Findings and summaries on standard output, as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TextIO

from pipeline.report.printable import finding_line, printable
from pipeline.report.text import render_summary
from pipeline.run import Committed
from transforms.records import Finding


def print_findings(findings: Sequence[Finding], form: str, out: TextIO, *, fine: str) -> None:
    """One line each, `fine` where there are none; or one JSON array."""
    if form == "json":
        rows = [{"code": row.code, "pointer": row.pointer, "message": row.message} for row in findings]
        print(json.dumps(rows, indent=2), file=out)
        return
    for finding in findings:
        print(printable(finding_line(finding)), file=out)
    if not findings:
        print(fine, file=out)


def print_summary(committed: Committed, form: str, out: TextIO) -> None:
    """A committed run: the readable summary, or folder, streams and warnings as one JSON object."""
    manifest = committed.manifest
    if form == "text":
        print(render_summary(manifest, committed.folder), file=out, end="")
        return
    row = {key: manifest[key] for key in ("run_id", "streams", "warnings")}
    print(json.dumps({"folder": str(committed.folder), **row}, indent=2), file=out)
