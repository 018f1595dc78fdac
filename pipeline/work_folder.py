"""A folder of this machine for the work of a run that is published in a bucket."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipeline.claim import claimed
from pipeline.exits import Exit, RunError
from transforms.blocks.layout import Layout, Sealing
from transforms.digests import sha256_hex
from transforms.storage.location import Remote

_NAME_DIGITS = 32


@contextmanager
def work_folder(folder: Remote, sealing: Sealing | None) -> Iterator[Path]:
    """With `sealing` the one folder for the run in `folder`, which an attempt that fails leaves as `claimed` says.

    Without it a new folder, gone in the end. Raises RunError where another process works on the run, or where what
    stands in the folder's place may be another user's.
    """
    if sealing is None:
        with tempfile.TemporaryDirectory(prefix="assay-") as scratch:
            yield Path(scratch)
        return
    root = _of_this_user() / sha256_hex(str(folder).encode())[:_NAME_DIGITS]
    with claimed(Layout(root, sealing), folder.name):
        yield root
        shutil.rmtree(root)


def _of_this_user() -> Path:
    """The folder for temporary files that nobody else can put anything into: what is found there is believed."""
    folder = Path(tempfile.gettempdir()) / f"assay-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        seen = folder.lstat()
    except OSError as error:
        raise RunError(Exit.USAGE, f"cannot create the folder {folder}: {error.strerror}") from error
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid() or stat.S_IMODE(seen.st_mode) & 0o077:
        reason = "is not a folder that only this user may use; remove it, or set TMPDIR to another place"
        raise RunError(Exit.USAGE, f"{folder} {reason}")
    return folder
