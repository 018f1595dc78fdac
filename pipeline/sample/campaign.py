"""A synthetic campaign on disk: shards, rubric, manifest, and what a run of it must find."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from random import Random
from typing import IO, Any, cast

import schemas
from pipeline.campaign import SHIPPED
from pipeline.exits import Exit, RunError
from pipeline.pin import dump_campaign
from pipeline.sample.groups import GROUPS
from pipeline.sample.pairwise import FAULTS, line, record
from transforms.digests import sha256_hex
from transforms.terms import KIB

STREAM = "annotations"
_KIND = "pairwise-v2"
_RUBRIC = "code-review-v1"
_MILLION = 1_000_000
_RECORDS_PER_SHARD = 50_000
_HELD = ("rationale-contradicts-preference",)


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
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise RunError(Exit.USAGE, f"{output} is not an empty folder")
    (output / "shards").mkdir(parents=True, exist_ok=True)
    expected = Expected()
    _write_shards(output / "shards", _lines(records, Random(seed), expected), records)
    rubric = _rubric()
    (output / "rubrics").mkdir(exist_ok=True)
    (output / "rubrics" / f"{_RUBRIC}.json").write_bytes(rubric)
    path = output / "campaign.json"
    path.write_bytes(dump_campaign(_manifest(sha256_hex(rubric))))
    document = json.dumps({STREAM: expected.document()}, indent=2) + "\n"
    (output / "expected.json").write_text(document, encoding="utf-8")
    return path


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


def _rubric() -> bytes:
    criteria = (("correctness", 0.45, 4), ("instruction_adherence", 0.25, 4), ("reasoning_evidence", 0.2, 3))
    rows = [*criteria, ("readability", 0.1, 3)]
    rubric = {
        "rubric_version": _RUBRIC,
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": [{"id": name, "weight": weight, "minimum_score": least} for name, weight, least in rows],
        "weighted_acceptance_score": 4.0,
        "review_policy": {"independent_reviews": 3, "minimum_accept_votes": 2, "disagreement_action": "adjudicate"},
    }
    return (json.dumps(rubric, indent=2) + "\n").encode()


def _manifest(rubric_sha256: str) -> dict[str, Any]:
    schema = schemas.schema_path("records", _KIND).read_bytes()
    engine = "jsonschema-rs"
    return {
        "campaign_version": "campaign-v1",
        "id": "sample",
        "description": "A synthetic campaign with a known share of every fault.",
        "dialect": "https://json-schema.org/draft/2020-12/schema",
        "validator": {"engine": engine, "version": metadata.version(engine), "formats": "assert"},
        "canonicalisation": "raw",
        "limits": {
            "max_record_bytes": 64 * KIB,
            "max_conversation_characters": 24_000,
            "max_conversation_bytes": 48_000,
        },
        "schemas": {_KIND: {"path": f"{SHIPPED}{_KIND}", "sha256": sha256_hex(schema)}},
        "rubrics": {_RUBRIC: {"path": f"rubrics/{_RUBRIC}.json", "sha256": rubric_sha256}},
        "streams": {
            STREAM: {
                "kind": _KIND,
                "versions": [_KIND],
                "input": f"shards/{STREAM}-*.jsonl*",
                "blank_records": "reject",
                "identity": {"annotations_per_task": 1},
            }
        },
        "rejects": {"payload": "raw"},
        "on_corrupt_shard": "fail",
    }
