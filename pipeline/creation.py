"""Creating a file whole and at once, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def create(path: Path, data: bytes) -> None:
    """Create the file in one step: a hard link never replaces a file. Raises FileExistsError, or another OSError."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
