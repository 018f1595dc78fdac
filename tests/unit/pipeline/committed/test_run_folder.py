"""Files of a run by name: what is opened, what is refused, what is listed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.committed.folder import Entry, entries, open_file


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run's folder, with a file and links beside it that lead out."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "file").write_bytes(b"secret")
    run = tmp_path / "run"
    (run / "a" / "b").mkdir(parents=True)
    (run / "a" / "b" / "file").write_bytes(b"content")
    (run / "a" / "link").symlink_to(tmp_path / "secret" / "file")
    (run / "a" / "inside").symlink_to(run / "a" / "b" / "file")
    (run / "out").symlink_to(tmp_path / "secret")
    os.mkfifo(run / "pipe")
    return run


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_file(run: Path) -> None:
    with open_file(run, "a/b/file") as file:
        assert file.read() == b"content"


def test_the_runs_own_folder_may_be_a_link(run: Path) -> None:
    (run.parent / "latest").symlink_to(run)
    with open_file(run.parent / "latest", "a/b/file") as file:
        assert file.read() == b"content"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none", "No such file or directory"),
        ("none/file", "No such file or directory"),
        ("a/b/file/file", "Not a directory"),
        ("a/b", "is no regular file"),
        ("pipe", "is no regular file"),
        ("a/link", "is a link, or beneath one"),
        ("a/inside", "is a link, or beneath one"),
        ("out", "is a link, or beneath one"),
        ("out/file", "is a link, or beneath one"),
        ("../secret/file", "is no path within a run"),
        ("a/../a/b/file", "is no path within a run"),
        ("./a/b/file", "is no path within a run"),
        ("/etc/hostname", "is no path within a run"),
        ("a//b/file", "is no path within a run"),
        ("a\0", "is no path within a run"),
        ("", "is no path within a run"),
        ("x" * 300, "File name too long"),
    ],
)
def test_refused(run: Path, name: str, reason: str) -> None:
    before = open_descriptors()
    with pytest.raises(OSError) as raised:
        open_file(run, name)
    assert raised.value.strerror == reason
    assert open_descriptors() == before


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_file(tmp_path / "none", "file")


def test_entries(run: Path) -> None:
    assert sorted(entries(run), key=lambda entry: entry.name) == [
        Entry("a", is_file=False, is_folder=True),
        Entry("a/b", is_file=False, is_folder=True),
        Entry("a/b/file", is_file=True, is_folder=False),
        Entry("a/inside", is_file=False, is_folder=False),
        Entry("a/link", is_file=False, is_folder=False),
        Entry("out", is_file=False, is_folder=False),
        Entry("pipe", is_file=False, is_folder=False),
    ]
