from __future__ import annotations

from pathlib import Path

import pytest
from emulators import upload

from transforms.records import Shard
from transforms.shards.discover import match
from transforms.shards.discover_objects import match_objects
from transforms.shards.faults import UnreadableShard
from transforms.storage import objects
from transforms.storage.location import Remote, within

TREE = (
    "a.jsonl",
    "b.jsonl.gz",
    ".hidden.jsonl",
    "s/a.jsonl",
    "s/t/c.jsonl",
    "s/.t/d.jsonl",
    "odd[1]/x.jsonl",
    "ü #?%.jsonl",
)


@pytest.fixture(scope="module")
def folders(either: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Remote]:
    """The same files in a folder and in a bucket."""
    folder = tmp_path_factory.mktemp("tree") / "exports"
    for name in TREE:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name, encoding="utf-8")
    upload(folder, Remote("data", "exports"))
    return folder, Remote("data", "exports")


def matched(patterns: tuple[str, ...], folder: Remote) -> tuple[Shard, ...]:
    return match_objects("s", [within(folder, pattern) for pattern in patterns])


@pytest.mark.parametrize(
    "patterns",
    [
        ("*.jsonl",),
        ("**/*.jsonl",),
        ("**",),
        ("s/**",),
        ("s/*/c.jsonl",),
        ("?.jsonl", "s/[a-b].jsonl"),
        ("a.jsonl", "*.jsonl"),
        (".*",),
        ("s/.t/*",),
        ("odd[1]/x.jsonl",),
        ("odd[1]/*",),
        ("ü #?%.jsonl",),
        ("s/t/c.jsonl",),
        ("s/../a.jsonl",),
    ],
    ids=" ".join,
)
def test_objects_are_matched_as_files_are(patterns: tuple[str, ...], folders: tuple[Path, Remote]) -> None:
    here, there = folders
    files = [(shard.name, shard.size) for shard in match("s", patterns, here)]
    assert [(shard.name, shard.size) for shard in matched(patterns, there)] == files


def test_a_shard_of_a_bucket(folders: tuple[Path, Remote]) -> None:
    _, there = folders
    [shard] = matched(("s/t/*.jsonl",), there)
    seen = objects.status(there / "s/t/c.jsonl")
    url = "gs://data/exports/s/t/c.jsonl"
    assert shard == Shard("s", "c.jsonl", url, url, len("s/t/c.jsonl"), seen.generation, seen.crc32c)


@pytest.mark.parametrize("pattern", ["none*.jsonl", "S/*", "s/t/c.jsonl/x", "gs://data/nowhere/*"])
def test_a_pattern_that_matches_nothing(pattern: str, folders: tuple[Path, Remote]) -> None:
    with pytest.raises(UnreadableShard, match="no object matches gs://data/"):
        matched((pattern,), folders[1])


def test_a_bucket_that_is_not_there(either: str) -> None:
    with pytest.raises(UnreadableShard, match="gs://no-such-bucket: no such object, or no such bucket"):
        matched(("gs://no-such-bucket/*",), Remote("data"))
