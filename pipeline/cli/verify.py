"""assay verify."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pipeline.cli import FORMAT, location

if TYPE_CHECKING:
    from transforms.storage.location import Location


@click.command("verify")
@click.argument("run", type=location)
@click.option("--inputs", is_flag=True, help="Check the input shards too.")
@click.option("--inputs-base", type=location, help="Where relative inputs are, if they moved.")
@FORMAT
def command(run: Location, inputs: bool, inputs_base: Location | None, form: str) -> int:
    """Verify the published run, or the export, in the folder RUN: digests, counts, records, nothing else present."""
    from pipeline.report.findings import print_findings
    from pipeline.verify import verify_folder

    findings = verify_folder(run, inputs=inputs, inputs_base=inputs_base)
    print_findings(findings, form, sys.stdout, fine=f"{run}: whole")
    return 3 if findings else 0
