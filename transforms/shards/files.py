"""Opening and reading a shard's file: the one place that knows where its bytes are kept."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from typing import BinaryIO, cast

from transforms.records import Shard
from transforms.shards.faults import UnreadableShard
from transforms.storage import objects
from transforms.storage.faults import PreconditionUnmet
from transforms.storage.location import remote
from transforms.terms import MIB

BUFFER_BYTES = MIB
_WITHOUT_WAITING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


def read(shard: Shard, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Yield the file's bytes from `start` up to `end` (or its last byte) in buffers of at most 1 MiB.

    A file that is shorter ends early, without an error: the caller knows what it expected.
    Raises UnreadableShard where the file cannot be opened or read, or is no regular file: a pipe would keep the run
    waiting for a writer; and where an object is no longer of the generation that was planned, or has other bytes than
    its CRC32C says.
    """
    if shard.generation is not None:
        yield from _read_object(shard, start, end)
        return
    try:
        with open_shard(shard) as file:
            file.seek(start)
            left = BUFFER_BYTES if end is None else end - start
            while left > 0 and (buffer := file.read(min(left, BUFFER_BYTES))):
                yield buffer
                left -= 0 if end is None else len(buffer)
    except OSError as error:
        raise UnreadableShard(f"{shard.name}: {error.strerror or error}") from error


def open_shard(shard: Shard) -> BinaryIO:
    """The shard's file, at its first byte; an object is fetched into a file without a name.

    Raises OSError, and UnreadableShard where it is no regular file, or as `read` does of an object.
    """
    if shard.generation is not None:
        return _fetched(shard)
    file = os.fdopen(os.open(shard.path, _WITHOUT_WAITING), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise UnreadableShard(f"{shard.name}: it is no regular file: the file changed")
    return file


def _fetched(shard: Shard) -> BinaryIO:
    file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115
    try:
        for buffer in _read_object(shard, 0, None):
            file.write(buffer)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return file


def _read_object(shard: Shard, start: int, end: int | None) -> Iterator[bytes]:
    import google_crc32c

    checksum = google_crc32c.Checksum()
    try:
        for buffer in objects.read(remote(shard.path), start, end, shard.generation):
            checksum.update(buffer)
            yield buffer
    except (FileNotFoundError, PreconditionUnmet) as error:
        reason = f"{shard.path} is no longer of generation {shard.generation}: the object changed"
        raise UnreadableShard(f"{shard.name}: {reason}") from error
    except OSError as error:
        raise UnreadableShard(f"{shard.name}: {shard.path}: {error.strerror or error}") from error
    if start == 0 and end is None and objects.crc32c_text(checksum) != shard.crc32c:
        raise UnreadableShard(f"{shard.name}: {shard.path}: its bytes do not have the CRC32C that the bucket states")
