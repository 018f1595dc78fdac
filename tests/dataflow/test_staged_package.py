"""What workers install: the whole of Assay, schemas included, in a form that pip takes."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from source_tree import packed_files
from staged_jobs import StagedJob

pytestmark = pytest.mark.dataflow

WHEEL = "campaign_assay-0.1.0-py3-none-any.whl"


def test_the_package_of_the_tree(by_setup: StagedJob, tree: Path) -> None:
    assert list(by_setup.packages) == ["workflow.tar.gz"]
    with tarfile.open(fileobj=io.BytesIO(by_setup.packages["workflow.tar.gz"])) as archive:
        names = [Path(*Path(member.name).parts[1:]).as_posix() for member in archive if member.isfile()]
    assert set(packed_files(tree)) <= set(names)
    assert {"pyproject.toml", "setup.py", "schemas/records/pairwise-v2/schema.json"} <= set(names)


def test_a_wheel(by_wheel: StagedJob, tree: Path) -> None:
    assert sorted(by_wheel.packages) == sorted([WHEEL, "extra_packages.txt"])
    assert by_wheel.packages["extra_packages.txt"] == f"{WHEEL}\n".encode()
    with zipfile.ZipFile(io.BytesIO(by_wheel.packages[WHEEL])) as archive:
        names = sorted(name for name in archive.namelist() if ".dist-info/" not in name)
    assert names == packed_files(tree)


def test_an_image_needs_none(by_image: StagedJob) -> None:
    assert by_image.packages == {}
