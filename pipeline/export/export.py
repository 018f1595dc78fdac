"""Exports a committed run: everything is checked first, then written, and the manifest comes last."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from pipeline.committed.enclosing import refuse_within_run
from pipeline.committed.run import open_output, open_run
from pipeline.exits import Exit, RunError
from pipeline.export.manifest import EXPORT, build_manifest
from pipeline.export.streams import chosen_streams
from pipeline.export.values import Choices
from pipeline.export.writing import write_files
from pipeline.manifest import Manifest, manifest_bytes
from pipeline.publish import SUMS, checksums, commit
from transforms.records import Outcome
from transforms.storage.location import Location


def export_run(folder: Location, destination: Path, choices: Choices) -> dict[str, Any]:
    """Export the run in `folder` to the new folder `destination`, and give the manifest of the export.

    Raises RunError: Exit.USAGE where there is no run, no stream to export, or a destination already; Exit.INTEGRITY
    where the run's manifest or an accepted file is not what it should be. Nothing is left at the destination then.
    """
    run = open_run(folder)
    streams = chosen_streams(run.kinds, choices)
    _check_destination(destination)
    for stream in streams:
        for output in run.outputs_of(Outcome.ACCEPTED, stream):
            with open_output(run, output):
                pass  # opened, it is the file that the manifest lists
    _create(destination)
    try:
        books, files = write_files(destination, run, streams, choices)
        manifest = build_manifest(run, choices, books, files)
        _publish(destination, manifest)
    except BaseException:
        shutil.rmtree(destination, ignore_errors=True)
        raise
    return manifest


def _check_destination(destination: Path) -> None:
    refuse_within_run(destination)
    _refuse_existing(destination)


def _refuse_existing(destination: Path) -> None:
    if not destination.is_symlink() and not destination.exists():
        return
    is_unfinished = destination.is_dir() and not (destination / EXPORT.name).exists()
    what = f"exists and is no finished export, since it has no {EXPORT.name}" if is_unfinished else "exists already"
    raise RunError(Exit.USAGE, f"{destination} {what}; give a new folder, or remove it first")


def _create(destination: Path) -> None:
    try:
        destination.mkdir(parents=True)
    except FileExistsError as error:
        raise RunError(Exit.USAGE, f"{destination} exists already") from error


def _publish(root: Path, manifest: Manifest) -> None:
    data = manifest_bytes(manifest)
    (root / SUMS).write_bytes(checksums(manifest, data, EXPORT.name))
    commit(root, data, EXPORT.name)
