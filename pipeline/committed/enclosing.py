"""A committed run is closed: nothing is written into its folder."""

from __future__ import annotations

from pathlib import Path

from pipeline.exits import Exit, RunError
from pipeline.publish import MANIFEST, SUMS


def refuse_within_run(destination: Path) -> None:
    """Raises RunError (Exit.USAGE) where the path lies beneath the folder of a committed run, links followed."""
    for folder in destination.resolve().parents:
        # Other software has files named manifest.json too.
        if (folder / MANIFEST).is_file() and (folder / SUMS).is_file():
            raise RunError(Exit.USAGE, f"{destination} lies within a run, which nothing may be added to")
