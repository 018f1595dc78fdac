"""Verify a committed run, or an export of one, with nothing but its folder: digests, counts, records, decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.exits import Exit, RunError

if TYPE_CHECKING:
    from transforms.records import Finding
    from transforms.storage.location import Location


def verify_folder(folder: Location, *, inputs: bool, inputs_base: Location | None) -> tuple[Finding, ...]:
    """All that is wrong with what `folder` holds: an export where it has an export's manifest alone, else a run.

    Raises RunError (Exit.USAGE) where the inputs of an export are asked for, and OSError as `verify_run` does.
    """
    from pipeline.verify.exports import is_export, verify_export

    if not is_export(folder):
        return verify_run(folder, inputs=inputs or inputs_base is not None, inputs_base=inputs_base)
    if inputs or inputs_base is not None:
        raise RunError(Exit.USAGE, f"{folder} is an export; inputs are those of its run")
    return verify_export(folder)


def verify_run(run: Location, *, inputs: bool = False, inputs_base: Location | None = None) -> tuple[Finding, ...]:
    """All that is wrong with the run at `run`; () for one that is whole.

    With `inputs` the shards are checked too: a relative one is looked for under `inputs_base`, by default
    the campaign's folder at the time of the run; an object, where it was. A finding's pointer is the path of a file in
    the run.
    Raises OSError where a folder of the run cannot be listed.
    """
    # Not above: whoever needs the codes alone would load Arrow.
    from pipeline.committed.folder import entries
    from pipeline.committed.manifest_file import read_manifest
    from pipeline.verify.contents import check_contents
    from pipeline.verify.decisions import check_decisions
    from pipeline.verify.inputs import check_inputs
    from pipeline.verify.listing import check_listing

    found, findings = read_manifest(run)
    if found is None:
        return findings
    present = tuple(entries(run))
    findings += check_listing(present, found.value)
    findings += check_contents(run, present, found.value)
    findings += tuple(check_decisions(run, found.value))
    if inputs:
        findings += check_inputs(run, found.value, inputs_base)
    return findings
