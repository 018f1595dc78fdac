"""Runs in a bucket as what other commands start from: history, a backfill, a difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import assay, run
from emulators import download, upload

from transforms.storage import objects
from transforms.storage.location import Remote

SAMPLE = Path(__file__).parents[2] / "manifests" / "sample"
CAMPAIGN = SAMPLE / "campaign.json"
_OF_PLACES = ("uri", "generation", "crc32c")


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(CAMPAIGN, tmp_path_factory.mktemp("local"))


@pytest.fixture(scope="module")
def published(strict: Remote, local: Path) -> Remote:
    """The same run in a bucket."""
    upload(local, strict / "published/golden")
    return strict / "published/golden"


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_judged_against_one_in_a_bucket(published: Remote, local: Path, strict: Remote, tmp_path: Path) -> None:
    options = ("--run-id", "next", "--quiet", "--input", f"annotations={SAMPLE}/shards/annotations-00000.jsonl")
    here = assay("run", CAMPAIGN, "--history", local, "--output", tmp_path, *options)
    there = assay("run", CAMPAIGN, "--history", published, "--output", strict / "history", *options)
    assert (here.code, there.code) == (0, 0)
    assert download(strict / "history/next") == files(tmp_path / "next")


def test_a_run_in_a_bucket_is_judged_again(published: Remote, local: Path, strict: Remote, tmp_path: Path) -> None:
    options = ("--held", "--rejected", "--judge-all", "--run-id", "again", "--quiet")
    here = assay("revalidate", CAMPAIGN, "--from", local, "--output", tmp_path, *options)
    there = assay("revalidate", CAMPAIGN, "--from", published, "--output", strict / "backfill", *options)
    assert (here.code, there.code) == (0, 0), there
    of_places = {"manifest.json", "SHA256SUMS"}
    found, expected = download(strict / "backfill/again"), files(tmp_path / "again")
    assert {name: data for name, data in found.items() if name not in of_places} == {
        name: data for name, data in expected.items() if name not in of_places
    }
    assert _elsewhere(found) == _elsewhere(expected)
    assert assay("verify", strict / "backfill/again", "--inputs").code == 0


def _elsewhere(content: dict[str, bytes]) -> object:
    """The manifest without what it says of places."""
    manifest = json.loads(content["manifest.json"])
    for row in (*manifest["inputs"], *manifest.get("sources", ())):
        for name in _OF_PLACES:
            row.pop(name, None)
    return manifest


def test_a_run_that_changes_before_it_is_judged_again(published: Remote, strict: Remote, tmp_path: Path) -> None:
    for name, data in download(published).items():
        objects.put(strict / "changed" / name, data)
    accepted = next(one for one, _ in objects.listing(strict / "changed/accepted"))
    objects.put(accepted, objects.read_whole(accepted, 10**8) + b"x")
    said = assay("revalidate", CAMPAIGN, "--from", strict / "changed", "--output", tmp_path, "--quiet")
    assert (said.code, said.err.count("\n")) == (3, 1)
    assert str(accepted) in said.err


def test_a_difference_of_runs_in_a_bucket(published: Remote, local: Path, tmp_path: Path) -> None:
    other = run(CAMPAIGN, tmp_path, "--input", f"annotations={SAMPLE}/shards/annotations-00000.jsonl")
    here = assay("diff", local, other, "--format", "json")
    there = assay("diff", published, other, "--format", "json")
    assert (there.code, there.out) == (here.code, here.out)
    assert here.code == 1
