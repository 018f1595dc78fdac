"""A file is created whole, under a name that was free, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.creation import create


@pytest.fixture(params=[True, False], ids=["without a name", "as a draft"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file system can keep a file that has no name yet, and where it cannot."""
    if not request.param:
        monkeypatch.delattr(os, "O_TMPFILE")
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file(folder: Path) -> None:
    create(folder / "a", b"data")
    (folder / "b").write_bytes(b"")
    assert (folder / "a").read_bytes() == b"data"
    assert (folder / "a").stat().st_mode == (folder / "b").stat().st_mode
    assert names(folder) == ["a", "b"]


def test_a_name_that_is_taken(folder: Path) -> None:
    (folder / "a").write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        create(folder / "a", b"ours")
    assert ((folder / "a").read_bytes(), names(folder)) == (b"theirs", ["a"])


def test_what_comes_just_before_the_name(folder: Path) -> None:
    def ready() -> None:
        assert not (folder / "a").exists()
        raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"):
        create(folder / "a", b"data", ready)
    assert names(folder) == []
    create(folder / "a", b"data")
    assert names(folder) == ["a"]
