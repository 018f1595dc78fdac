"""A run's folder in a bucket: taken for one attempt, and left with the files of a committed run or with none.

There is no lock in a bucket. Two attempts under one run id write the same names; of two that read the same they are the
same bytes. The manifest is created once, by whichever comes first, and from then on nothing is replaced.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.exits import Exit, InputFault, RunError, going_on, reason_of
from transforms.blocks.layout import STAGING, Bucket, Layout, Sealing
from transforms.blocks.seals import has_seals
from transforms.blocks.summary import OutputFile
from transforms.storage import objects
from transforms.storage.location import Remote


@contextmanager
def claimed_in_bucket(
    folder: Remote, manifest: str, own: Collection[str], root: Path, sealing: Sealing | None, *, shared: bool
) -> Iterator[Layout]:
    """A layout with files under `root`, of this machine, that are delivered to `folder`, for one attempt at the run.

    `own` are the names that may stand in the folder of a run, `shared` says whether all workers see the files of this
    machine. Where the attempt fails, what is under the folder is removed, unless another has committed the run, or
    blocks are sealed from which the next attempt can go on: then it stays.
    Raises RunError where the run is committed already, or the folder holds anything else or cannot be written to.
    """
    bucket = Bucket(folder, folder / manifest)
    # Whoever works under the same seals writes the same.
    attempt = folder / STAGING / (sealing.work if sealing else secrets.token_hex(8))
    layout = Layout(root, sealing, bucket, None if shared else attempt)
    try:
        _refuse_taken(bucket, own, root)
        objects.put(attempt / "begun", b"")
    except OSError as error:
        raise RunError(Exit.USAGE, f"cannot create the run's folder {folder}: {error.strerror}") from error
    try:
        layout.staging.mkdir(exist_ok=True)
        yield layout
    except Exception as error:
        if _is_committed(layout, attempt):
            raise RunError(Exit.USAGE, f"{folder.name} was committed by someone else meanwhile") from error
        told = _left(error, layout)
        if told is error:
            raise
        raise told from error
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


def _refuse_taken(bucket: Bucket, own: Collection[str], root: Path) -> None:
    folder = bucket.folder
    if objects.exists(bucket.manifest):
        _forget(root)
        raise RunError(Exit.USAGE, f"the run {folder.name} is committed already: {folder}")
    for one, _ in objects.listing(folder):
        first = one.key.removeprefix(folder.prefix).partition("/")[0]
        if first not in own:
            message = f"{folder} holds {first!r}, which is no file of a run; choose another run id"
            raise RunError(Exit.USAGE, message)


def _is_committed(layout: Layout, attempt: Remote) -> bool:
    """Whether a failed attempt failed since another has committed the run; then nothing of it is left."""
    assert layout.bucket is not None
    with suppress(OSError):
        if objects.exists(layout.bucket.manifest):
            _forget(layout.root)
            _remove(attempt)
            return True
    return False


def _left(error: Exception, layout: Layout) -> Exception:
    """What a failed attempt raises, once only that is left which another can go on from."""
    assert layout.bucket is not None
    told = RunError(Exit.INTEGRITY, reason_of(error)) if isinstance(error, OSError) else error
    with suppress(OSError):
        if isinstance(told, InputFault) or not has_seals(layout):
            _remove(layout.bucket.folder)
        elif layout.elsewhere and isinstance(told, RunError) and told.exit_code is Exit.INTEGRITY:
            return going_on(told, layout.bucket.folder)
    return told


def _forget(root: Path) -> None:
    shutil.rmtree(root, ignore_errors=True)


def _remove(folder: Remote) -> None:
    for one, _ in list(objects.listing(folder)):
        objects.delete(one)
