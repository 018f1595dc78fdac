"""The system calls that rooms refuse: a classic BPF program for seccomp(2), read by bubblewrap.

Refused is what would get around the other bounds: new processes (each would have the memory of one), memory that no
bound counts, sockets of families that a network namespace does not contain, and a look into other processes. Threads
are processes to the kernel, and are told by a flag of clone(2). A program for another architecture is killed.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.exits import Exit, RunError

# struct sock_filter of <linux/filter.h>: code, jump if true, jump if false, operand.
_INSTRUCTION = struct.Struct("=HBBI")
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# struct seccomp_data of <linux/seccomp.h>: number, architecture, instruction pointer, arguments of 8 bytes each.
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_KILL, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_CLONE_THREAD = 0x00010000
_X32 = 0x40000000


@dataclass(frozen=True, slots=True)
class _Architecture:
    """AUDIT_ARCH of <linux/audit.h>, and the place of its numbers in the tables below."""

    audit: int
    column: int


_ARCHITECTURES: Mapping[str, _Architecture] = {
    "x86_64": _Architecture(0xC000003E, 0),
    "aarch64": _Architecture(0xC00000B7, 1),
}

# Numbers for x86_64 and aarch64; None where there is no such call.
_CLONE = (56, 220)
# The C library makes threads by clone3 first, whose flags no filter can see, and by clone where that is not there.
_CLONE3 = (435, 435)
REFUSED: Mapping[str, tuple[int | None, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "socket": (41, 198),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
}


def program(machine: str | None = None) -> bytes:
    """The filter for a machine, by its name in `uname -m`, by default this one's.

    Raises RunError for one whose calls are not known here.
    """
    machine = machine or platform.machine()
    architecture = _ARCHITECTURES.get(machine)
    if architecture is None:
        known = ", ".join(_ARCHITECTURES)
        raise RunError(Exit.USAGE, f"code runs on {known} only, this machine is {machine}")
    column = architecture.column
    numbers = [row[column] for row in REFUSED.values()]
    return b"".join(
        (
            _load(_ARCHITECTURE),
            *_where(_EQUAL, architecture.audit, otherwise=_KILL),
            _load(_NUMBER),
            *_when(_AT_LEAST, _X32, _KILL),
            *_when(_EQUAL, _CLONE3[column], _ERRNO | errno.ENOSYS),
            *(step for number in numbers if number is not None for step in _when(_EQUAL, number, _ERRNO | errno.EPERM)),
            *_where(_EQUAL, _CLONE[column], otherwise=_ALLOW),
            _load(_FIRST_ARGUMENT),
            *_where(_ANY_BIT, _CLONE_THREAD, otherwise=_ERRNO | errno.EPERM),
            _return(_ALLOW),
        )
    )


def _load(offset: int) -> bytes:
    return _INSTRUCTION.pack(_LOAD, 0, 0, offset)


def _return(action: int) -> bytes:
    return _INSTRUCTION.pack(_RETURN, 0, 0, action)


def _when(test: int, operand: int, action: int) -> tuple[bytes, bytes]:
    """Act where the loaded word passes the test, else go on."""
    return _INSTRUCTION.pack(test, 0, 1, operand), _return(action)


def _where(test: int, operand: int, *, otherwise: int) -> tuple[bytes, bytes]:
    """Go on where the loaded word passes the test, else act."""
    return _INSTRUCTION.pack(test, 1, 0, operand), _return(otherwise)
