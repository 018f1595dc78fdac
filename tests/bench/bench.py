"""Measure a whole run against the plain loop and the textbook loop, and print a table of ratios.

    python tests/bench/bench.py [--records N] [--keep DIR]

The plain loop (`plain_loop.py`) is one process without Beam that does the same parse, validation, rules,
digests and Parquet writing; the textbook loop is `json.loads` with hooks and `jsonschema`. Processor time
is that of the whole process and its children, as the operating system counts it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TEXTBOOK_RECORDS = 4000


@dataclass(frozen=True)
class Measured:
    wall: float
    cpu: float
    peak_mb: float
    output: str


def measure(*command: str) -> Measured:
    before = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0)
        output = out.read()
    if status:
        raise SystemExit(f"{' '.join(command)} ended with status {status}")
    return Measured(time.perf_counter() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def shuffled_bytes(campaign: Path) -> int:
    """Bytes of packed claims that pass through GroupByKey, counted by judging the blocks without Beam."""
    return int(measure(sys.executable, str(HERE / "plain_loop.py"), str(campaign), "--claims").output)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--records", type=int, default=240_000)
    arguments.add_argument("--keep", type=Path)
    chosen = arguments.parse_args()
    folder = chosen.keep or Path(tempfile.mkdtemp(prefix="assay-bench-"))
    campaign = folder / "corpus" / "campaign.json"
    assay = (sys.executable, "-m", "pipeline")
    if not campaign.exists():
        measure(*assay, "sample", "--output", str(campaign.parent), "--records", str(chosen.records), "--seed", "1")
    expanded = int(measure(sys.executable, str(HERE / "plain_loop.py"), str(campaign), "--bytes").output)
    rows: list[tuple[str, Measured]] = []
    plain = measure(sys.executable, str(HERE / "plain_loop.py"), str(campaign), "--output", str(folder / "plain"))
    rows.append(("plain loop", plain))
    textbook = measure(sys.executable, str(HERE / "textbook_loop.py"), str(campaign), str(TEXTBOOK_RECORDS))
    for name, flags in (
        ("assay run, in_memory", ("--direct_running_mode=in_memory",)),
        ("assay run, 2 processes", ("--direct_running_mode=multi_processing", "--direct_num_workers=2")),
    ):
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        run = measure(*assay, "run", str(campaign), "--output", str(out), "--run-id", "bench", "--quiet", *flags)
        rows.append((name, run))
    verify = measure(*assay, "verify", str(folder / "out" / "bench"))
    rows.append(("assay verify", verify))
    print(f"{chosen.records:,} records, {expanded / 1e6:,.0f} MB expanded, {os.cpu_count()} cores\n")
    print("| command | processor s | ÷ plain | wall s | ÷ plain | peak MB | MB/s |")
    print("|---|---|---|---|---|---|---|")
    for name, row in rows:
        print(
            f"| {name} | {row.cpu:.1f} | {row.cpu / plain.cpu:.2f} | {row.wall:.1f} | {row.wall / plain.wall:.2f} "
            f"| {row.peak_mb:.0f} | {expanded / 1e6 / row.wall:.0f} |"
        )
    scale = chosen.records / TEXTBOOK_RECORDS
    print(
        f"| textbook loop (from {TEXTBOOK_RECORDS:,} records) | {textbook.cpu * scale:.1f} "
        f"| {textbook.cpu * scale / plain.cpu:.2f} | | | {textbook.peak_mb:.0f} | |"
    )
    claims = shuffled_bytes(campaign)
    print(f"\nthrough GroupByKey: {claims / 1e6:.1f} MB, {claims / expanded:.2%} of the bytes read")
    if not chosen.keep:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
