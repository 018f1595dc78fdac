"""The built wheel holds everything and runs from anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from commands import read
from source_tree import build_wheel, copy_to_build, packed_files


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_to_build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel(copy: Path) -> Path:
    return build_wheel(copy)


def test_it_holds_every_module_and_every_schema_and_fixture(wheel: Path, copy: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert sorted(names) == packed_files(copy)
    assert {"pipeline/cli/run.py", "schemas/records/pairwise-v2/schema.json"} <= set(names)
    assert any(name.startswith("schemas/documents/rubric-v1/reject/") for name in names)


def test_it_runs_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    unpacked, elsewhere = tmp_path / "unpacked", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)

    def python(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=elsewhere,
            env={**os.environ, "PYTHONPATH": str(unpacked), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    where = python(
        "-c", "import pipeline, schemas, transforms as t; print(*(m.__file__ for m in (pipeline, schemas, t)))"
    )
    assert [Path(path).is_relative_to(unpacked) for path in where.split()] == [True] * 3
    python("-m", "pipeline", "sample", "--output", "sample", "--records", "240")
    python("-m", "pipeline", "check", "sample/campaign.json")
    python("-m", "pipeline", "run", "sample/campaign.json", "--output", "out", "--run-id", "r", "--quiet")
    assert python("-m", "pipeline", "verify", "out/r", "--inputs") == "out/r: whole\n"
    stream = read(elsewhere / "out" / "r" / "manifest.json")["streams"]["annotations"]
    expected = read(elsewhere / "sample" / "expected.json")["annotations"]
    assert {key: stream[key] for key in expected} == expected
