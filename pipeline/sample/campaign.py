"""A synthetic campaign on disk: shards, rubric, manifest, and what a run of it must find."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, Any, cast

from pipeline.sample.groups import GROUPS
from pipeline.sample.manifest import empty_folder, manifest, shipped_pins, write_json, write_manifest, write_rubric
from pipeline.sample.pairwise import FAULTS, line, record

STREAM = "annotations"
_KIND = "pairwise-v2"
_MILLION = 1_000_000
_RECORDS_PER_SHARD = 50_000
_HELD = ("rationale-contradicts-preference",)
_STREAM = {
    "kind": _KIND,
    "versions": [_KIND],
    "input": f"shards/{STREAM}-*.jsonl*",
    "blank_records": "reject",
    "identity": {"annotations_per_task": 1},
}


@dataclass(slots=True)
class Expected:
    """What a run must find: the books and the codes."""

    read: int = 0
    rejected: int = 0
    held: int = 0
    codes: Counter[str] = field(default_factory=Counter)

    def document(self) -> dict[str, Any]:
        """The same as the `streams` member of a run's manifest has it."""
        books = {"read": self.read, "accepted": self.read - self.rejected - self.held}
        return {
            "records": {**books, "rejected": self.rejected, "held": self.held},
            "codes": dict(sorted(self.codes.items())),
        }


def write_sample(output: Path, records: int, seed: int) -> Path:
    """Write a campaign of `records` records under `output` and give the path of its manifest.

    Every fault has a fixed share of the records, and where room is at least one; `expected.json` says what a
    run must find. Same arguments, same bytes. Raises RunError where `output` exists and is
    not an empty folder.
    """
    empty_folder(output)
    expected = Expected()
    _write_shards(output / "shards", _lines(records, Random(seed), expected), records)
    campaign = manifest(
        "sample",
        "A synthetic campaign with a known share of every fault.",
        rubrics=write_rubric(output),
        pins=shipped_pins([_KIND]),
        streams={STREAM: _STREAM},
        without=["tasks"],
    )
    write_json(output / "expected.json", {STREAM: expected.document()}, indent=2)
    return write_manifest(output / "campaign.json", campaign)


def _lines(records: int, random: Random, expected: Expected) -> Iterator[bytes]:
    """Exactly `records` lines, the faults spread evenly among the sound ones."""
    jobs = list(_faulty(records))
    random.shuffle(jobs)
    every = records / (len(jobs) + 1)
    due = every
    waiting: list[bytes] = []
    for number in range(records):
        if jobs and number + 1 >= due and not waiting:
            waiting, due = _spoilt(jobs.pop(), number, random, expected), due + every
        expected.read += 1
        yield waiting.pop(0) if waiting else line(record(random, number))


def _faulty(records: int) -> Iterator[int]:
    """Indexes into FAULTS and, past its end, GROUPS: each as often as its share says, at least once if room is."""
    rows = [*((fault.per_million, 1) for fault in FAULTS), *((group.per_million, 2) for group in GROUPS)]
    least = int(records >= 4 * len(rows))
    for index, (share, _) in enumerate(rows):
        yield from [index] * max(least, records * share // _MILLION)


def _spoilt(job: int, number: int, random: Random, expected: Expected) -> list[bytes]:
    if job < len(FAULTS):
        fault = FAULTS[job]
        expected.codes[fault.code] += 1
        expected.held += fault.code in _HELD
        expected.rejected += fault.code not in _HELD
        return [fault.spoil(record(random, number))]
    group = GROUPS[job - len(FAULTS)]
    expected.codes.update(group.codes)
    expected.rejected += group.rejected
    expected.held += group.held
    return group.build(random, number)


def _write_shards(folder: Path, lines: Iterator[bytes], records: int) -> None:
    """At least three shards of about equal size, the second one gzip."""
    count = max(3, -(-records // _RECORDS_PER_SHARD))
    for index in range(count):
        own = records * (index + 1) // count - records * index // count
        name = f"{STREAM}-{index:05d}.jsonl"
        path = folder / (f"{name}.gz" if index == 1 else name)
        with path.open("wb") as raw:
            sink: IO[bytes] = raw
            if index == 1:
                # No name, no time: the same records give the same bytes.
                sink = cast(IO[bytes], gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0, compresslevel=6))
            for _ in range(own):
                sink.write(next(lines) + b"\n")
            if sink is not raw:
                sink.close()
