"""Creating a file whole and at once, or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable

from transforms.storage import objects
from transforms.storage.location import Location, Remote


def create(path: Location, data: bytes, ready: Callable[[], None] = lambda: None) -> None:
    """Create the file in one step: a hard link never replaces a file. Raises FileExistsError, or another OSError.

    `ready` is called when the bytes are on the disk and only the name is missing. An object is created on the condition
    that there is none, `ready` being called before.
    """
    if isinstance(path, Remote):
        ready()
        objects.create(path, data)
        return
    draft = path.with_name(f".{path.name}.draft")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        ready()
        os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
