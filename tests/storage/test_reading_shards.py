"""Shards in a bucket: what changes between planning and reading is refused, damage is told from change."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from commands import assay, read, run
from emulators import download, upload
from processes import sample

from pipeline import plan as planning
from pipeline.plan import Plan
from transforms.records import Shard
from transforms.shards.discover_objects import match_objects
from transforms.shards.faults import UnreadableShard
from transforms.shards.files import read as read_file
from transforms.storage import objects
from transforms.storage.location import Remote

SAMPLE = Path(__file__).parents[2] / "manifests" / "sample"


@pytest.fixture(scope="module")
def campaign(strict: Remote) -> Remote:
    """The sample campaign in a bucket."""
    upload(SAMPLE, strict / "sample")
    return strict / "sample"


def shard_of(location: Remote) -> Shard:
    [shard] = match_objects("s", [location])
    return shard


def test_bytes_of_an_object(strict: Remote) -> None:
    objects.put(strict / "read/a.jsonl", b"0123456789")
    shard = shard_of(strict / "read/a.jsonl")
    assert b"".join(read_file(shard)) == b"0123456789"
    assert b"".join(read_file(shard, 2, 5)) == b"234"
    assert b"".join(read_file(shard, 8, 20)) == b"89"


def test_an_object_that_was_replaced_is_refused(strict: Remote) -> None:
    objects.put(strict / "read/b.jsonl", b"before")
    shard = shard_of(strict / "read/b.jsonl")
    objects.put(strict / "read/b.jsonl", b"after!")
    with pytest.raises(UnreadableShard, match=f"^b.jsonl: .* no longer of generation {shard.generation}: the object"):
        list(read_file(shard))


def test_an_object_that_was_removed_is_refused(strict: Remote) -> None:
    objects.put(strict / "read/c.jsonl", b"before")
    shard = shard_of(strict / "read/c.jsonl")
    objects.delete(strict / "read/c.jsonl")
    with pytest.raises(UnreadableShard, match="the object changed"):
        list(read_file(shard))


def test_damage_on_the_way_is_found(strict: Remote) -> None:
    objects.put(strict / "read/d.jsonl", b"sound")
    shard = replace(shard_of(strict / "read/d.jsonl"), crc32c="AAAAAA==")
    with pytest.raises(UnreadableShard, match="do not have the CRC32C that the bucket states"):
        list(read_file(shard))


def test_a_run_over_a_bucket_differs_in_inputs_alone(campaign: Remote, tmp_path: Path) -> None:
    local = run(SAMPLE / "campaign.json", tmp_path / "local")
    remote = tmp_path / "remote" / "golden"
    assert (
        assay("run", campaign / "campaign.json", "--output", remote.parent, "--run-id", "golden", "--quiet").code == 0
    )
    assert files(remote) - {"manifest.json", "SHA256SUMS"} == files(local) - {"manifest.json", "SHA256SUMS"}
    for name in files(local) - {"manifest.json", "SHA256SUMS"}:
        assert (remote / name).read_bytes() == (local / name).read_bytes(), name
    here, there = read(local / "manifest.json"), read(remote / "manifest.json")
    for row, expected in zip(there["inputs"], here["inputs"], strict=True):
        seen = objects.status(campaign / "shards" / row["shard"])
        assert row.pop("uri") == f"{campaign}/{expected.pop('uri')}"
        assert (row.pop("generation"), row.pop("crc32c")) == (str(seen.generation), seen.crc32c)
    assert there == here
    assert assay("verify", remote, "--inputs").code == 0


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("moment", ["make_plan", "refuse_grown"])
def test_an_input_that_changes_during_a_run(
    moment: str, strict: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is replaced after planning, before any block is read, or when all have been."""
    path = sample(tmp_path / "sample", 40)
    there = strict / f"changing-{moment}"
    upload(path.parent, there)
    original = getattr(planning, moment)
    [first, *_] = sorted((path.parent / "shards").iterdir())

    def change() -> None:
        objects.put(there / f"shards/{first.name}", first.read_bytes() + b"\n")

    def changing(*arguments: object) -> Plan | None:
        if moment == "refuse_grown":
            change()
        result: Plan | None = original(*arguments)
        if moment == "make_plan":
            change()
        return result

    monkeypatch.setattr(f"pipeline.run.{moment}", changing)
    said = assay("run", there / "campaign.json", "--output", tmp_path / "out", "--run-id", "r", "--quiet")
    assert said.code == 3
    assert "changed" in said.err
    assert first.name in said.err
    assert said.err.count("\n") == 1
    assert not (tmp_path / "out" / "r").exists()


def test_verifying_inputs_in_a_bucket(strict: Remote, tmp_path: Path) -> None:
    path = sample(tmp_path / "sample", 40)
    there = strict / "verified"
    upload(path.parent, there)
    assert assay("run", there / "campaign.json", "--output", tmp_path, "--run-id", "r", "--quiet").code == 0
    assert assay("verify", tmp_path / "r", "--inputs").code == 0
    name = read(tmp_path / "r/manifest.json")["inputs"][0]["shard"]
    content = download(there)[f"shards/{name}"]

    def found() -> list[tuple[str, str]]:
        said = assay("verify", tmp_path / "r", "--inputs", "--format", "json")
        assert said.code == 3
        return [(row["code"], row["message"].rpartition(f"{name}: ")[2]) for row in json.loads(said.out)]

    before = read(tmp_path / "r/manifest.json")["inputs"][0]["generation"]
    objects.delete(there / f"shards/{name}")
    assert found() == [("input-missing", "no such object, or no such bucket")]
    again = objects.put(there / f"shards/{name}", content)
    assert found() == [("input-changed", f"generation {again.generation}, {before} was read")]
    objects.put(there / f"shards/{name}", content + b"\n")
    assert found() == [("input-changed", f"{len(content) + 1} bytes, {len(content)} were read")]


def test_check_reads_a_campaign_and_its_fixtures(campaign: Remote) -> None:
    said = assay("check", campaign / "campaign.json")
    assert (said.code, said.out) == (
        0,
        assay("check", SAMPLE / "campaign.json").out.replace(str(SAMPLE), str(campaign)),
    )


def test_pin_rewrites_a_campaign(strict: Remote, tmp_path: Path) -> None:
    upload(SAMPLE, strict / "pinned")
    [rubric] = [one for one, _ in objects.listing(strict / "pinned/rubrics")]
    objects.put(rubric, objects.read_whole(rubric, 10**6) + b"\n")
    said = assay("check", strict / "pinned/campaign.json", "--format", "json")
    assert [code for code, _ in said.findings] == ["digest-mismatch"]
    assert assay("pin", strict / "pinned/campaign.json").code == 0
    assert assay("check", strict / "pinned/campaign.json").code == 0
    assert assay("pin", strict / "pinned/campaign.json").out == "nothing moved\n"


def test_one_line_for_what_is_not_there(strict: Remote, tmp_path: Path) -> None:
    said = assay("run", strict / "none/campaign.json", "--output", tmp_path, "--quiet")
    assert said.code == 2
    assert "gs://data/none/campaign.json: no such object, or no such bucket" in said.err
    assert said.err.count("\n") == 1
    said = assay("run", SAMPLE / "campaign.json", "--input", "annotations=gs://none/*", "--output", tmp_path, "--quiet")
    assert (said.code, said.err.count("\n")) == (3, 1)
    assert "gs://none: no such object, or no such bucket" in said.err
