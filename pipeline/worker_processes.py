"""Worker processes that Beam starts beside a run: the same Python, importing the same modules."""

from __future__ import annotations

import os
import queue
import site
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pipeline.descendants import end_descendants

_ROOT = Path(__file__).parents[1]
# Beam's name for the thread that starts a worker process and waits for its end.
_STARTER = "run_worker"
_GRACE_SECONDS = 5.0


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


def watched(work: Callable[[], None]) -> None:
    """Do `work`, in which Beam has worker processes, and raise what it raises.

    Beam notices that the connection to a worker breaks, and waits for ever for one that dies before it has connected:
    for want of memory, say. The thread that started it knows. Raises RuntimeError then, and no worker is left.
    """
    # What was raised, and whether Beam itself knows of the end.
    ends, before = queue.SimpleQueue[tuple[BaseException | None, bool]](), threading.excepthook

    def tell(died: threading.ExceptHookArgs) -> None:
        if died.thread and died.thread.name == _STARTER and died.exc_value:
            # Of a worker that had connected, what Beam itself says is better, and a moment away.
            timer = threading.Timer(_GRACE_SECONDS, ends.put, [(died.exc_value, False)])
            timer.daemon = True
            timer.start()
        before(died)

    def do() -> None:
        try:
            work()
            ends.put((None, True))
        except BaseException as error:
            ends.put((error, True))

    threading.excepthook = tell
    try:
        threading.Thread(target=do, daemon=True).start()
        end, is_over = ends.get()
    finally:
        threading.excepthook = before
    if not is_over:
        # Beam's threads hear of it one after the other, and nobody waits for them.
        threading.excepthook = _in_silence
        end_descendants("sdk_worker_main")
    if end is not None:
        raise end


def _in_silence(_: object) -> None:
    """What fails in a thread is told by what has made it fail."""
