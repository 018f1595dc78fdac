"""assay check."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pipeline.cli import FORMAT, location

if TYPE_CHECKING:
    from transforms.storage.location import Location


@click.command("check")
@click.argument("campaign", type=location)
@FORMAT
def command(campaign: Location, form: str) -> int:
    """Check CAMPAIGN: manifest, pins, schemas, references, rubrics and fixtures. No record is read."""
    from pipeline.campaign_check import check_campaign
    from pipeline.report.findings import print_findings
    from transforms.records import Severity

    findings = check_campaign(campaign)
    unfit = any(finding.severity is not Severity.WARN for finding in findings)
    print_findings(findings, form, sys.stdout, fine=f"{campaign}: fit to run")
    return 2 if unfit else 0
