"""Runs of earlier releases: every command that reads a run reads them.

Each folder under tests/releases has a `campaign` and the run `sample` that the release of that name made of it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import assay, read
from processes import assay as assay_process
from source_tree import ROOT

from pipeline.committed.run import open_run
from pipeline.load import load
from transforms.records import Outcome

RELEASES = sorted((ROOT / "tests" / "releases").iterdir())


@pytest.fixture(params=RELEASES, ids=lambda folder: folder.name)
def release(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


def test_there_is_one() -> None:
    assert [folder.name for folder in RELEASES] == ["0.1.0"]


def test_it_is_of_that_release_and_has_records_of_every_outcome(release: Path) -> None:
    run = open_run(release / "sample")
    assert run.versions["campaign-assay"] == release.name
    for stream in run.manifest["streams"].values():
        assert all(stream["records"][outcome] for outcome in Outcome)


def test_verify(release: Path) -> None:
    run = release / "sample"
    said = assay("verify", run, "--inputs-base", release / "campaign")
    assert (said.code, said.out, said.err) == (0, f"{run}: whole\n", "")


def test_export(release: Path, tmp_path: Path) -> None:
    said = assay("export", release / "sample", "--output", tmp_path / "x", "--format", "jsonl")
    assert (said.code, said.err) == (0, "")
    accepted = read(release / "sample" / "manifest.json")["streams"]["annotations"]["records"]["accepted"]
    assert read(tmp_path / "x" / "export.json")["streams"]["annotations"]["rows"] == accepted
    assert assay("verify", tmp_path / "x").code == 0


def test_load_and_cat(release: Path) -> None:
    run = release / "sample"
    loader = load(run, records=True)
    values = [record.value for record in loader.records()]
    books = read(run / "manifest.json")["streams"]["annotations"]["records"]
    assert len(values) == len(loader) == books["accepted"]
    assert sum(batch.rows.num_rows for batch in loader.batches()) == len(values)
    said = assay_process("cat", run)
    assert (said.returncode, said.stderr) == (0, "")
    assert [json.loads(line) for line in said.stdout.splitlines()] == values


def test_diff(release: Path) -> None:
    said = assay("diff", release / "sample", release / "sample")
    assert (said.code, said.out.splitlines()[-1], said.err) == (0, "no difference", "")
