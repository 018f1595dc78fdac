"""Worker processes that Beam starts beside a run: the same Python, importing the same modules."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).parents[1]


@contextmanager
def workers_like_this() -> Iterator[None]:
    """Let what Beam starts be this interpreter, and find Assay where this process found it.

    Beam starts the process of `--experiments=use_loopback_process_worker` as `python` from the PATH: any other has no
    Assay, and the engine waits a minute for a worker that never comes. And Python looks for modules in the working
    folder first, where another project may have a `pipeline` of its own.
    """
    before = {name: os.environ.get(name) for name in ("PATH", "PYTHONPATH", "PYTHONSAFEPATH")}
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), before["PATH"] or os.defpath])
    os.environ["PYTHONPATH"] = os.pathsep.join([*_uninstalled(), *filter(None, [before["PYTHONPATH"]])])
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _uninstalled() -> list[str]:
    """The folder of our packages, where it is none that an interpreter knows by itself."""
    return [] if _ROOT in map(Path, site.getsitepackages()) else [str(_ROOT)]
