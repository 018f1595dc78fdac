"""Runs that are published in a bucket: the same files as in a folder, committed once, nothing left of an attempt."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import assay, run
from emulators import download, upload

from pipeline.load import load
from transforms.storage import objects
from transforms.storage.location import Remote

SAMPLE = Path(__file__).parents[2] / "manifests" / "sample"


@pytest.fixture(scope="module")
def there(either: str) -> Remote:
    """The sample campaign in a bucket of either emulator."""
    upload(SAMPLE, Remote("data", "sample"))
    return Remote("data", "sample")


@pytest.fixture(scope="module")
def local(there: Remote, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over that campaign in a folder."""
    return run(there / "campaign.json", tmp_path_factory.mktemp("local"))


@pytest.fixture(scope="module")
def published(there: Remote) -> Remote:
    """A run over that campaign in the bucket."""
    said = assay("run", there / "campaign.json", "--output", "gs://data/out", "--run-id", "golden", "--quiet")
    assert said.code == 0, said
    assert "files     gs://data/out/golden\n" in said.out
    return Remote("data", "out/golden")


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_files_as_in_a_folder(published: Remote, local: Path) -> None:
    assert download(published) == files(local)
    assert assay("verify", published, "--inputs").code == 0


def test_a_run_is_committed_once(there: Remote, published: Remote, local: Path) -> None:
    said = assay("run", there / "campaign.json", "--output", published.parent, "--run-id", "golden", "--quiet")
    assert (said.code, said.err) == (2, f"assay: the run golden is committed already: {published}\n")
    assert download(published) == files(local)


def test_what_a_crashed_attempt_left_is_removed(there: Remote, local: Path) -> None:
    folder = Remote("data", "crashed/golden")
    for name in (".staging/0123/annotations/x.arrow", "accepted/annotations/x.parquet", "report.html"):
        objects.put(folder / name, b"left behind")
    said = assay("run", there / "campaign.json", "--output", folder.parent, "--run-id", "golden", "--quiet")
    assert said.code == 0, said
    assert download(folder) == files(local)


def test_a_folder_that_holds_something_else_is_left_alone(there: Remote) -> None:
    folder = Remote("data", "taken/golden")
    objects.put(folder / "thesis.txt", b"mine")
    said = assay("run", there / "campaign.json", "--output", folder.parent, "--run-id", "golden", "--quiet")
    assert said.code == 2
    assert "holds 'thesis.txt', which is no file of a run" in said.err
    assert download(folder) == {"thesis.txt": b"mine"}


def test_a_bucket_that_is_not_there(there: Remote) -> None:
    said = assay("run", there / "campaign.json", "--output", "gs://none", "--run-id", "r", "--quiet")
    reason = "cannot create the run's folder gs://none/r: no such object, or no such bucket"
    assert (said.code, said.err) == (2, f"assay: {reason}\n")


def test_nothing_is_left_of_a_run_that_fails(there: Remote, tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl.gz").write_bytes(SAMPLE.joinpath("shards/annotations-00001.jsonl.gz").read_bytes()[:-9])
    pattern = f"annotations={tmp_path}/cut.jsonl.gz"
    output = Remote("data", "failed")
    said = assay("run", there / "campaign.json", "--input", pattern, "--output", output, "--run-id", "r", "--quiet")
    assert said.code == 3
    assert "truncated-shard" in said.err
    assert download(output) == {}


def test_commands_that_read_a_run(published: Remote, local: Path, tmp_path: Path) -> None:
    for place, name in ((local, "here"), (published, "far")):
        assert assay("export", place, "--format", "jsonl", "--output", tmp_path / name).code == 0
    assert files(tmp_path / "far") == files(tmp_path / "here")
    assert list(load(str(published)).records()) == list(load(local).records())


def test_verify_tells_what_was_done_to_a_run(published: Remote, tmp_path: Path) -> None:
    """The same as of a folder to which the same was done."""
    folder, here = Remote("data", "tampered"), tmp_path / "tampered"
    content = download(published)
    accepted = next(name for name in sorted(content) if name.startswith("accepted/"))
    changed = {**content, accepted: content[accepted] + b"x", "notes.txt": b""}
    del changed["report.html"]
    for name, data in changed.items():
        objects.put(folder / name, data)
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_bytes(data)
    said, local = (assay("verify", place, "--format", "json") for place in (folder, here))
    assert (said.code, said.out) == (3, local.out)
    assert {("file-changed", accepted), ("file-missing", "report.html"), ("file-unlisted", "notes.txt")} <= set(
        said.findings
    )
