"""Exports, differences and executions that are written to a bucket: the same files as in a folder, once, or none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from code_campaign import GOOD, code_campaign, record, run_without_rubrics, shard, write_tests
from commands import Said, assay, run
from emulators import download
from sandboxed import NEEDS_BUBBLEWRAP, sandbox

from pipeline import new_folder
from pipeline.evaluate.configuration import identity_of
from transforms.storage import objects
from transforms.storage.location import Remote

MANIFESTS = Path(__file__).parents[2] / "manifests"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run over a sample, and one over fewer of its shards."""
    path, folder = MANIFESTS / "sample" / "campaign.json", tmp_path_factory.mktemp("runs")
    fewer = f"annotations={path.parent}/shards/annotations-00002.jsonl"
    arguments = ("--output", folder, "--run-id", "fewer", "--quiet")
    assert assay("run", path, "--input", fewer, *arguments).code == 0
    return run(path, folder), folder / "fewer"


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def export(source: Path, output: Path | Remote) -> Said:
    return assay("export", source, "--format", "trl-preference", "--held-out", "0.2", "--output", output)


def diff(before: Path, after: Path, output: Path | Remote) -> Said:
    return assay("diff", before, after, "--output", output)


def test_an_export(runs: tuple[Path, Path], strict: Remote, tmp_path: Path) -> None:
    there = strict / "exports/one"
    said, here = export(runs[0], there), export(runs[0], tmp_path / "one")
    assert (said.code, said.err) == (0, "")
    assert said.out == here.out.replace(str(tmp_path / "one"), str(there))
    assert download(there) == files(tmp_path / "one")
    assert assay("verify", there).code == 0


def test_a_difference(runs: tuple[Path, Path], strict: Remote, tmp_path: Path) -> None:
    there = strict / "differences/one"
    said, here = diff(*runs, there), diff(*runs, tmp_path / "one")
    assert (said, said.code) == (here, 1)
    assert download(there) == files(tmp_path / "one")


def test_the_difference_of_a_backfill(runs: tuple[Path, Path], strict: Remote, tmp_path: Path) -> None:
    arguments = (
        "revalidate",
        MANIFESTS / "sample" / "campaign.json",
        "--from",
        runs[0],
        "--quiet",
        "--run-id",
        "again",
    )
    for output, differences in ((tmp_path, tmp_path / "diff"), (strict / "again", strict / "differences/again")):
        assert assay(*arguments, "--output", output, "--diff", differences).code == 0
    assert download(strict / "differences/again") == files(tmp_path / "diff")
    within = strict / "more/again/diff"
    said = assay(*arguments, "--output", strict / "more", "--diff", within)
    assert said == Said(2, "", f"assay: {within} lies within the new run's folder {strict / 'more/again'}\n")
    assert download(strict / "more") == {}


def test_a_folder_that_is_there_already(runs: tuple[Path, Path], strict: Remote) -> None:
    for made, last in ((export, "export.json"), (diff, "diff.json")):
        there, arguments = strict / f"taken/{last}", runs if made is diff else runs[:1]
        make: Callable[..., Said] = made
        assert make(*arguments, there).err == ""
        before = download(there)
        said = make(*arguments, there)
        assert (said.code, said.out) == (2, "")
        assert said.err == f"assay: {there} exists already; give a new folder, or remove it first\n"
        assert download(there) == before
        objects.delete(there / last)
        said = make(*arguments, there)
        assert said.err == f"assay: {there} exists already, without {last}; give a new folder, or remove it first\n"


def test_a_run_is_added_to_by_nobody(runs: tuple[Path, Path], strict: Remote) -> None:
    path = MANIFESTS / "sample" / "campaign.json"
    assert assay("run", path, "--output", strict / "closed", "--run-id", "r", "--quiet").code == 0
    before, within = download(strict / "closed"), strict / "closed/r/accepted/x"
    for said in (
        export(runs[0], within),
        diff(*runs, within),
        assay("run", path, "--output", within.parent, "--run-id", "x", "--quiet"),
    ):
        assert said == Said(2, "", f"assay: {within} lies within a run, which nothing may be added to\n")
    assert download(strict / "closed") == before


def test_whoever_comes_second_leaves_nothing(
    runs: tuple[Path, Path], strict: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another export writes its last file while this one puts its own."""
    there, put = strict / "race", new_folder._put

    def later(root: Path, destination: Remote, last: str) -> None:
        objects.create(destination / last, b"another's")
        put(root, destination, last)

    monkeypatch.setattr(new_folder, "_put", later)
    assert export(runs[0], there) == Said(2, "", f"assay: {there} exists already\n")
    assert download(there) == {"export.json": b"another's"}


def test_no_bucket(runs: tuple[Path, Path], strict: Remote) -> None:
    said: Any = export(runs[0], Remote("none", "x"))
    assert (said.code, said.out) == (3, "")
    assert said.err.startswith("assay: no such object, or no such bucket: gs://none/x")


@NEEDS_BUBBLEWRAP
def test_executions(strict: Remote, tmp_path: Path) -> None:
    tests, identity = write_tests(tmp_path / "tests", ["t-1"]), identity_of(sandbox())
    source = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(record("t-1", GOOD))})
    campaign, there = code_campaign(tmp_path / "c", tests, identity), strict / "executions/one.jsonl"
    arguments = ("evaluate", "code", campaign, "--run", source, "--tests", tests, "--output")
    assert [assay(*arguments, place).code for place in (there, tmp_path / "one.jsonl")] == [0, 0]
    assert download(there.parent) == {"one.jsonl": (tmp_path / "one.jsonl").read_bytes()}
    assert assay(*arguments, there) == Said(2, "", f"assay: {there}: exists already\n")
