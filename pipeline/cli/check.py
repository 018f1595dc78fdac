"""assay check."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pipeline.cli import FORMAT


@click.command("check")
@click.argument("campaign", type=click.Path(path_type=Path))
@FORMAT
def command(campaign: Path, form: str) -> int:
    """Check CAMPAIGN: manifest, pins, schemas, references, rubrics and fixtures. No record is read."""
    from pipeline.campaign_check import check_campaign
    from pipeline.report.findings import print_findings
    from transforms.records import Severity

    findings = check_campaign(campaign)
    unfit = any(finding.severity is not Severity.WARN for finding in findings)
    print_findings(findings, form, sys.stdout, fine=f"{campaign}: fit to run")
    return 2 if unfit else 0
