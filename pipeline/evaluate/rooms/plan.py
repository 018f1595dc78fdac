"""What a room is told before anything runs in it, and the bounds that it puts on itself."""

from __future__ import annotations

import json
import os
import resource
from dataclasses import dataclass
from pathlib import Path

PLAN = Path("/room/plan.json")
SOLUTION = "solution"
"""The module that tests import a record's code as."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The bounds of a room, in seconds, bytes and numbers, and the names of the tests that it runs.

    `user` is the number of the user to become, None where the room began as nobody in particular.
    """

    cpu_seconds: int
    memory_bytes: int
    processes: int
    file_bytes: int
    open_files: int
    user: int | None = None
    tests: tuple[str, ...] = ()


def read_plan(path: Path = PLAN) -> Plan:
    """The plan of this room."""
    members = json.loads(path.read_text(encoding="utf-8"))
    return Plan(**{**members, "tests": tuple(members["tests"])})


def enter(plan: Plan) -> None:
    """Give up what rights there are, and take on the bounds, which nothing in the room can lift again.

    Where the number of processes is bounded, it is that of one user: each room of root's has a user of its own.
    """
    bounds = {
        resource.RLIMIT_CPU: plan.cpu_seconds,
        resource.RLIMIT_AS: plan.memory_bytes,
        resource.RLIMIT_NPROC: plan.processes,
        resource.RLIMIT_FSIZE: plan.file_bytes,
        resource.RLIMIT_NOFILE: plan.open_files,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: plan.processes,
    }
    for which, most in bounds.items():
        _, hard = resource.getrlimit(which)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (most, most))
    if plan.user is not None:
        os.setgroups([])
        os.setresgid(plan.user, plan.user, plan.user)
        os.setresuid(plan.user, plan.user, plan.user)


def private(descriptor: int) -> int:
    """A copy of a descriptor that only its number finds; what the room's code takes for it is nothing."""
    copy = os.dup(descriptor)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)
    return copy
