"""The processes that a run has started, and those that they have."""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from contextlib import suppress
from pathlib import Path


def end_descendants(command: str = "") -> None:
    """Kill those whose command has this in it, found by /proc; where there is none, workers end with this process."""
    for process in _descendants(os.getpid()):
        with suppress(OSError):
            if command.encode() in Path(f"/proc/{process}/cmdline").read_bytes():
                os.kill(process, signal.SIGKILL)


def _descendants(ancestor: int) -> list[int]:
    children = defaultdict[int, list[int]](list)
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # PID (name) state PPID …, where the name may hold anything.
            children[int(path.read_bytes().rpartition(b")")[2].split()[1])].append(int(path.parent.name))
    found = list(children[ancestor])
    for process in found:
        found += children[process]
    return found
