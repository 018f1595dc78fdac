"""A new folder of files, the last of which says that it is whole: of an export, or of a difference."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.committed.enclosing import refuse_within_run
from pipeline.exits import Exit, RunError
from transforms.storage import objects
from transforms.storage.location import Location, Remote


def refuse_destination(destination: Location, last: str | None = None) -> None:
    """Raises RunError (Exit.USAGE) where something stands there, or the folder would lie within a run; and OSError."""
    refuse_within_run(destination)
    if not _stands(destination):
        return
    without = f", without {last}" if last and not _stands(destination / last) else ""
    raise RunError(Exit.USAGE, f"{destination} exists already{without}; give a new folder, or remove it first")


@contextmanager
def new_folder(destination: Location, last: str) -> Iterator[Path]:
    """A folder to write files to, of which `last` is created last; after an error nothing is left.

    What is for a bucket is written to a temporary folder and put there in the end, each file on the condition that
    there is none of its name. Raises RunError (Exit.USAGE) where the folder exists already, and OSError.
    """
    if isinstance(destination, Remote):
        with TemporaryDirectory(prefix="assay-") as work:
            yield Path(work)
            _put(Path(work), destination, last)
        return
    try:
        destination.mkdir(parents=True)
    except FileExistsError as error:
        raise RunError(Exit.USAGE, f"{destination} exists already") from error
    try:
        yield destination
    except BaseException:
        shutil.rmtree(destination, ignore_errors=True)
        raise


def _stands(place: Location) -> bool:
    if isinstance(place, Remote):
        return objects.exists(place) or any(True for _ in objects.listing(place))
    return place.is_symlink() or place.exists()


def _put(root: Path, destination: Remote, last: str) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and path != root / last)
    created: list[Remote] = []
    try:
        for path in (*files, root / last):
            place = destination / path.relative_to(root).as_posix()
            objects.create(place, path)
            created.append(place)
    except BaseException as error:
        for place in created:
            with suppress(OSError):
                objects.delete(place)
        if isinstance(error, FileExistsError):
            raise RunError(Exit.USAGE, f"{destination} exists already") from error
        raise
