"""Where a run's inputs were: a hint on the run's folder, never in it, so that outputs do not depend on it."""

from __future__ import annotations

import os
from pathlib import Path

from transforms.storage.location import Location

_ATTRIBUTE = "user.assay.campaign_folder"


def note_origin(run: Path, folder: Location) -> None:
    """Note the campaign's folder on the run's folder, as an extended attribute where the file system has them.

    One in a bucket is not noted: nothing in it has a relative uri.
    """
    if hasattr(os, "setxattr") and isinstance(folder, Path):
        try:
            os.setxattr(run, _ATTRIBUTE, os.fsencode(folder.resolve()))
        except OSError:
            return


def read_origin(run: Path) -> Path | None:
    """The noted folder, or None where none was noted or the note is lost (after a copy, say)."""
    if not hasattr(os, "getxattr"):
        return None
    try:
        return Path(os.fsdecode(os.getxattr(run, _ATTRIBUTE)))
    except OSError:
        return None
