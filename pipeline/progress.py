"""Progress on standard error while a runner works: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from transforms.blocks.layout import Layout
from transforms.blocks.progress import Progress, read_progress

_LOOK_SECONDS = 0.5
_LINE_SECONDS = 10.0


@contextmanager
def show(total: int, layout: Layout) -> Iterator[None]:
    """Show on standard error how far the judging of `total` bytes is, until the block ends."""
    terminal = sys.stderr.isatty()
    stop = threading.Event()
    watcher = threading.Thread(target=_watch, args=(total, layout, terminal, stop), daemon=True)
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
        line = progress_line(read_progress(layout), total, time.monotonic() - began)
        print(f"\r{line}\x1b[K" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)


def progress_line(now: Progress, total: int, seconds: float) -> str:
    """Bytes done, rate, time left, records refused so far."""
    refused = f"{now.refused:,} of {now.records:,} records refused"
    meter: str = tqdm.format_meter(
        min(now.bytes, total), total, seconds, ncols=100, prefix="judging", unit="B", unit_scale=True, postfix=refused
    )
    return meter
