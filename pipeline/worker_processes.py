"""Worker processes that Beam starts beside a run: the same Python, importing the same modules."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).parents[1]


@contextmanager
def workers_like_this() -> Iterator[None]:
    """Let what Beam starts be this interpreter, and find Assay where this process found it.

    Beam starts the process of `--experiments=use_loopback_process_worker` as `python` from the PATH: any other has no
    Assay, and the engine waits a minute for a worker that never comes. Python looks for modules in the working
    folder first, where another project may have a `pipeline` of its own. And gRPC asks the proxy of `http_proxy` for
    this very machine, and waits for ever where that does not lead back.
    """
    before = dict(os.environ)
    changed = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), before.get("PATH", os.defpath)]),
        "PYTHONPATH": os.pathsep.join([*_uninstalled(), *filter(None, [before.get("PYTHONPATH")])]),
        "PYTHONSAFEPATH": "1",
        "no_grpc_proxy": ",".join([*filter(None, [_unproxied(before)]), "localhost", "127.0.0.1"]),
    }
    os.environ.update(changed)
    try:
        yield
    finally:
        for name in changed:
            if name in before:
                os.environ[name] = before[name]
            else:
                del os.environ[name]


def _unproxied(environment: Mapping[str, str]) -> str | None:
    """The hosts that gRPC asks no proxy for: the first of these variables that is set says it."""
    return environment.get("no_grpc_proxy", environment.get("no_proxy"))


def _uninstalled() -> list[str]:
    """The folder of our packages, where it is none that an interpreter knows by itself."""
    return [] if _ROOT in map(Path, site.getsitepackages()) else [str(_ROOT)]
