"""A room: bubblewrap's arguments for it, and the descriptors it needs.

It has a network of its own without a way out, no processes but its own, no variables but those set here, of the file
system the interpreter and the system's libraries to read and one folder in memory to write, and refuses the system
calls of `seccomp`. Root's rooms become a user of their own each, everybody else's nobody of a user namespace: the
number of processes is bounded by user, and root's is not.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.evaluate import seccomp
from pipeline.evaluate.bounds import BOUNDS, Bounds, cpu_seconds
from pipeline.evaluate.interpreter import INSIDE, Interpreter, interpreter_at
from pipeline.evaluate.rooms.plan import PLAN, Plan
from pipeline.exits import Exit, RunError

ROOM, SUITE, CODE, WORK = Path("/room"), Path("/suite"), Path("/candidate"), Path("/scratch")

_NOBODY = "65534"
_LIBRARIES = ("lib", "lib32", "lib64", "usr/lib", "usr/lib32", "usr/lib64")
_SYSTEM_PACKAGES = Path("/usr/lib/python3")
_DEVICES = ("null", "zero", "random", "urandom")
_READABLE = ("etc/ld.so.cache", "usr/share/zoneinfo")
_FOLDERS = ("/usr", "/usr/share", "/etc", "/dev", *(str(path) for path in (INSIDE, INSIDE / "bin", INSIDE / "lib")))
_VARIABLES = {
    "PATH": str(INSIDE / "bin"),
    "HOME": str(WORK),
    "TMPDIR": str(WORK),
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "LD_LIBRARY_PATH": str(INSIDE / "lib"),
    "PYTHONHASHSEED": "0",
    # Each arena takes addresses for 64 MB and more, which are what memory is bounded by.
    "MALLOC_ARENA_MAX": "1",
}
# Above all that systems give to people and services, and so many that no two rooms have the same.
_FIRST_USER, _USERS = 2_000_000_000, 100_000_000
# This and a longer one name all users of a machine: no user namespace is between it and us.
_ALL_USERS = ["0", "0", "4294967295"]

FIXED = (
    "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
    "--die-with-parent", "--new-session", "--hostname", "room", "--cap-drop", "ALL", "--clearenv",
    *(part for name, value in _VARIABLES.items() for part in ("--setenv", name, value)),
)  # fmt: skip
"""What all rooms have in common on all machines."""

FLAGS = ("-P", "-s", "-B")
"""Of the interpreter: nothing of the current folder or of a user is on its path, and it writes no bytecode."""


@dataclass(frozen=True, slots=True)
class Room:
    """What is put into a room: `files` by their path inside, the folders to import from, and the module to run."""

    files: Mapping[Path, bytes]
    path: tuple[Path, ...]
    module: str
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A room ready to start: the command, and the descriptors to pass. Bubblewrap writes the room's PID to `info`."""

    arguments: list[str]
    passed: tuple[int, ...]
    info: int


@dataclass(frozen=True, slots=True)
class Sandbox:
    """All that rooms have in common in this process. `packages` is a folder that both may import from."""

    bubblewrap: str
    interpreter: Interpreter
    bounds: Bounds
    packages: Path | None = None

    def command(self, room: Room, timeout_seconds: int, opened: ExitStack) -> Command:
        """The command that starts a room. All descriptors are closed with `opened`."""
        plan = self._plan(room, timeout_seconds)
        files = {**room.files, PLAN: json.dumps(asdict(plan)).encode()}
        held = {path: _in_memory(data, opened) for path, data in files.items()}
        rules = _in_memory(seccomp.program(), opened)
        ours, theirs = os.pipe2(os.O_NONBLOCK)
        opened.callback(os.close, ours)
        opened.callback(os.close, theirs)
        arguments = [self.bubblewrap, *FIXED, *self._user(plan), *self._system(), "--perms", "1777"]
        arguments += ["--size", str(self.bounds.file_bytes), "--tmpfs", str(WORK)]
        for path, descriptor in held.items():
            arguments += ["--perms", "0444", "--ro-bind-data", str(descriptor), str(path)]
        searched = ":".join(map(str, (ROOM, *room.path, *self._packages_inside())))
        arguments += ["--remount-ro", "/", "--chdir", str(WORK), "--setenv", "PYTHONPATH", searched]
        arguments += ["--seccomp", str(rules), "--info-fd", str(theirs), "--", str(self.interpreter.inside)]
        arguments += [*FLAGS, "-m", room.module]
        return Command(arguments, (*held.values(), rules, theirs), ours)

    def _plan(self, room: Room, timeout_seconds: int) -> Plan:
        bounds = self.bounds
        return Plan(
            cpu_seconds=cpu_seconds(timeout_seconds),
            memory_bytes=bounds.memory_bytes,
            processes=bounds.processes,
            file_bytes=bounds.file_bytes,
            open_files=bounds.open_files,
            user=_FIRST_USER + secrets.randbelow(_USERS) if is_root() else None,
            tests=room.tests,
        )

    def _user(self, plan: Plan) -> tuple[str, ...]:
        if plan.user is not None:
            # To become that user, which gives them up.
            return ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
        return ("--unshare-user", "--disable-userns", "--uid", _NOBODY, "--gid", _NOBODY)

    def _system(self) -> Iterator[str]:
        """What can be seen of this machine."""
        # Bubblewrap would close a folder that it makes on the way to what stands in a closed one outside.
        for parent in _FOLDERS:
            yield from ("--perms", "0755", "--dir", parent)
        for name in _LIBRARIES:
            path = Path("/", name)
            if path.is_symlink():
                yield from ("--symlink", str(path.readlink()), str(path))
            elif path.is_dir():
                yield from ("--ro-bind", str(path), str(path))
        for name in _READABLE:
            yield from ("--ro-bind-try", f"/{name}", f"/{name}")
        for name in _DEVICES:
            yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
        for path, inside in self.interpreter.binds():
            yield from ("--ro-bind", str(path), str(inside))
        masked = [*self.interpreter.masked(), *([_SYSTEM_PACKAGES] if _SYSTEM_PACKAGES.is_dir() else [])]
        for folder in masked:
            yield from ("--tmpfs", str(folder), "--remount-ro", str(folder))
        for folder in self._packages_inside():
            yield from ("--ro-bind", str(self.packages), str(folder))

    def _packages_inside(self) -> tuple[Path, ...]:
        return (Path("/packages"),) if self.packages else ()


def variables() -> frozenset[str]:
    """The names of all variables of a room; two are bubblewrap's and the interpreter's own."""
    return frozenset((*_VARIABLES, "PYTHONPATH", "PWD", "LC_CTYPE"))


def sandbox_with(executable: Path | None = None, packages: Path | None = None) -> Sandbox:
    """The sandbox with that interpreter, by default our own, and those packages.

    Raises RunError for what is not there.
    """
    return Sandbox(find_bubblewrap(), interpreter_at(executable), BOUNDS, packages.resolve() if packages else None)


def find_bubblewrap() -> str:
    """The `bwrap` on the path. Raises RunError where there is none: without it nothing runs."""
    found = shutil.which("bwrap")
    if found is None:
        raise RunError(Exit.USAGE, "no bwrap on the path: code runs only in its sandbox; install bubblewrap")
    return found


def is_root() -> bool:
    """Whether this process is the machine's root, and not that of a user namespace."""
    try:
        users = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
    except OSError:
        return False
    return os.geteuid() == 0 and users == _ALL_USERS


def _in_memory(data: bytes, opened: ExitStack) -> int:
    """A descriptor to read the data from."""
    descriptor = os.memfd_create("assay")
    opened.callback(os.close, descriptor)
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
