"""Progress on standard error while a runner works: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tqdm import tqdm

from transforms.blocks.layout import Layout
from transforms.blocks.progress import Progress, read_progress

THREAD = "assay-progress"
_LOOK_SECONDS = 0.5
_LINE_SECONDS = 10.0
_MOST_COLUMNS = 100


@contextmanager
def show(total: int, layout: Layout) -> Iterator[None]:
    """Show on standard error how far the judging of `total` bytes is, until the block ends."""
    terminal = sys.stderr.isatty()
    stop = threading.Event()
    watcher = threading.Thread(target=_watch, args=(total, layout, terminal, stop), name=THREAD, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        stop.set()
        watcher.join()
        if terminal:
            print(file=sys.stderr, flush=True)


def _watch(total: int, layout: Layout, terminal: bool, stop: threading.Event) -> None:
    # Standard error is looked up at each turn: it is another object while a runner works.
    began = time.monotonic()
    while not stop.wait(_LOOK_SECONDS if terminal else _LINE_SECONDS):
        # It may be closed between the look-up and the writing; the next turn finds the right one.
        with suppress(OSError, ValueError):
            columns = _columns() if terminal else _MOST_COLUMNS
            line = progress_line(read_progress(layout), total, time.monotonic() - began, columns)
            print(f"\r{line}\x1b[K" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)


def _columns() -> int:
    """What fits on one line of the terminal: a longer one would not be overwritten by the next."""
    known = os.get_terminal_size(sys.stderr.fileno()).columns
    return min(_MOST_COLUMNS, known - 1) if known > 1 else _MOST_COLUMNS


def progress_line(now: Progress, total: int, seconds: float, columns: int = _MOST_COLUMNS) -> str:
    """Bytes done, rate, time left, records refused so far, cut to so many columns."""
    refused = f"{now.refused:,} of {now.records:,} records refused"
    meter: str = tqdm.format_meter(
        min(now.bytes, total),
        total,
        seconds,
        ncols=columns,
        prefix="judging",
        unit="B",
        unit_scale=True,
        postfix=refused,
    )
    return meter
