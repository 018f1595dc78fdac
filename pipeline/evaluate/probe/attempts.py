"""Attempts to get out of a room. Each function says what it got: nothing, where the room is closed."""

from __future__ import annotations

import ctypes
import os
import resource
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress

_FAMILIES = ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG")
_FOLDERS = ("/", "/dev", "/usr/lib", "/python", "/room", "/candidate", "/suite", "/packages")
_LIMITS = ("CPU", "AS", "NPROC", "FSIZE", "NOFILE", "CORE", "MSGQUEUE")
_STACK_BYTES = 1 << 16
_SHARED_MEMORY, _CREATE = 0o600, 0o1000


def seen(paths: Sequence[str]) -> list[str]:
    """Those of the paths that are there."""
    return [path for path in paths if os.path.lexists(path)]


def written() -> list[str]:
    """The folders in which a file could be made."""
    found = []
    for folder in _FOLDERS:
        with suppress(OSError), open(f"{folder}/attempt", "w"):  # noqa: PTH123
            found.append(folder)
    return found


def sockets() -> list[str]:
    """The families of which there is a socket."""
    found = []
    for name in _FAMILIES:
        with suppress(OSError, AttributeError), socket.socket(getattr(socket, name), socket.SOCK_DGRAM):
            found.append(name)
    return found


def resolved() -> list[str]:
    """The names that have an address."""
    found = []
    for name in ("localhost", "example.com"):
        with suppress(OSError):
            socket.getaddrinfo(name, 80)
            found.append(name)
    return found


def processes() -> list[str]:
    """The ways in which a process could be started."""
    found = []
    for name in ("fork", "forkpty"):
        with suppress(OSError):
            if not (started := getattr(os, name)()) or started == (0, 0):
                os._exit(0)
            found.append(name)
    with suppress(OSError):
        os.posix_spawn("/python/bin/python3", ["python3"], {})
        found.append("posix_spawn")
    return found


def memory_beyond_bounds() -> list[str]:
    """The ways to memory that no bound counts."""
    found = []
    with suppress(OSError):
        os.close(os.memfd_create("attempt"))
        found.append("memfd_create")
    library = ctypes.CDLL(None, use_errno=True)
    if library.shmget(0, 4096, _CREATE | _SHARED_MEMORY) >= 0:
        found.append("shmget")
    return found


def threads(most: int) -> int:
    """How many threads there can be at a time, of as many as asked for."""
    over = threading.Event()
    started: list[threading.Thread] = []
    threading.stack_size(_STACK_BYTES)
    with suppress(RuntimeError):
        for _ in range(most):
            thread = threading.Thread(target=over.wait)
            thread.start()
            started.append(thread)
    over.set()
    for thread in started:
        thread.join()
    threading.stack_size(0)
    return len(started)


def rights() -> list[str]:
    """What the room's user should not be, or become."""
    found = [name for name in ("getuid", "geteuid", "getgid", "getegid") if getattr(os, name)() == 0]
    found += [f"group {group}" for group in os.getgroups() if group == 0]
    with suppress(OSError):
        os.setuid(0)
        found.append("setuid")
    with suppress(OSError):
        os.chroot("/usr")
        found.append("chroot")
    return found


def variables() -> list[str]:
    """The names of all variables."""
    return sorted(os.environ)


def limits() -> dict[str, tuple[int, int]]:
    """The bounds, soft and hard."""
    return {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}")) for name in _LIMITS}
