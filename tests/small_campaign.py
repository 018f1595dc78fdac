"""A campaign whose small run has a file of every sort: two accepted, rejects as text and as base64, held, warned."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from golden_campaigns import STREAM, merged, write_campaign

from pipeline.sample.pairwise import FAULTS, Record, line
from pipeline.sample.pairwise import record as sample_record

PLAIN, PACKED = "a.jsonl", "b.jsonl.gz"
BOOKS = {"read": 11, "accepted": 6, "rejected": 4, "held": 1}
CODES = {
    "duplicate-record": 2,
    "invalid-utf8": 1,
    "rationale-contradicts-preference": 1,
    "repeated-annotation": 2,
    "schema/required": 1,
}
# The judgements of one task that repeat each other stay, with a warning.
_CAMPAIGN: Mapping[str, Any] = {"streams": {STREAM: {"identity": {"repeated-annotation": "allow"}}}}


def record(number: int, **changes: Any) -> Record:
    """A sound record; the number alone decides it."""
    return {**sample_record(Random(number), number), **changes}


def spoilt(code: str, number: int) -> bytes:
    """A line with the fault of that code."""
    return next(fault for fault in FAULTS if fault.code == code).spoil(record(number))


def write_small(folder: Path, campaign: Mapping[str, Any] = _CAMPAIGN) -> Path:
    """The campaign under `folder` and its shards under `folder`/shards; the path of its manifest."""
    repeated = record(4, ratings={**record(4)["ratings"], "style": 1})
    plain = [
        *(line(record(number)) for number in range(3)),
        spoilt("invalid-utf8", 100),
        spoilt("schema/required", 101),
        spoilt("rationale-contradicts-preference", 102),
        line(record(0)),
    ]
    packed = [line(record(3)), line(record(4)), line(repeated), line(dict(reversed(record(1).items())))]
    shards = folder / "shards"
    shards.mkdir(parents=True)
    (shards / PLAIN).write_bytes(b"\n".join(plain) + b"\n")
    (shards / PACKED).write_bytes(gzip.compress(b"\n".join(packed) + b"\n", mtime=0))
    return write_campaign(folder, "shards/*.jsonl*", merged(dict(_CAMPAIGN), campaign), {})
