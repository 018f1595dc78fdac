"""Verify a committed run with nothing but its folder: every digest, every count, every archival byte string."""

from __future__ import annotations

from pathlib import Path

from pipeline.verify.contents import check_contents
from pipeline.verify.inputs import check_inputs
from pipeline.verify.listing import check_listing, read_manifest
from transforms.records import Finding


def verify_run(run: Path, *, inputs: bool = False, inputs_base: Path | None = None) -> tuple[Finding, ...]:
    """All that is wrong with the run at `run`; () for one that is whole.

    With `inputs` the shards are checked too: a relative one is looked for under `inputs_base`, by default
    the campaign's folder at the time of the run. A finding's pointer is the path of a file in the run.
    """
    manifest, findings = read_manifest(run)
    if manifest is None:
        return findings
    findings += check_listing(run, manifest)
    findings += check_contents(run, manifest)
    if inputs:
        findings += check_inputs(run, manifest, inputs_base)
    return findings
