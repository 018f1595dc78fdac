"""Which Python Beam starts a worker process with, where it is asked for one beside a run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def own_python_first() -> Iterator[None]:
    """Let `python` be this interpreter, where its folder has one of that name.

    Beam starts the process of `--experiments=use_loopback_process_worker` as `python` from the PATH: any other has no
    Assay, and the engine waits a minute for a worker that never comes.
    """
    before = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before
