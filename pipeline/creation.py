"""Creating a file whole and at once, or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def create(path: Path, data: bytes, ready: Callable[[], None] = lambda: None) -> None:
    """Create the file in one step: a hard link never replaces a file. Raises FileExistsError, or another OSError.

    `ready` is called when the bytes are on the disk and only the name is missing.
    """
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
