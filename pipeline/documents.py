"""Reading small files whole: a campaign, a schema, a rubric, a fixture. Never a device or a pipe, never without end."""

from __future__ import annotations

import stat
from errno import EFBIG, EINVAL

from transforms.storage import objects
from transforms.storage.location import Location, Remote
from transforms.terms import MIB

_MOST_BYTES = 64 * MIB


def read_document(path: Location, most: int = _MOST_BYTES) -> bytes:
    """The bytes of a regular file, or of an object, of at most `most` bytes. Raises OSError for anything else."""
    if isinstance(path, Remote):
        return objects.read_whole(path, most)
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(EINVAL, "is no regular file", str(path))
    if status.st_size > most:
        raise OSError(EFBIG, f"is larger than {most} bytes", str(path))
    return path.read_bytes()
