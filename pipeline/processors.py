"""How many processes a run on one machine is worth: by its bytes, and by the processors that it may use."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from transforms.shards.blocks import AnyBlock
from transforms.terms import MIB

# Starting and ending processes takes some 3 s: with fewer bytes they cost more than they gain.
ENOUGH_BYTES = 512 * MIB
# Each takes some 270 MB; one process serves all of them.
MOST_WORKERS = 16

_CGROUP = Path("/sys/fs/cgroup")


def workers_for(blocks: Sequence[AnyBlock], processors: int) -> int:
    """The number of worker processes for a run over `blocks`; 1 means the command's own process.

    A block is judged by one worker, so there are never more of them than blocks.
    """
    if sum(block.size for block in blocks) < ENOUGH_BYTES:
        return 1
    return max(1, min(processors, len(blocks), MOST_WORKERS))


def usable_processors(cgroup: Path = _CGROUP) -> int:
    """The processors that this process may use: its affinity, and within that the quota of its container.

    `cgroup` is where control groups are mounted, of version 2 or 1. Part of a processor counts as one.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota(cgroup)
    return allowed if quota is None else max(1, min(allowed, quota))


def _quota(cgroup: Path) -> int | None:
    """The container's quota in whole processors, rounded up; None where there is none."""
    for names in (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us")):
        with suppress(OSError, ValueError):
            quota, period = " ".join((cgroup / name).read_text() for name in names).split()
            # "max" and -1 are no quota.
            if quota != "max" and int(quota) > 0 < int(period):
                return -(-int(quota) // int(period))
    return None
