"""Shards that cannot be used: nothing is published, or in quarantine nothing of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from commands import assay, read
from golden_campaigns import write_campaign
from shard_faults import PACKED, SHARD_FAULTS, SOUND, UnusableShard
from small_campaign import record

from pipeline.sample.pairwise import line

FIRST = line(record(9)) + b"\n"
each_fault = pytest.mark.parametrize("fault", SHARD_FAULTS, ids=lambda fault: fault.about)


def write(folder: Path, shards: Mapping[str, bytes], campaign: Mapping[str, Any]) -> Path:
    (folder / "shards").mkdir()
    for name, data in shards.items():
        (folder / "shards" / name).write_bytes(data)
    return write_campaign(folder, "shards/*", campaign, {})


def run(path: Path, *flags: str) -> Any:
    return assay("run", path, "--output", path.parent / "out", "--run-id", "r", "--quiet", *flags)


@each_fault
def test_the_run_fails_and_leaves_nothing(fault: UnusableShard, tmp_path: Path) -> None:
    path = write(tmp_path, {"a.jsonl": FIRST, fault.name: fault.data}, {"limits": fault.limits})
    said = run(path)
    assert (said.code, said.out, said.err.count("\n")) == (3, "", 1)
    assert said.err.startswith(f"assay: annotations/{fault.name}: {fault.code}: ")
    assert not (tmp_path / "out" / "r").exists()


@each_fault
def test_quarantine_publishes_the_others(fault: UnusableShard, tmp_path: Path) -> None:
    campaign = {"on_corrupt_shard": "quarantine", "limits": fault.limits}
    path = write(tmp_path, {"a.jsonl": FIRST, fault.name: fault.data}, campaign)
    said = run(path)
    assert (said.code, said.err) == (0, "")
    assert f"warning: annotations/{fault.name}: {fault.code}: " in said.out
    made = tmp_path / "out" / "r"
    manifest = read(made / "manifest.json")
    assert manifest["streams"]["annotations"]["records"] == {"read": 1, "accepted": 1, "rejected": 0, "held": 0}
    assert [row.get("fault", {}).get("code") for row in manifest["inputs"]] == [None, fault.code]
    assert [path.name for path in (made / "accepted").rglob("*.parquet")] == ["a.jsonl-b00000.parquet"]
    assert not list(made.rglob("*.jsonl"))
    assert assay("verify", made, "--inputs").code == 0


@pytest.mark.parametrize(
    ("name", "data", "limits"),
    [
        ("b.jsonl", SOUND, {"max_shard_bytes": len(SOUND)}),
        ("b.jsonl.gz", PACKED, {"max_expanded_bytes": len(SOUND)}),
        ("b.jsonl.gz", PACKED + PACKED, {"max_expanded_bytes": 2 * len(SOUND)}),
    ],
)
def test_exactly_the_bound_is_within_it(name: str, data: bytes, limits: Mapping[str, int], tmp_path: Path) -> None:
    said = run(write(tmp_path, {name: data}, {"limits": limits}))
    assert (said.code, said.err) == (0, "")
    assert read(tmp_path / "out" / "r" / "manifest.json")["warnings"] == []


def test_more_quarantined_shards_than_allowed(tmp_path: Path) -> None:
    campaign = {"on_corrupt_shard": "quarantine", "thresholds": {"max_quarantined_shards": 1}}
    path = write(tmp_path, {"a.jsonl": FIRST, "b.jsonl": b"PAR1", "c.jsonl": b"PAR1"}, campaign)
    said = run(path)
    assert (said.code, said.err) == (1, "assay: 2 shards quarantined, the campaign allows 1\n")
    assert assay("verify", tmp_path / "out" / "r").code == 0


def test_all_faults_are_counted_in_one_line(tmp_path: Path) -> None:
    said = run(write(tmp_path, {"a.jsonl": b"PAR1", "b.jsonl": b"PAR1", "c.jsonl": FIRST}, {}))
    assert (said.code, said.err.count("\n")) == (3, 1)
    assert said.err.endswith(" (and 1 more)\n")


def test_no_shard_at_all(tmp_path: Path) -> None:
    said = run(write(tmp_path, {}, {}))
    assert (said.code, said.err) == (3, "assay: stream annotations: no file matches shards/*\n")
    assert not (tmp_path / "out").exists()


def test_nothing_but_quarantined_shards(tmp_path: Path) -> None:
    said = run(write(tmp_path, {"a.jsonl": b"PAR1"}, {"on_corrupt_shard": "quarantine"}))
    assert said.code == 0
    made = tmp_path / "out" / "r"
    assert read(made / "manifest.json")["streams"]["annotations"]["records"]["read"] == 0
    assert [path.name for path in (made / "accepted").rglob("*.parquet")] == ["empty.parquet"]
    assert assay("verify", made).code == 0
