"""Bytes that stay what was digested: a file is read twice, and its second reading must give what the first gave.

The first reading takes the SHA-256 of the file and of each of its parts. The second may go anywhere in the file, as
Parquet asks, and compares every part that it touches. So what is parsed is what was checked, even where somebody
writes to the file meanwhile, and memory holds one part and 32 bytes for each.
"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from transforms.digests import digest
from transforms.terms import KIB

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PART_BYTES = 64 * KIB


@dataclass(frozen=True, slots=True)
class Digested:
    """A file as it was when it was read: its size in bytes, its SHA-256 (hex), and that of each part (32 bytes)."""

    size: int
    sha256: str
    parts: tuple[bytes, ...]


class ChangedWhileRead(OSError):
    """A part of a file is no longer what was digested."""


def digest_file(file: BinaryIO) -> Digested:
    """Read `file` to its end. Raises OSError."""
    size, whole, parts = 0, hashlib.sha256(), []
    while part := file.read(PART_BYTES):
        size += len(part)
        whole.update(part)
        parts.append(digest(part))
    return Digested(size, whole.hexdigest(), tuple(parts))


def unchanged(file: BinaryIO, digested: Digested) -> BinaryIO:
    """The bytes of `file`, from the first on; reading them raises ChangedWhileRead where they are not those digested.

    Closing the result leaves `file` open.
    """
    return cast(BinaryIO, io.BufferedReader(_Unchanged(file, digested), PART_BYTES))


class _Unchanged(io.RawIOBase):
    def __init__(self, file: BinaryIO, digested: Digested) -> None:
        self._file, self._digested = file, digested
        self._position, self._held, self._part = 0, -1, b""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._digested.size}[whence]
        if start + offset < 0:
            raise ValueError("a position before the first byte")
        self._position = start + offset
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        index, offset = divmod(self._position, PART_BYTES)
        if index >= len(self._digested.parts):
            return 0
        view = memoryview(buffer).cast("B")
        piece = self._load(index)[offset : offset + len(view)]
        view[: len(piece)] = piece
        self._position += len(piece)
        return len(piece)

    def _load(self, index: int) -> bytes:
        if index != self._held:
            self._file.seek(index * PART_BYTES)
            part = self._file.read(min(PART_BYTES, self._digested.size - index * PART_BYTES))
            if digest(part) != self._digested.parts[index]:
                raise ChangedWhileRead("changed while it was read")
            self._held, self._part = index, part
        return self._part
