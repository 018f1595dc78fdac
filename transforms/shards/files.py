"""Opening and reading a shard's file: the one place that knows where its bytes are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from transforms.records import Shard
from transforms.shards.faults import UnreadableShard
from transforms.terms import MIB

BUFFER_BYTES = MIB


def read(shard: Shard, start: int = 0, end: int | None = None) -> Iterator[bytes]:
    """Yield the file's bytes from `start` up to `end` (or its last byte) in buffers of at most 1 MiB.

    A file that is shorter ends early, without an error: the caller knows what it expected.
    Raises UnreadableShard where the file cannot be opened or read.
    """
    try:
        with Path(shard.path).open("rb") as file:
            file.seek(start)
            left = BUFFER_BYTES if end is None else end - start
            while left > 0 and (buffer := file.read(min(left, BUFFER_BYTES))):
                yield buffer
                left -= 0 if end is None else len(buffer)
    except OSError as error:
        raise UnreadableShard(f"{shard.name}: {error.strerror or error}") from error
