"""A run's folder in a bucket: taken for one attempt, and left with the files of a committed run or with none.

There is no lock in a bucket. Two attempts under one run id write the same names; of two that read the same they are the
same bytes. The manifest is created once, by whichever comes first, and from then on nothing is replaced.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.exits import Exit, RunError, reason_of
from transforms.blocks.layout import STAGING, Bucket, Layout
from transforms.blocks.summary import OutputFile
from transforms.storage import objects
from transforms.storage.location import Remote


@contextmanager
def claimed_in_bucket(folder: Remote, manifest: str, own: Collection[str], *, shared: bool) -> Iterator[Layout]:
    """A layout with files of this machine that are delivered to `folder`, for one attempt at the run.

    `own` are the names that may stand in the folder of a run, `shared` says whether all workers see the files of this
    machine. What is left under the folder is removed where the attempt fails, unless another has committed the run.
    Raises RunError where the run is committed already, or the folder holds anything else or cannot be written to.
    """
    bucket = Bucket(folder, folder / manifest)
    attempt = folder / STAGING / secrets.token_hex(8)
    try:
        _refuse_taken(bucket, own)
        objects.create(attempt / "begun", b"")
    except OSError as error:
        raise RunError(Exit.USAGE, f"cannot create the run's folder {folder}: {error.strerror}") from error
    with tempfile.TemporaryDirectory(prefix="assay-") as scratch:
        layout = Layout(Path(scratch), None, bucket, None if shared else attempt)
        try:
            layout.staging.mkdir()
            yield layout
        except Exception as error:
            if _remains(bucket, attempt):
                if isinstance(error, OSError):
                    raise RunError(Exit.INTEGRITY, reason_of(error)) from error
                raise
            raise RunError(Exit.USAGE, f"{folder.name} was committed by someone else meanwhile") from error
    with suppress(OSError):
        _remove(folder / STAGING)


def check_delivered(layout: Layout, files: Iterable[OutputFile]) -> None:
    """Compare what the bucket holds with the files of the run, and remove what is none of them.

    Raises RunError where a file is missing or another: then someone else writes under the same run id.
    """
    assert layout.bucket is not None
    folder, wanted = layout.bucket.folder, {file.path: (file.bytes, file.crc32c) for file in files}
    present = {one.key.removeprefix(folder.prefix): seen for one, seen in objects.listing(folder)}
    for path, expected in wanted.items():
        seen = present.get(path)
        if seen is None or (seen.size, seen.crc32c) != expected:
            reason = "is not what this run wrote: another attempt is under way under the same run id"
            raise RunError(Exit.INTEGRITY, f"{folder / path}: {reason}")
    for path in present:
        if path not in wanted and not path.startswith(f"{STAGING}/") and folder / path != layout.bucket.manifest:
            objects.delete(folder / path)


def _refuse_taken(bucket: Bucket, own: Collection[str]) -> None:
    folder = bucket.folder
    if objects.exists(bucket.manifest):
        raise RunError(Exit.USAGE, f"the run {folder.name} is committed already: {folder}")
    for one, _ in objects.listing(folder):
        first = one.key.removeprefix(folder.prefix).partition("/")[0]
        if first not in own:
            message = f"{folder} holds {first!r}, which is no file of a run; choose another run id"
            raise RunError(Exit.USAGE, message)


def _remains(bucket: Bucket, attempt: Remote) -> bool:
    """Remove what a failed attempt leaves; whether its failure is its own, and not that the run is committed."""
    with suppress(OSError):
        if objects.exists(bucket.manifest):
            _remove(attempt)
            return False
        _remove(bucket.folder)
    return True


def _remove(folder: Remote) -> None:
    for one, _ in list(objects.listing(folder)):
        objects.delete(one)
