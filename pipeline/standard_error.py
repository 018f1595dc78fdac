"""While a runner works, only Assay is heard on standard error: a failure ends as one line of ours."""

from __future__ import annotations

import io
import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr

from pipeline.progress import THREAD

_READER_SECONDS = 5.0


@contextmanager
def only_our_voice() -> Iterator[None]:
    """Silence Beam: its own account of a failure is pages long.

    Worker processes inherit file descriptor 2 and log every step; a worker whose log cannot be written (on a full
    disk, say) would not tell of its failure, and the run would wait for ever. Our own `sys.stderr` goes on.
    """
    # The root logger is what a runner repeats an engine's messages through.
    for name in ("", "apache_beam", "grpc"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if "ASSAY_TRACEBACK" in os.environ:
        yield
        return
    sys.stderr.flush()
    terminal, in_threads = os.dup(2), threading.excepthook

    def silent(_: object) -> None:
        return

    try:
        threading.excepthook = silent
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        raw = os.fdopen(os.dup(terminal), "wb")
        with _OurThreads(raw, errors="backslashreplace", line_buffering=True) as out, redirect_stderr(out):
            yield
    finally:
        _wait_for_readers()
        if threading.excepthook is silent:
            threading.excepthook = in_threads
        os.dup2(terminal, 2)
        os.close(terminal)


def _wait_for_readers() -> None:
    """Let end what reads an engine's messages: where a connection breaks, it fails a moment after the run itself."""
    for reader in threading.enumerate():
        if reader.name == "wait_until_finish_read":
            reader.join(_READER_SECONDS)


class _OurThreads(io.TextIOWrapper):
    """Hears the main thread and the one that shows progress; a worker within this process prints its failures."""

    def write(self, text: str) -> int:
        thread = threading.current_thread()
        return super().write(text) if thread is threading.main_thread() or thread.name == THREAD else len(text)
