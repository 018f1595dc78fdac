from __future__ import annotations

import gzip
import hashlib
import pickle
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from transforms.records import Shard
from transforms.shards.faults import UnreadableShard
from transforms.shards.plan import Block, Inspection, inspect
from transforms.terms import MIB, Limits


def _shard(folder: Path, data: bytes, name: str = "a.jsonl") -> Shard:
    path = folder / name
    path.write_bytes(data)
    return Shard("pairs", name, name, str(path), len(data))


def _hex(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _spans(inspection: Inspection) -> list[tuple[int, int, int]]:
    return [(block.start, block.end, block.first_line) for block in inspection.blocks]


def _codes(inspection: Inspection) -> list[str]:
    assert not (inspection.faults and inspection.blocks)
    return [fault.code for fault in inspection.faults]


def test_a_small_shard_is_one_block(tmp_path: Path) -> None:
    shard = _shard(tmp_path, b"{}\n{}\n")
    block = Block(shard, 0, 0, 6, 1, _hex(b"{}\n{}\n"), False)
    assert inspect(shard, Limits()) == Inspection(shard, _hex(b"{}\n{}\n"), 6, (block,), (), 2)
    assert pickle.loads(pickle.dumps(block)) == block


def test_an_empty_plain_shard_is_one_empty_block(tmp_path: Path) -> None:
    shard = _shard(tmp_path, b"")
    assert inspect(shard, Limits()) == Inspection(
        shard, _hex(b""), 0, (Block(shard, 0, 0, 0, 1, _hex(b""), False),), (), 0
    )


@pytest.mark.parametrize(
    ("data", "block_bytes", "spans"),
    [
        # The line feed is the byte before the multiple: the next line starts exactly on it.
        (b"aaa\nbbb\nccc\n", 4, [(0, 4, 1), (4, 8, 2), (8, 12, 3)]),
        # The line feed is on the multiple itself, so the line start is after it.
        (b"aaaa\nbbb\n", 4, [(0, 5, 1), (5, 9, 2)]),
        (b"aaa\nbbb\nccc", 5, [(0, 8, 1), (8, 11, 3)]),
        # A line that spans several multiples uses them up.
        (b"aaaaaaaaaa\nb\nc\nd\n", 4, [(0, 11, 1), (11, 13, 2), (13, 17, 3)]),
        (b"aaaaaaaaaa", 4, [(0, 10, 1)]),
        (b"a\nb", 1, [(0, 2, 1), (2, 3, 2)]),
        (b"\n\n\n\n", 2, [(0, 2, 1), (2, 4, 3)]),
        (b"aaa\nbbb\n", 8, [(0, 8, 1)]),
        (b"aaa\r\nbbb\r\n", 3, [(0, 5, 1), (5, 10, 2)]),
    ],
)
def test_cuts(tmp_path: Path, data: bytes, block_bytes: int, spans: list[tuple[int, int, int]]) -> None:
    inspection = inspect(_shard(tmp_path, data), Limits(block_bytes=block_bytes))
    assert _spans(inspection) == spans
    assert [block.index for block in inspection.blocks] == list(range(len(spans)))
    assert [block.sha256 for block in inspection.blocks] == [_hex(data[start:end]) for start, end, _ in spans]


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_cuts_where_buffers_meet(tmp_path: Path, shift: int) -> None:
    first = b"a" * (MIB - 1 + shift) + b"\n"
    data = first + b"b" * 10 + b"\n" + b"c" * MIB
    inspection = inspect(_shard(tmp_path, data), Limits(block_bytes=MIB))
    # The next line starts one byte short of the multiple, on it, or beyond it.
    cut = len(first) + 11 if shift < 0 else len(first)
    assert _spans(inspection)[:2] == [(0, cut, 1), (cut, len(data), 3 if shift < 0 else 2)]
    assert [block.sha256 for block in inspection.blocks] == [_hex(data[:cut]), _hex(data[cut:])]


def test_a_compressed_shard_is_one_block(tmp_path: Path) -> None:
    data = gzip.compress(b"{}\n" * 1000)
    for name in ("a.jsonl.gz", "UPPER.JSONL.GZ"):
        shard = _shard(tmp_path, data, name)
        block = Block(shard, 0, 0, len(data), 1, _hex(data), True)
        assert inspect(shard, Limits(block_bytes=8)) == Inspection(shard, _hex(data), len(data), (block,), ())


def test_names_and_bytes_that_disagree_about_gzip(tmp_path: Path) -> None:
    for name, data in (("a.jsonl", gzip.compress(b"{}")), ("a.jsonl.gz", b"{}\n"), ("a.JSONL.GZ", b"")):
        inspection = inspect(_shard(tmp_path, data, name), Limits())
        assert _codes(inspection) == ["corrupt-shard"]
        assert (inspection.sha256, inspection.size) == (_hex(data), len(data))


def test_a_pointer_named_gz_says_what_it_is(tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    (fault,) = inspect(_shard(tmp_path, pointer, "a.jsonl.gz"), Limits()).faults
    assert fault.code == "corrupt-shard"
    assert "it looks like a Git LFS pointer" in fault.message


def test_something_else_is_read_to_its_end_for_its_digest(tmp_path: Path) -> None:
    data = b"PAR1" + bytes(2 * MIB)
    inspection = inspect(_shard(tmp_path, data), Limits())
    assert _codes(inspection) == ["not-jsonl"]
    assert (inspection.sha256, inspection.size) == (_hex(data), len(data))


def test_a_shard_over_the_bound_is_not_read(tmp_path: Path) -> None:
    shard = _shard(tmp_path, b"{}\n" * 4)
    assert _codes(inspect(shard, Limits(max_shard_bytes=12))) == []
    inspection = inspect(shard, Limits(max_shard_bytes=11))
    assert _codes(inspection) == ["shard-too-large"]
    assert (inspection.sha256, inspection.size) == (None, 12)


def test_a_shard_that_grew_over_the_bound_is_not_read_on(tmp_path: Path) -> None:
    shard = replace(_shard(tmp_path, b"{}\n" * MIB), size=3)
    inspection = inspect(shard, Limits(max_shard_bytes=MIB + 1))
    assert _codes(inspection) == ["shard-too-large"]
    assert (inspection.sha256, inspection.size) == (None, 2 * MIB)


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableShard, match=r"^gone\.jsonl: No such file"):
        inspect(Shard("pairs", "gone.jsonl", "gone.jsonl", str(tmp_path / "gone.jsonl"), 1), Limits())


def test_a_long_line_is_planned_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        for _ in range(50):
            file.write(b"x" * MIB)
    shard = Shard("pairs", "a.jsonl", "a.jsonl", str(path), 50 * MIB)
    tracemalloc.start()
    try:
        inspection = inspect(shard, Limits(block_bytes=MIB))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert _spans(inspection) == [(0, 50 * MIB, 1)]
    assert peak < 4 * MIB
