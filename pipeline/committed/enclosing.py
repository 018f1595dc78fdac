"""A committed run is closed: nothing is written into its folder."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.exits import Exit, RunError
from pipeline.publish import MANIFEST, SUMS
from transforms.storage import objects
from transforms.storage.location import Location, Remote


def refuse_within_run(destination: Location) -> None:
    """Raises RunError (Exit.USAGE) where the path lies beneath the folder of a committed run, links followed."""
    for folder in _enclosing(destination):
        # Other software has files named manifest.json too.
        if _has(folder, MANIFEST) and _has(folder, SUMS):
            raise RunError(Exit.USAGE, f"{destination} lies within a run, which nothing may be added to")


def lies_within(place: Location, folder: Location) -> bool:
    """Whether the place is the folder, or beneath it, links followed."""
    here = place if isinstance(place, Remote) else place.resolve()
    there = folder if isinstance(folder, Remote) else folder.resolve()
    return here == there or there in _enclosing(here)


def _enclosing(place: Location) -> Iterator[Location]:
    if not isinstance(place, Remote):
        yield from place.resolve().parents
        return
    while place.key:
        place = place.parent
        yield place


def _has(folder: Location, name: str) -> bool:
    if not isinstance(folder, Remote):
        return (folder / name).is_file()
    try:
        return objects.exists(folder / name)
    except OSError:
        # Rights may end at the destination; whether that can be written to shows when it is.
        return False
