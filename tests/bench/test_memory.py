"""Memory does not grow with the corpus: whole runs as processes, their peak as the operating system counts it."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from documents import write as write_documents
from golden_campaigns import write_campaign
from many_baselines import write as write_baselines

from pipeline.sample.baselines.forms import Form
from pipeline.sample.campaign import write_sample

BOUND_MB = 500
RECORDS_PER_100_MB = 34_700

pytestmark = pytest.mark.slow


def peak_mb(campaign: Path, output: Path, code: int = 0) -> float:
    """The peak resident memory of `assay run` in one process, which must end with `code`."""
    command = [sys.executable, "-m", "pipeline", "run", str(campaign), "--output", str(output), "--quiet"]
    process = subprocess.Popen([*command, "--direct_running_mode=in_memory"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == code
    return usage.ru_maxrss / 1024


def test_ten_times_the_corpus_takes_the_same_memory(tmp_path: Path) -> None:
    small = peak_mb(write_sample(tmp_path / "small", RECORDS_PER_100_MB, 1), tmp_path / "out")
    large = peak_mb(write_sample(tmp_path / "large", 10 * RECORDS_PER_100_MB, 1), tmp_path / "out")
    print(f"100 MB: {small:.0f} MB, 1 GB: {large:.0f} MB")
    assert large <= 1.15 * small
    assert large < BOUND_MB


def test_a_hundred_thousand_documents(tmp_path: Path) -> None:
    assert peak_mb(write_documents(tmp_path / "documents", 100_000, 200_000), tmp_path / "out") < BOUND_MB


def test_ten_thousand_files_that_are_records(tmp_path: Path) -> None:
    assert peak_mb(write_baselines(tmp_path / "baselines", 10_000, Form.YAML), tmp_path / "out") < BOUND_MB


def test_a_line_of_200_mb(tmp_path: Path) -> None:
    with (tmp_path / "long.jsonl").open("wb") as file:
        file.write(b'{"task_id": "')
        for _ in range(200):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n')
    campaign = write_campaign(tmp_path / "campaign", str(tmp_path / "long.jsonl"), {}, {})
    assert peak_mb(campaign, tmp_path / "out") < BOUND_MB


def test_a_gzip_bomb_stops_early(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "bomb.jsonl.gz", "wb", compresslevel=9) as file:
        for _ in range(2000):
            file.write(b" " * 1_000_000)
    limits = {"limits": {"max_expanded_bytes": 1_000_000_000}}
    campaign = write_campaign(tmp_path / "campaign", str(tmp_path / "bomb.jsonl.gz"), limits, {})
    assert peak_mb(campaign, tmp_path / "out", code=3) < BOUND_MB


@pytest.mark.parametrize("content", [b"[" * 2_000_000, b'{"a": [' + b"1," * 990_000 + b"1]}", b"NaN," * 500_000])
def test_hostile_lines_at_the_bound(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "hostile.jsonl").write_bytes((content + b"\n") * 5)
    campaign = write_campaign(
        tmp_path / "campaign", str(tmp_path / "hostile.jsonl"), {"limits": {"max_record_bytes": 1 << 21}}, {}
    )
    assert peak_mb(campaign, tmp_path / "out") < BOUND_MB
