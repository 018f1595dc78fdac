"""Seals: what they give back, and what they refuse."""

from __future__ import annotations

import os
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from transforms.blocks.layout import Layout
from transforms.blocks.seals import seal, unseal
from transforms.blocks.summary import Staged, output_file
from transforms.digests import digest
from transforms.records import Finding, Outcome, Shard
from transforms.shards.plan import Block

BLOCK = Block(Shard("s", "a.jsonl", "a.jsonl", "/a.jsonl", 9), 0, 0, 9, 1, "0" * 64, False)
VALUE = Staged(
    3,
    BLOCK,
    read=2,
    staged=1,
    outcomes=Counter({Outcome.HELD: 1}),
    codes=Counter({"x": 1}),
    warnings={1: (Finding("x", "m", "/p"),)},
)


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    """The seal of a block with one file."""
    (tmp_path / "there").write_bytes(b"content")
    seal(tmp_path / "seal", "key", VALUE, [output_file(tmp_path / "there", tmp_path)], Layout(tmp_path))
    return tmp_path / "seal"


def test_a_seal(sealed: Path) -> None:
    assert unseal(sealed, "key", Layout(sealed.parent)) == VALUE
    assert sorted(path.name for path in sealed.parent.iterdir()) == ["seal", "there"]


def test_another_key(sealed: Path) -> None:
    assert unseal(sealed, "other", Layout(sealed.parent)) is None


def test_no_seal(tmp_path: Path) -> None:
    assert unseal(tmp_path / "seal", "key", Layout(tmp_path)) is None


@pytest.mark.parametrize("content", [b"content+", b"conten", b"", b"CONTENT", None], ids=repr)
def test_a_file_that_is_not_as_it_was(content: bytes | None, sealed: Path) -> None:
    if content is None:
        (sealed.parent / "there").unlink()
    else:
        (sealed.parent / "there").write_bytes(content)
    assert unseal(sealed, "key", Layout(sealed.parent)) is None


def test_any_changed_byte_of_a_seal(sealed: Path) -> None:
    data = sealed.read_bytes()
    for at in range(len(data)):
        sealed.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert unseal(sealed, "key", Layout(sealed.parent)) is None


def test_any_part_of_a_seal(sealed: Path) -> None:
    data = sealed.read_bytes()
    for end in range(len(data)):
        sealed.write_bytes(data[:end])
        assert unseal(sealed, "key", Layout(sealed.parent)) is None


class Command:
    """Runs a command where it is unpickled without care."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("touch harm",)


@pytest.mark.parametrize(
    "value", [Command(), Path("x"), os.system, digest, Counter], ids=["command", *["path", "system", "digest", "class"]]
)
def test_what_is_no_plain_value_is_never_made(value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    body = pickle.dumps(("key", [], value))
    (tmp_path / "seal").write_bytes(digest(body) + body)
    found = unseal(tmp_path / "seal", "key", Layout(tmp_path))
    assert found is (Counter if value is Counter else None)
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("value", [b"", b"x" * 40, pickle.dumps(3), pickle.dumps(("key", []))], ids=range(4))
def test_what_is_no_seal(value: bytes, tmp_path: Path) -> None:
    (tmp_path / "seal").write_bytes(digest(value) + value)
    assert unseal(tmp_path / "seal", "key", Layout(tmp_path)) is None
