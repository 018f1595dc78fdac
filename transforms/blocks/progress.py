"""The side channel that progress is read from: one small file per block, written while it is judged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from transforms.blocks.layout import Layout
from transforms.shards.blocks import AnyBlock

_FOLDER = "progress"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the judging of a run is: file bytes read, records read, records refused so far."""

    bytes: int = 0
    records: int = 0
    refused: int = 0


def note_progress(block: AnyBlock, layout: Layout) -> Callable[[int, int, int], None]:
    """A function for `stage_block` that keeps the block's progress file current.

    A failing write is let go: progress is a courtesy, the run's own files will meet the same disk.
    """
    path = layout.staging / _FOLDER / layout.staged(block, ".json").relative_to(layout.staging)
    path.parent.mkdir(parents=True, exist_ok=True)

    def note(done: int, records: int, refused: int) -> None:
        try:
            path.write_text(json.dumps([done, records, refused]), encoding="utf-8")
        except OSError:
            return

    return note


def forget_progress(layout: Layout) -> None:
    """Remove what an earlier attempt noted. Raises OSError."""
    if (layout.staging / _FOLDER).exists():
        shutil.rmtree(layout.staging / _FOLDER)


def read_progress(layout: Layout) -> Progress:
    """The sum over all blocks. A file caught half-written counts at the next look."""
    total = [0, 0, 0]
    for path in _progress_files(layout.staging / _FOLDER):
        try:
            total = [sum(pair) for pair in zip(total, json.loads(path.read_text(encoding="utf-8")), strict=True)]
        except (OSError, ValueError):
            continue
    return Progress(*total)


def _progress_files(folder: Path) -> list[Path]:
    return list(folder.rglob("*.json"))
