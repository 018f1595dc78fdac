"""Opening and reading a shard's file: the one place that knows where its bytes are kept."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from transforms.records import Shard
from transforms.shards.faults import UnreadableShard
from transforms.terms import MIB

BUFFER_BYTES = MIB


def read(shard: Shard, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Yield the file's bytes from `start` up to `end` (or its last byte) in buffers of at most 1 MiB.

    A file that is shorter ends early, without an error: the caller knows what it expected.
    Raises UnreadableShard where the file cannot be opened or read, or is no regular file: a pipe would keep the run
    waiting for a writer.
    """
    try:
        with open(shard.path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise UnreadableShard(f"{shard.name}: it is no regular file: the file changed")
            file.seek(start)
            left = BUFFER_BYTES if end is None else end - start
            while left > 0 and (buffer := file.read(min(left, BUFFER_BYTES))):
                yield buffer
                left -= 0 if end is None else len(buffer)
    except OSError as error:
        raise UnreadableShard(f"{shard.name}: {error.strerror or error}") from error


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
