from __future__ import annotations

import gzip
import hashlib
import tracemalloc
from pathlib import Path

import pytest

from transforms.records import Line, Shard
from transforms.shards.faults import ShardError, UnreadableShard
from transforms.shards.lines import read_block, read_ranges
from transforms.shards.plan import Block, inspect
from transforms.terms import MIB, Limits

LIMITS = Limits()


def _shard(folder: Path, data: bytes, name: str = "a.jsonl") -> Shard:
    path = folder / name
    path.write_bytes(data)
    return Shard("pairs", name, name, str(path), len(data))


def _block(folder: Path, data: bytes, name: str = "a.jsonl") -> Block:
    (block,) = inspect(_shard(folder, data, name), LIMITS).blocks
    return block


def _triples(lines: list[Line]) -> list[tuple[int, int, bytes]]:
    assert all(line.length == len(line.data) and not line.oversized and line.sha256 is None for line in lines)
    return [(line.number, line.offset, line.data) for line in lines]


SEPARATORS = "{\u2028\u2029\u0085\x0b\x0c\x1c\x1e}".encode()


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"{}\n", [(1, 0, b"{}")]),
        (b"{}", [(1, 0, b"{}")]),
        (b"{}\n[]", [(1, 0, b"{}"), (2, 3, b"[]")]),
        (b"{}\r\n[]\r\n", [(1, 0, b"{}\r"), (2, 4, b"[]\r")]),
        (b"{}\r[]\r", [(1, 0, b"{}\r[]\r")]),
        (b"{}\r\r\n", [(1, 0, b"{}\r\r")]),
        (b"\n\n\n", [(1, 0, b""), (2, 1, b""), (3, 2, b"")]),
        (b"\n {}\n\n\t\n[]", [(1, 0, b""), (2, 1, b" {}"), (3, 5, b""), (4, 6, b"\t"), (5, 8, b"[]")]),
        (SEPARATORS + b"\n{}", [(1, 0, SEPARATORS), (2, len(SEPARATORS) + 1, b"{}")]),
        (b"\xef\xbb\xbf{}\n", [(1, 0, b"\xef\xbb\xbf{}")]),
        (b'{"\xff\0"}\n', [(1, 0, b'{"\xff\0"}')]),
    ],
)
def test_lines(tmp_path: Path, data: bytes, expected: list[tuple[int, int, bytes]], compressed: bool) -> None:
    block = _block(tmp_path, gzip.compress(data), "a.jsonl.gz") if compressed else _block(tmp_path, data)
    assert _triples(list(read_block(block, LIMITS))) == expected


def test_numbers_and_offsets_go_on_from_block_to_block(tmp_path: Path) -> None:
    blocks = inspect(_shard(tmp_path, b"a\n\nbb\nccc\nd"), Limits(block_bytes=4)).blocks
    assert [_triples(list(read_block(block, LIMITS))) for block in blocks] == [
        [(1, 0, b"a"), (2, 2, b""), (3, 3, b"bb")],
        [(4, 6, b"ccc")],
        [(5, 10, b"d")],
    ]


def test_members_of_gzip_end_anywhere(tmp_path: Path) -> None:
    data = gzip.compress(b'{"a"') + gzip.compress(b"") + gzip.compress(b": 1}\n{") + gzip.compress(b"}")
    block = _block(tmp_path, data, "a.jsonl.gz")
    assert _triples(list(read_block(block, LIMITS))) == [(1, 0, b'{"a": 1}'), (2, 9, b"{}")]


@pytest.mark.parametrize("size", [5, 4096, 4097, MIB - 1, MIB, MIB + 1, 3 * MIB])
def test_the_bound_on_a_line_is_exact(tmp_path: Path, size: int) -> None:
    long = b"x" * (size - 1) + b"y"
    block = _block(tmp_path, b"{}\n" + long + b"\n{}\n" + long)
    sha256, end = hashlib.sha256(long).hexdigest(), size + 4
    assert list(read_block(block, Limits(max_record_bytes=size))) == [
        Line(1, 0, 2, b"{}"),
        Line(2, 3, size, long),
        Line(3, end, 2, b"{}"),
        Line(4, end + 3, size, long),
    ]
    assert list(read_block(block, Limits(max_record_bytes=size - 1))) == [
        Line(1, 0, 2, b"{}"),
        Line(2, 3, size, long[:4096], True, sha256),
        Line(3, end, 2, b"{}"),
        Line(4, end + 3, size, long[:4096], True, sha256),
    ]


@pytest.mark.parametrize("compressed", [False, True])
def test_a_long_line_is_read_in_bounded_memory(tmp_path: Path, compressed: bool) -> None:
    size = 50 * MIB
    data, name = b"{" + b"x" * (size - 1), "a.jsonl.gz" if compressed else "a.jsonl"
    block, sha256 = _block(tmp_path, gzip.compress(data, 1) if compressed else data, name), hashlib.sha256(data)
    del data
    tracemalloc.start()
    try:
        (line,) = read_block(block, Limits(max_record_bytes=4 * MIB))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (line.length, line.oversized, line.sha256) == (size, True, sha256.hexdigest())
    assert line.data == b"{" + b"x" * 4095
    assert peak < 10 * MIB


def test_progress_counts_file_bytes_of_the_block(tmp_path: Path) -> None:
    seen: list[int] = []
    first, second = inspect(_shard(tmp_path, (b"x" * 99 + b"\n") * 30_000), Limits(block_bytes=2 * MIB)).blocks
    assert (first.end, second.end) == (2_097_200, 3_000_000)
    assert len(list(read_block(second, LIMITS, seen.append))) == 9028
    assert seen == [902_800]
    seen.clear()
    assert len(list(read_block(first, LIMITS, seen.append))) == 20972
    assert seen == [MIB, 2 * MIB, 2_097_200]
    seen.clear()
    packed = _block(tmp_path, gzip.compress(b"{}\n" * 500_000), "a.jsonl.gz")
    assert len(list(read_block(packed, LIMITS, seen.append))) == 500_000
    assert seen == [packed.end]


@pytest.mark.parametrize("data", [b'[{"a": 1},\n{"a": 2}]\n', b'{\n  "a": 1\n}\n', b"PAR1\x15"])
def test_what_is_within_gzip_is_looked_at_first(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ShardError) as caught:
        next(read_block(_block(tmp_path, gzip.compress(data), "a.jsonl.gz"), LIMITS))
    assert caught.value.fault.code == "not-jsonl"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (gzip.compress(b"{}\n" * 100_000)[:-3], "truncated-shard"),
        (gzip.compress(b"{}\n" * 100_000)[:-8] + bytes(8), "corrupt-shard"),
        (gzip.compress(b"{}\n" * 100_000) + bytes(3), "corrupt-shard"),
        (gzip.compress(b"{}\n" * 100_001), "expansion-too-large"),
    ],
)
def test_faults_of_a_compressed_shard_come_before_the_iteration_ends(tmp_path: Path, data: bytes, code: str) -> None:
    lines = read_block(_block(tmp_path, data, "a.jsonl.gz"), Limits(max_expanded_bytes=300_000))
    with pytest.raises(ShardError) as caught:
        list(lines)
    assert caught.value.fault.code == code


@pytest.mark.parametrize("changed", [b"{}\n{}\n[]\n", b"{}\n{}\n", b"", None])
def test_a_shard_that_changed_since_planning_is_unreadable(tmp_path: Path, changed: bytes | None) -> None:
    block = _block(tmp_path, b"{}\n{}\n{}\n")
    path = Path(block.shard.path)
    path.unlink()
    if changed is not None:
        path.write_bytes(changed)
    with pytest.raises(UnreadableShard, match=r"^a\.jsonl: "):
        list(read_block(block, LIMITS))


def test_a_compressed_shard_that_changed_is_unreadable_not_corrupt(tmp_path: Path) -> None:
    data = gzip.compress(b"{}\n" * 100)
    block = _block(tmp_path, data, "a.jsonl.gz")
    for changed in (data[:-4], data[:-4] + bytes(4), gzip.compress(b"[{}]"), gzip.compress(b"{}\n" * 99), b"{}"):
        Path(block.shard.path).write_bytes(changed)
        with pytest.raises(UnreadableShard):
            list(read_block(block, LIMITS))


def test_an_abandoned_block_is_no_error(tmp_path: Path) -> None:
    lines = read_block(_block(tmp_path, b"{}\n[]\n"), LIMITS)
    assert next(lines) == Line(1, 0, 2, b"{}")
    del lines


@pytest.mark.parametrize("compressed", [False, True])
def test_ranges(tmp_path: Path, compressed: bool) -> None:
    data = bytes(number % 251 for number in range(3 * MIB + 100))
    name = "a.jsonl.gz" if compressed else "a.jsonl"
    shard = _shard(tmp_path, gzip.compress(data, 1) if compressed else data, name)
    ranges = [(0, 0), (0, 3), (3, 2), (9, 0), (100, 5), (MIB - 2, 4), (MIB + 2, 2 * MIB), (3 * MIB + 99, 1)]
    expected = [data[offset : offset + length] for offset, length in ranges]
    assert list(read_ranges(shard, compressed, ranges, LIMITS)) == expected
    assert list(read_ranges(shard, compressed, [], LIMITS)) == []
    for beyond in ([(0, 1), (3 * MIB + 99, 2)], [(4 * MIB, 1)]):
        with pytest.raises(UnreadableShard):
            list(read_ranges(shard, compressed, beyond, LIMITS))
    with pytest.raises(ValueError, match="begins before"):
        list(read_ranges(shard, compressed, [(4, 2), (5, 1)], LIMITS))


def test_ranges_of_a_damaged_shard(tmp_path: Path) -> None:
    shard = _shard(tmp_path, gzip.compress(bytes(MIB))[:-500], "a.jsonl.gz")
    with pytest.raises(ShardError) as caught:
        list(read_ranges(shard, True, [(MIB - 1, 1)], LIMITS))
    assert caught.value.fault.code == "truncated-shard"
