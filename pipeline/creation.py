"""Creating a file whole and at once, or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from transforms.storage import objects
from transforms.storage.location import Location, Remote


def create(path: Location, data: bytes, ready: Callable[[], None] = lambda: None) -> None:
    """Create the file in one step: a hard link never replaces a file. Raises FileExistsError, or another OSError.

    `ready` is called when the bytes are on the disk and only the name is missing. Where the file system can, they have
    no other name before that: nothing is left of a process that is killed. An object is created on the condition that
    there is none, `ready` being called before.
    """
    if isinstance(path, Remote):
        ready()
        objects.create(path, data)
        return
    handle, draft = _draft(path)
    try:
        with os.fdopen(handle, "wb", closefd=False) as file:
            file.write(data)
        os.fsync(handle)
        ready()
        # With a folder to start from, the link in /proc is followed to the file.
        os.link(draft or f"/proc/self/fd/{handle}", path, src_dir_fd=None if draft else handle)
    finally:
        # They change nothing any more: the file is on the disk and has its name, or has none.
        with suppress(OSError):
            os.close(handle)
        with suppress(OSError):
            if draft:
                draft.unlink()


def _draft(path: Path) -> tuple[int, Path | None]:
    """A new file to write, open, and its name if it has one."""
    if hasattr(os, "O_TMPFILE"):
        with suppress(OSError):
            return os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666), None
    draft = path.with_name(f".{path.name}.draft")
    return os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o666), draft
