"""Bytes that wait in a file of the run instead of travelling: what travels is where they are."""

from __future__ import annotations

from dataclasses import dataclass
from errno import EIO
from pathlib import Path

from transforms.storage import objects
from transforms.storage.location import is_remote, remote


@dataclass(frozen=True, slots=True)
class Parked:
    """`length` bytes at `offset` of a file, or of an object, whose path is then its gs:// URL."""

    path: str
    offset: int
    length: int

    def read(self) -> bytes:
        """The bytes. Raises OSError where the file cannot be read or is cut short."""
        if is_remote(self.path):
            data = b"".join(objects.read(remote(self.path), self.offset, self.offset + self.length))
        else:
            with Path(self.path).open("rb") as file:
                file.seek(self.offset)
                data = file.read(self.length)
        return self._whole(data)

    def within(self, content: bytes) -> bytes:
        """The bytes, of all that the file holds. Raises OSError where it is cut short."""
        return self._whole(content[self.offset : self.offset + self.length])

    def _whole(self, data: bytes) -> bytes:
        if len(data) != self.length:
            raise OSError(EIO, "parked bytes are cut short", self.path)
        return data


def read_parked(path: str) -> bytes:
    """All that is parked in a file, or in an object. Raises OSError."""
    return b"".join(objects.read(remote(path))) if is_remote(path) else Path(path).read_bytes()
