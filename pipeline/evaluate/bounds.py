"""What code may use while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from transforms.terms import GIB, MIB


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of each of the two rooms, in bytes and numbers.

    `memory_bytes` is address space; `processes` counts threads, since no room may start a process; `file_bytes` is
    all that may be written to `files` files; `output_bytes` is what may be printed before the run is ended.
    """

    memory_bytes: int = GIB
    processes: int = 32
    file_bytes: int = 64 * MIB
    output_bytes: int = MIB
    open_files: int = 64
    files: int = 10_000


BOUNDS = Bounds()


def cpu_seconds(timeout_seconds: int) -> int:
    """Seconds of processor time: one more than by the clock, so that one busy thread always meets the clock first."""
    return timeout_seconds + 1
