"""Rows that wait in files, cut by their key, so that one part of a stream is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.diff.rows import PAIR, ROW, Rows

# Two such parts are sorted together: some 100 MB at the peak.
ROWS_OF_A_PART = 1 << 17
_MOST_PARTS = 256
_CHUNK = 4096


@dataclass(frozen=True, slots=True)
class Spool:
    """ROW rows in a folder of their own, a file for each of `parts`; the parts are ranges of the key, in order."""

    folder: Path
    parts: int

    def add(self, rows: Rows) -> None:
        """Append rows to the parts that they belong to. Raises OSError."""
        if not len(rows):
            return
        part_of = ((rows["high"].astype(np.uint64) >> np.uint64(56)) * np.uint64(self.parts)) >> np.uint64(8)
        order = np.argsort(part_of, kind="stable")
        bounds = np.searchsorted(part_of[order], np.arange(self.parts + 1, dtype=np.uint64))
        for part in range(self.parts):
            chosen = order[bounds[part] : bounds[part + 1]]
            if len(chosen):
                append(self.folder / str(part), rows[chosen])

    def take(self, part: int) -> Rows:
        """The rows of a part, in the order in which they came; its file is removed. Raises OSError."""
        path = self.folder / str(part)
        if not path.exists():
            return np.zeros(0, ROW)
        rows = np.fromfile(path, ROW)
        path.unlink()
        return rows


def new_spool(folder: Path, parts: int) -> Spool:
    """An empty spool in a new folder. Raises OSError."""
    folder.mkdir(parents=True)
    return Spool(folder, parts)


def parts_for(rows: int) -> int:
    """How many parts a stream of so many rows is cut into."""
    return min(max(-(-rows // ROWS_OF_A_PART), 1), _MOST_PARTS)


def append(path: Path, rows: Rows) -> None:
    """Append packed rows to a file. Raises OSError."""
    with path.open("ab") as file:
        file.write(rows.tobytes())


def read_pairs(path: Path) -> Iterator[Rows]:
    """The PAIR rows of a file in their order, some thousand at a time. Raises OSError."""
    if not path.exists():
        return
    with path.open("rb") as file:
        while data := file.read(PAIR.itemsize * _CHUNK):
            yield np.frombuffer(data, PAIR)
