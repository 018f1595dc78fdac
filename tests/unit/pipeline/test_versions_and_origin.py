from __future__ import annotations

import os
import platform
import re
import unicodedata
from importlib import metadata
from pathlib import Path

import pytest

from pipeline.origin import note_origin, read_origin
from pipeline.progress import progress_line
from pipeline.versions import pinned_versions, semantic_checks_digest
from transforms.blocks.progress import Progress


def test_versions_are_those_installed() -> None:
    versions = pinned_versions()
    assert re.fullmatch(r"[0-9a-f]{64}", versions["semantic-checks"])
    assert versions["python"] == platform.python_version()
    assert versions["unicode"] == unicodedata.unidata_version
    libraries = versions.keys() - {"semantic-checks", "python", "unicode"}
    assert libraries >= {"campaign-assay", "jsonschema-rs", "jsonschema", "pyarrow"}
    assert {name: versions[name] for name in libraries} == {name: metadata.version(name) for name in libraries}


def test_the_digest_of_the_checks_is_the_same_each_time() -> None:
    assert semantic_checks_digest() == semantic_checks_digest()


def test_a_run_without_a_note(tmp_path: Path) -> None:
    assert read_origin(tmp_path) is None
    assert read_origin(tmp_path / "gone") is None
    note_origin(tmp_path / "gone", tmp_path)


@pytest.mark.parametrize("name", ["campaign", "größer & ‮", "\udcff"])
def test_a_note_on_a_run(tmp_path: Path, name: str) -> None:
    run, folder = tmp_path / "run", tmp_path / name
    run.mkdir()
    folder.mkdir()
    try:
        os.setxattr(run, "user.assay.probe", b"1")
    except OSError:
        pytest.skip("this file system keeps no extended attributes")
    note_origin(run, folder / ".." / name)
    assert read_origin(run) == folder
    assert list(run.iterdir()) == []


def test_a_line_of_progress() -> None:
    line = progress_line(Progress(500_000, 1_200, 34), 1_000_000, 2.0)
    assert line.startswith("judging:  50%|")
    assert line.endswith("34 of 1,200 records refused]")
    assert "250kB/s" in line
    assert len(line) <= 100


def test_progress_never_goes_beyond_the_whole() -> None:
    assert progress_line(Progress(3, 0, 0), 2, 1.0).startswith("judging: 100%|")
    assert progress_line(Progress(), 0, 0.0).startswith("judging: ")
