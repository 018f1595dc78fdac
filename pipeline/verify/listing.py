"""The files present against the files listed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from pipeline.committed.folder import Entry
from pipeline.manifest import Manifest
from pipeline.publish import MANIFEST, SUMS
from pipeline.verify.codes import FILE_MISSING, FILE_UNLISTED, broken
from transforms.records import Finding


def check_listing(present: Sequence[Entry], manifest: Manifest, name: str = MANIFEST) -> tuple[Finding, ...]:
    """Files missing, or present without being listed; `name` is the manifest's own."""
    listed = [row["path"] for row in manifest["outputs"]]
    files = {entry.name for entry in present if entry.is_file}
    expected = {*listed, name, SUMS}
    folders = {parent.as_posix() for path in expected for parent in PurePosixPath(path).parents}
    unlisted = [entry.name for entry in present if entry.name not in (folders if entry.is_folder else expected)]
    found = [broken(FILE_UNLISTED, path, "present, but not listed") for path in sorted(unlisted)]
    for path in listed:
        # A link or a file in the place of a folder.
        is_told = not {parent.as_posix() for parent in PurePosixPath(path).parents}.isdisjoint(unlisted)
        if path not in files and not is_told:
            found.append(broken(FILE_MISSING, path, "listed, but not there"))
    return tuple(found)
