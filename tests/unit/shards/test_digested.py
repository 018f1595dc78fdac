"""Bytes that stay what was digested."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.parquet import open_parquet
from transforms.shards.digested import PART_BYTES, ChangedWhileRead, Digested, digest_file, unchanged

SIZES = st.sampled_from([0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES + 7])


def data_of(size: int) -> bytes:
    return hashlib.shake_128(b"seed").digest(size)


def digested(data: bytes) -> Digested:
    return digest_file(io.BytesIO(data))


@given(SIZES)
def test_the_digests(size: int) -> None:
    data = data_of(size)
    parts = [data[start : start + PART_BYTES] for start in range(0, size, PART_BYTES)]
    expected = Digested(size, hashlib.sha256(data).hexdigest(), tuple(hashlib.sha256(part).digest() for part in parts))
    assert digested(data) == expected


@given(SIZES, st.lists(st.tuples(st.integers(0, 4 * PART_BYTES), st.integers(-1, 2 * PART_BYTES)), max_size=5))
def test_reads_as_the_file_does(size: int, reads: list[tuple[int, int]]) -> None:
    data = data_of(size)
    plain, same = io.BytesIO(data), unchanged(io.BytesIO(data), digested(data))
    for position, count in reads:
        assert same.seek(position) == plain.seek(position)
        assert same.read(count) == plain.read(count)
        assert same.tell() == plain.tell()
    assert same.seek(-size, io.SEEK_END) == 0
    assert same.readlines() == data.splitlines(keepends=True) or b"\r" in data


@given(SIZES.filter(bool), st.data())
def test_a_byte_changed_after_the_digest_is_never_given(size: int, draw: st.DataObject) -> None:
    data = data_of(size)
    position = draw.draw(st.integers(0, size - 1))
    changed = bytearray(data)
    changed[position] ^= 1
    same = unchanged(io.BytesIO(changed), digested(data))
    start = position - position % PART_BYTES
    assert same.read(start) == data[:start]
    with pytest.raises(ChangedWhileRead):
        same.read(1)


@pytest.mark.parametrize("now", [b"", b"x", b"x" * PART_BYTES])
def test_a_file_cut_after_the_digest(now: bytes) -> None:
    same = unchanged(io.BytesIO(now), digested(b"x" * (PART_BYTES + 1)))
    with pytest.raises(ChangedWhileRead):
        same.read()


def test_bytes_added_after_the_digest_are_not_given() -> None:
    assert unchanged(io.BytesIO(b"linemore"), digested(b"line")).read() == b"line"


def test_arrow_hands_the_error_on(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [data_of(1 << 18)], "b": [1]}), tmp_path / "file", compression="none")
    with (tmp_path / "file").open("rb+") as file:
        same = unchanged(file, digest_file(file))
        with open_parquet(same) as parquet:
            file.seek(PART_BYTES + 5)
            file.write(b"?")
            file.flush()
            assert parquet.read(columns=["b"], use_threads=False).to_pydict() == {"b": [1]}
            with pytest.raises(ChangedWhileRead):
                parquet.read(columns=["a"], use_threads=False)
