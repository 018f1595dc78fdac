from __future__ import annotations

import gzip
import hashlib
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from transforms.records import Line, Shard
from transforms.shards.gzip_stream import CorruptGzip, expand
from transforms.shards.lines import read_block, split_lines
from transforms.shards.plan import inspect
from transforms.terms import GIB, Limits

# Few different bytes and many line feeds: cuts meet line ends often. `{` keeps it from looking binary.
CONTENT = st.lists(st.sampled_from([b"\n", b"\r", b"\r\n", b"a", b"bb" * 20, b"\xe2\x80\xa8"])).map(
    lambda parts: b"".join([b"{}", *parts])
)


def plain_split(data: bytes, limit: int) -> list[Line]:
    """The same lines by the plainest means."""
    lines: list[Line] = []
    offset = 0
    pieces = data.split(b"\n")
    for number, piece in enumerate(pieces if pieces[-1] else pieces[:-1], 1):
        over = len(piece) > limit
        sha256 = hashlib.sha256(piece).hexdigest() if over else None
        lines.append(Line(number, offset, len(piece), piece[:4096], over, sha256))
        offset += len(piece) + 1
    return lines


@given(CONTENT, st.integers(1, 200), st.integers(1, 100))
def test_blocks_hold_each_line_once(data: bytes, block_bytes: int, limit: int) -> None:
    limits = Limits(block_bytes=block_bytes, max_record_bytes=limit)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_bytes(data)
        inspection = inspect(Shard("pairs", "a.jsonl", "a.jsonl", str(path), len(data)), limits)
        lines = [line for block in inspection.blocks for line in read_block(block, limits)]
    assert inspection.faults == ()
    assert lines == plain_split(data, limit)
    starts = [0]
    for multiple in range(block_bytes, len(data), block_bytes):
        start = data.find(b"\n", multiple - 1) + 1
        if starts[-1] < start < len(data):
            starts.append(start)
    assert [block.start for block in inspection.blocks] == starts
    assert [block.end for block in inspection.blocks] == [*starts[1:], len(data)]
    digests = [hashlib.sha256(data[block.start : block.end]).hexdigest() for block in inspection.blocks]
    assert [block.sha256 for block in inspection.blocks] == digests


@given(st.lists(CONTENT), st.integers(1, 100))
def test_lines_do_not_depend_on_buffers(buffers: list[bytes], limit: int) -> None:
    assert list(split_lines(buffers, limit, 1, 0)) == plain_split(b"".join(buffers), limit)


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(1, 80))
def test_members_expand_to_their_contents(contents: list[bytes], chunk: int) -> None:
    data = b"".join(gzip.compress(content) for content in contents)
    chunks = (data[start : start + chunk] for start in range(0, len(data), chunk))
    assert b"".join(expand(chunks, GIB)) == b"".join(contents)


@given(st.binary(max_size=200), st.data())
def test_damage_is_found_or_harmless(content: bytes, data: st.DataObject) -> None:
    whole = gzip.compress(content)
    position = data.draw(st.integers(0, len(whole) - 1))
    damaged = bytearray(whole)
    damaged[position] = data.draw(st.integers(0, 255))
    try:
        assert b"".join(expand(iter([bytes(damaged)]), GIB)) == content
    except CorruptGzip as error:
        assert error.fault.code in ("corrupt-shard", "truncated-shard")
