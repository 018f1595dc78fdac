"""Shards that cannot be used, each with the code that the run must give for it."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass, field

from small_campaign import record

from pipeline.sample.pairwise import line

SOUND = b"".join(line(record(number)) + b"\n" for number in range(3))
PACKED = gzip.compress(SOUND, mtime=0)


@dataclass(frozen=True)
class UnusableShard:
    """A shard's name and bytes, and limits under which it is unusable."""

    about: str
    name: str
    data: bytes
    code: str
    limits: Mapping[str, int] = field(default_factory=dict)


SHARD_FAULTS = (
    UnusableShard("a byte too many", "b.jsonl", SOUND, "shard-too-large", {"max_shard_bytes": len(SOUND) - 1}),
    UnusableShard(
        "a packed byte too many", "b.jsonl.gz", PACKED, "shard-too-large", {"max_shard_bytes": len(PACKED) - 1}
    ),
    UnusableShard(
        "an expanded byte too many", "b.jsonl.gz", PACKED, "expansion-too-large", {"max_expanded_bytes": len(SOUND) - 1}
    ),
    UnusableShard(
        "a gzip bomb",
        "b.jsonl.gz",
        gzip.compress(b" " * 50_000_000),
        "expansion-too-large",
        {"max_expanded_bytes": 100_000},
    ),
    UnusableShard("cut short", "b.jsonl.gz", PACKED[:-9], "truncated-shard"),
    UnusableShard("without its trailer", "b.jsonl.gz", PACKED[:-8], "truncated-shard"),
    UnusableShard("the second member cut short", "b.jsonl.gz", PACKED + PACKED[:-1], "truncated-shard"),
    UnusableShard(
        "a flipped bit", "b.jsonl.gz", PACKED[:200] + bytes([PACKED[200] ^ 1]) + PACKED[201:], "corrupt-shard"
    ),
    UnusableShard("a wrong checksum", "b.jsonl.gz", PACKED[:-8] + b"\0" * 4 + PACKED[-4:], "corrupt-shard"),
    UnusableShard("zeros after the last member", "b.jsonl.gz", PACKED + b"\0" * 512, "corrupt-shard"),
    UnusableShard("gzip under a plain name", "b.jsonl", PACKED, "corrupt-shard"),
    UnusableShard("plain under a gzip name", "b.jsonl.gz", SOUND, "corrupt-shard"),
    UnusableShard("nothing under a gzip name", "b.jsonl.gz", b"", "corrupt-shard"),
    UnusableShard(
        "a Git LFS pointer",
        "b.jsonl",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 9\n",
        "not-jsonl",
    ),
    UnusableShard("one array", "b.jsonl", json.dumps([record(0), record(1)]).encode(), "not-jsonl"),
    UnusableShard("one document over several lines", "b.jsonl", json.dumps(record(0), indent=1).encode(), "not-jsonl"),
    UnusableShard("one array, packed", "b.jsonl.gz", gzip.compress(b"[\n" + SOUND + b"]"), "not-jsonl"),
    UnusableShard("UTF-16", "b.jsonl", SOUND.decode().encode("utf-16"), "not-jsonl"),
    UnusableShard("UTF-32", "b.jsonl", SOUND.decode().encode("utf-32"), "not-jsonl"),
    UnusableShard("Parquet", "b.jsonl", b"PAR1\x15\x04\x15", "not-jsonl"),
    UnusableShard("xz", "b.jsonl", lzma.compress(SOUND), "not-jsonl"),
    UnusableShard("gzip within gzip", "b.jsonl.gz", gzip.compress(PACKED), "not-jsonl"),
)
