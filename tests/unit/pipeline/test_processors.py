"""How many workers a run gets by default."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.processors import ENOUGH_BYTES, MOST_WORKERS, usable_processors, workers_for
from transforms.records import Shard
from transforms.shards.plan import Block


def blocks(*sizes: int) -> list[Block]:
    shard = Shard("s", "s.jsonl", "s.jsonl", "/s.jsonl", sum(sizes))
    return [Block(shard, at, 0, size, 1, "0" * 64, False) for at, size in enumerate(sizes)]


@pytest.mark.parametrize(
    ("sizes", "processors", "workers"),
    [
        ([], 8, 1),
        ([ENOUGH_BYTES - 1], 8, 1),
        ([ENOUGH_BYTES], 8, 1),
        ([ENOUGH_BYTES // 2, ENOUGH_BYTES // 2 - 1], 8, 1),
        ([ENOUGH_BYTES // 2, ENOUGH_BYTES // 2], 8, 2),
        ([ENOUGH_BYTES] * 40, 2, 2),
        ([ENOUGH_BYTES] * 40, 1, 1),
        ([ENOUGH_BYTES] * 40, 64, MOST_WORKERS),
    ],
)
def test_workers_by_size(sizes: list[int], processors: int, workers: int) -> None:
    assert workers_for(blocks(*sizes), processors) == workers


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({}, None),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu.max": "50000 100000\n"}, 1),
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "400000 100000\n"}, 4),
        ({"cpu.max": "?"}, None),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "200000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2),
        ({"cpu/cpu.cfs_quota_us": "200000\n"}, None),
    ],
)
def test_processors_within_a_quota(
    files: dict[str, str], quota: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(3)))
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert usable_processors(tmp_path) == min(3, quota or 3)
