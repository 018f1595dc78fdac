"""Opening a shard's file: what is no file any more is told, not waited for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from transforms.records import Shard
from transforms.shards.documents import Document, DocumentBlock, read_documents
from transforms.shards.faults import UnreadableShard
from transforms.shards.files import read
from transforms.terms import Limits


def shard(path: Path) -> Shard:
    return Shard("s", "a.yaml", "a.yaml", str(path), 5)


def test_a_files_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: 12")
    assert b"".join(read(shard(path))) == b"a: 12"
    assert b"".join(read(shard(path), 1, 4)) == b": 1"


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (os.mkfifo, "it is no regular file: the file changed"),
        (lambda path: path.symlink_to("/dev/zero"), "it is no regular file: the file changed"),
        (Path.mkdir, "Is a directory"),
        (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
        (lambda path: None, "No such file or directory"),
    ],
    ids=["pipe", "device", "folder", "loop", "nothing"],
)
def test_what_is_no_file(make: Callable[[Path], object], reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    make(path)
    with pytest.raises(UnreadableShard) as raised:
        list(read(shard(path)))
    assert str(raised.value) == f"a.yaml: {reason}"
    with pytest.raises(UnreadableShard):
        list(read_documents(DocumentBlock("s", 0, (Document(shard(path), "0" * 64),)), Limits()))
