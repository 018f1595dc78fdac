"""Two attempts at one run id in a bucket: one commits, the other says so, and the run is whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import processes
import pytest
from commands import Said, assay, run
from emulators import download, move, upload

from pipeline import bucket_claim, publish
from transforms.blocks.layout import Layout
from transforms.blocks.summary import OutputFile
from transforms.storage import objects
from transforms.storage.location import Location, Remote

SAMPLE = Path(__file__).parents[2] / "manifests" / "sample"


@pytest.fixture(scope="module")
def campaign(strict: Remote) -> Remote:
    upload(SAMPLE, strict / "sample")
    return strict / "sample/campaign.json"


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], None]]:
    """Once it is called, what runs in this process runs as on another machine, until the test ends."""
    with pytest.MonkeyPatch.context() as patch:
        yield lambda: move(tmp_path_factory.mktemp("another"), patch)


def attempt(campaign: Remote, output: Remote, *options: str) -> Said:
    return assay("run", campaign, "--output", output, "--run-id", "golden", "--quiet", *options)


@pytest.mark.parametrize("inputs", ["*.jsonl*", "annotations-00002.jsonl"], ids=["same inputs", "other inputs"])
def test_whoever_commits_second_says_so(
    inputs: str,
    campaign: Remote,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    elsewhere: Callable[[], None],
) -> None:
    """The other attempt begins and commits after the first has delivered all of its files."""
    output = Remote("data", f"race-{len(inputs)}")
    option = ("--input", f"annotations={campaign.parent / 'shards'}/{inputs}")
    original, others = publish.commit, []

    def commit(root: Location, data: bytes, ready: Callable[[], None]) -> None:
        monkeypatch.setattr(publish, "commit", original)
        elsewhere()
        others.append(attempt(campaign, output, *option))
        original(root, data, ready=ready)

    monkeypatch.setattr(publish, "commit", commit)
    said = attempt(campaign, output)
    assert (said.code, said.err) == (2, "assay: golden was committed by someone else meanwhile\n")
    assert [other.code for other in others] == [0]
    alone = assay("run", campaign, "--output", tmp_path, "--run-id", "golden", "--quiet", *option)
    assert alone.code == 0
    folder = tmp_path / "golden"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert download(output / "golden") == files
    assert assay("verify", output / "golden", "--inputs").code == 0


def test_nothing_is_replaced_in_a_committed_run(
    campaign: Remote, monkeypatch: pytest.MonkeyPatch, elsewhere: Callable[[], None]
) -> None:
    """An attempt that still delivers when another has committed: its bytes are others, and stay out."""
    output = Remote("data", "late")
    other = ("--input", f"annotations={campaign.parent / 'shards'}/annotations-00002.jsonl")
    original = bucket_claim._refuse_taken

    def refuse(*arguments: Any) -> None:
        original(*arguments)
        monkeypatch.setattr(bucket_claim, "_refuse_taken", original)
        elsewhere()
        assert attempt(campaign, output).code == 0

    monkeypatch.setattr(bucket_claim, "_refuse_taken", refuse)
    said = attempt(campaign, output, *other)
    assert (said.code, said.err) == (2, "assay: golden was committed by someone else meanwhile\n")
    assert assay("verify", output / "golden", "--inputs").code == 0


def test_files_that_another_attempt_replaced_are_not_committed(
    campaign: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another attempt over other inputs overwrites a file before this one commits, and has not committed itself."""
    output = Remote("data", "overwritten")
    original = bucket_claim.check_delivered

    def check(layout: Layout, files: Iterable[OutputFile]) -> None:
        delivered = list(files)
        objects.put(output / "golden" / delivered[0].path, b"another's")
        original(layout, delivered)

    monkeypatch.setattr(publish, "check_delivered", check)
    said = attempt(campaign, output)
    assert said.code == 3
    assert "is not what this run wrote: another attempt is under way under the same run id" in said.err
    assert not objects.exists(output / "golden/manifest.json")


def test_on_one_machine_the_second_does_not_begin(campaign: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    output, others = Remote("data", "one-machine"), []
    original = publish.commit

    def commit(root: Location, data: bytes, ready: Callable[[], None]) -> None:
        others.append(attempt(campaign, output))
        original(root, data, ready=ready)

    monkeypatch.setattr(publish, "commit", commit)
    assert attempt(campaign, output).code == 0
    assert [(other.code, other.err) for other in others] == [(2, "assay: another process is writing the run golden\n")]


def test_of_two_processes_one_commits(campaign: Remote, tmp_path: Path) -> None:
    output = Remote("data", "processes")
    started = []
    for number in range(2):
        with (tmp_path / f"{number}.err").open("wb") as err, (tmp_path / f"{number}.out").open("wb") as out:
            arguments = ("run", str(campaign), "--output", str(output), "--run-id", "golden", "--quiet")
            (tmp_path / f"{number}.machine").mkdir()
            machine = {"TMPDIR": str(tmp_path / f"{number}.machine")}
            started.append(processes.start(*arguments, environment=machine, stdout=out, stderr=err))
    codes = [process.wait(120) for process in started]
    assert sorted(codes) == [0, 2]
    complaint = processes.the_complaint((tmp_path / f"{codes.index(2)}.err").read_text())
    assert complaint in (
        "golden was committed by someone else meanwhile",
        f"the run golden is committed already: {output}/golden",
    )
    assert assay("verify", output / "golden", "--inputs").code == 0
    folder = run(campaign, tmp_path)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert download(output / "golden") == files
