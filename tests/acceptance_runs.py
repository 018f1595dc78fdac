"""What is read from a run of the campaign with rubrics, and what must stand there."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from commands import read
from golden_campaigns import Ran

RECORDS = 36
DECIDED = ("annotations", "answers", "clinical", "derivations")

Record = dict[str, Any]
Found = dict[tuple[str, str, int], list[str]]
Rows = dict[str, Record]


def decisions(ran: Ran) -> list[Record]:
    """The rows of all decisions, in the order (stream, shard, line)."""
    files = sorted((ran.folder / "decisions").rglob("*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    return sorted(rows, key=lambda row: (row["stream"], row["shard"], row["line"]))


def lines_of(sample: Path, stream: str) -> list[bytes]:
    """The lines of a stream, shard by shard."""
    shards = sorted((sample.parent / "shards").glob(f"{stream}-*.jsonl"))
    return [line for shard in shards for line in shard.read_bytes().splitlines()]


def task_of(sample: Path, row: Record) -> str:
    line = (sample.parent / "shards" / row["shard"]).read_bytes().splitlines()[row["line"] - 1]
    assert hashlib.sha256(line).hexdigest() == row.get("record_sha256", row.get("sha256"))
    return str(json.loads(line)["task_id"])


def found(ran: Ran) -> Found:
    """The codes of every refused record, by where it stands."""
    rows = [row for outcome in ("rejected", "held") for row in ran.refused(outcome)]
    places = {
        (row["stream"], row["shard"], row["line"]): sorted({each["code"] for each in row["findings"]}) for row in rows
    }
    assert len(places) == len(rows)
    return places


def expected(sample: Path) -> Found:
    """What `found` must give."""
    places = defaultdict(list)
    for row in read(sample.with_name("expected.json")):
        places[row["stream"], row["shard"], row["line"]].append(row["code"])
    return dict(places)


def one_spelling(name: str) -> str:
    """Of the spellings in the sample."""
    return name.strip().lower()


def changed(sample: Path, output: Path, change: Any) -> Path:
    """A copy of the campaign with its manifest changed; it reads the same shards."""
    manifest: Record = read(sample)
    for stream in manifest["streams"].values():
        stream["input"] = str(sample.parent / stream["input"])
    pins = (*manifest["rubrics"].values(), *manifest["safety_policies"].values(), manifest["evidence"]["test_suites"])
    for pin in pins:
        pin["path"] = str(sample.parent / pin["path"])
    change(manifest)
    path = output / "campaign.json"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return path
