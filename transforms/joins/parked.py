"""Bytes that wait in a file of the run instead of travelling: what travels is where they are."""

from __future__ import annotations

from dataclasses import dataclass
from errno import EIO
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Parked:
    """`length` bytes at `offset` of a file."""

    path: str
    offset: int
    length: int

    def read(self) -> bytes:
        """The bytes. Raises OSError where the file cannot be read or is cut short."""
        with Path(self.path).open("rb") as file:
            file.seek(self.offset)
            data = file.read(self.length)
        if len(data) != self.length:
            raise OSError(EIO, "parked bytes are cut short", self.path)
        return data
