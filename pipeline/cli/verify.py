"""assay verify."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pipeline.cli import FORMAT


@click.command("verify")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--inputs", is_flag=True, help="Check the input shards too.")
@click.option("--inputs-base", type=click.Path(path_type=Path), help="Where relative inputs are, if they moved.")
@FORMAT
def command(run: Path, inputs: bool, inputs_base: Path | None, form: str) -> int:
    """Verify the published run, or the export, in the folder RUN: digests, counts, records, nothing else present."""
    from pipeline.report.findings import print_findings
    from pipeline.verify import verify_folder

    findings = verify_folder(run, inputs=inputs, inputs_base=inputs_base)
    print_findings(findings, form, sys.stdout, fine=f"{run}: whole")
    return 3 if findings else 0
