"""Exports a committed run: everything is checked first, then written, and the manifest comes last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.committed.run import open_output, open_run
from pipeline.export.manifest import EXPORT, build_manifest
from pipeline.export.streams import chosen_streams
from pipeline.export.values import Choices
from pipeline.export.writing import write_files
from pipeline.manifest import Manifest, manifest_bytes
from pipeline.new_folder import new_folder, refuse_destination
from pipeline.publish import SUMS, checksums, commit
from transforms.records import Outcome
from transforms.storage.location import Location


def export_run(folder: Location, destination: Location, choices: Choices) -> dict[str, Any]:
    """Export the run in `folder` to the new folder `destination`, and give the manifest of the export.

    Raises RunError: Exit.USAGE where there is no run, no stream to export, or a destination already; Exit.INTEGRITY
    where the run's manifest or an accepted file is not what it should be. Nothing is left at the destination then.
    """
    run = open_run(folder)
    streams = chosen_streams(run.kinds, choices)
    refuse_destination(destination, EXPORT.name)
    for stream in streams:
        for output in run.outputs_of(Outcome.ACCEPTED, stream):
            with open_output(run, output):
                pass  # opened, it is the file that the manifest lists
    with new_folder(destination, EXPORT.name) as root:
        books, files = write_files(root, run, streams, choices)
        manifest = build_manifest(run, choices, books, files)
        _publish(root, manifest)
    return manifest


def _publish(root: Path, manifest: Manifest) -> None:
    data = manifest_bytes(manifest)
    (root / SUMS).write_bytes(checksums(manifest, data, EXPORT.name))
    commit(root, data, EXPORT.name)
