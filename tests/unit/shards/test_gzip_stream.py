from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator
from itertools import product

import pytest

from transforms.shards.gzip_stream import CorruptGzip, expand, is_gzip_name, name_fault
from transforms.terms import GIB, MIB


def _member(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


TEXT = b"".join(b'{"task_id": "t-%d"}\n' % number for number in range(20))
MEMBERS = _member(TEXT[:100]) + _member(b"") + _member(TEXT[100:])


def _expand(data: bytes, chunk: int = 7, bound: int = GIB) -> bytes:
    return b"".join(expand((data[start : start + chunk] for start in range(0, len(data), chunk)), bound))


def _code(data: bytes, chunk: int = 7, bound: int = GIB) -> str:
    with pytest.raises(CorruptGzip) as caught:
        _expand(data, chunk, bound)
    return caught.value.fault.code


@pytest.mark.parametrize("chunk", [1, 2, 7, 64, 100_000])
def test_several_members_are_one_stream(chunk: int) -> None:
    assert _expand(MEMBERS, chunk) == TEXT
    assert _expand(_member(b""), chunk) == b""


def test_header_fields_carry_no_content() -> None:
    body = zlib.compress(TEXT, wbits=-15) + zlib.crc32(TEXT).to_bytes(4, "little") + len(TEXT).to_bytes(4, "little")
    flagged = b"\x1f\x8b\x08\x1c" + bytes(6) + b"\x03\x00abc" + b"name\x00" + b"comment\x00" + body
    assert _expand(flagged) == TEXT


@pytest.mark.parametrize("chunk", [1, 13, 100_000])
def test_a_stream_cut_at_any_byte_never_succeeds(chunk: int) -> None:
    ends = {len(_member(TEXT[:100])), len(_member(TEXT[:100]) + _member(b""))}
    for end in set(range(len(MEMBERS))) - ends:
        assert _code(MEMBERS[:end], chunk) == "truncated-shard"
    # Between two members nothing tells that more was to come.
    assert {_expand(MEMBERS[:end], chunk) for end in ends} == {TEXT[:100]}


def test_a_flipped_bit_fails_or_changes_nothing() -> None:
    harmless: set[tuple[int, int]] = set()
    for position, bit in product(range(len(MEMBERS)), range(8)):
        flipped = bytearray(MEMBERS)
        flipped[position] ^= 1 << bit
        try:
            assert _expand(bytes(flipped), 100_000) == TEXT
            harmless.add((position, bit))
        except CorruptGzip as error:
            assert error.fault.code in ("corrupt-shard", "truncated-shard")
    expected: set[tuple[int, int]] = set()
    start = 0
    for member in (_member(TEXT[:100]), _member(b""), _member(TEXT[100:])):
        # The flag for text, then time, extra flags and system: they carry no content.
        expected |= {(start + 3, 0), *product(range(start + 4, start + 10), range(8))}
        start += len(member)
        # Bits that fill the last byte before the 8 of the trailer; how many is up to the compressor.
        expected |= {(position, bit) for position, bit in harmless if position == start - 9}
    assert harmless == expected


@pytest.mark.parametrize("rest", [b"\0", bytes(512), b"{}\n", b"\x1f\x8c" + bytes(20), b"\x1f\x8b\x07" + bytes(20)])
def test_bytes_after_the_last_member(rest: bytes) -> None:
    assert _code(MEMBERS + rest, 1) == _code(MEMBERS + rest, 100_000) == "corrupt-shard"


def test_a_wrong_checksum_or_length() -> None:
    whole = _member(TEXT)
    assert _code(whole[:-8] + bytes(4) + whole[-4:]) == "corrupt-shard"
    assert _code(whole[:-4] + bytes(4)) == "corrupt-shard"


def test_the_bound_on_expansion_is_exact() -> None:
    assert _expand(MEMBERS, bound=len(TEXT)) == TEXT
    assert _code(MEMBERS, bound=len(TEXT) - 1) == "expansion-too-large"


def _bomb(mebibytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(MIB)) for _ in range(mebibytes)) + packer.flush()


def test_a_bomb_stops_early_in_bounded_memory() -> None:
    bomb = _bomb(200)
    taken: list[int] = []

    def chunks() -> Iterator[bytes]:
        for start in range(0, len(bomb), 1000):
            taken.append(start)
            yield bomb[start : start + 1000]

    tracemalloc.start()
    try:
        with pytest.raises(CorruptGzip) as caught:
            for piece in expand(chunks(), 10 * MIB):
                assert len(piece) <= MIB
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.fault.code == "expansion-too-large"
    assert taken[-1] < 12_000 < len(bomb)
    assert peak < 4 * MIB


def test_pieces_are_bounded_and_nothing_is_left_within_zlib() -> None:
    for size in (MIB - 1, MIB, MIB + 1, 3 * MIB):
        pieces = list(expand(iter([_member(bytes(size))]), GIB))
        assert max(map(len, pieces)) <= MIB
        assert sum(map(len, pieces)) == size


def test_names() -> None:
    assert [is_gzip_name(name) for name in ("a.gz", "A.GZ", "a.gz.jsonl", "agz")] == [True, True, False, False]
    assert name_fault("a.gz", MEMBERS) is None
    assert name_fault("a.jsonl", TEXT) is None
    faults = [name_fault("a.gz", TEXT), name_fault("a.gz", b""), name_fault("a.gz", b"\x1f"), name_fault("a", MEMBERS)]
    assert [fault and fault.code for fault in faults] == ["corrupt-shard"] * 4
