from __future__ import annotations

import json
import random

import pytest

from transforms.shards.sniff import CODES, HEAD_BYTES, sniff

RECORDS = [{"task_id": f"t-{number}", "messages": [{"role": "user", "content": "x"}]} for number in range(5)]
LINES = "".join(json.dumps(record) + "\n" for record in RECORDS).encode()
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def _looks(head: bytes, whole: bool = True) -> str | None:
    fault = sniff(head, whole)
    assert fault is None or fault.code == CODES[0].code == "not-jsonl"
    return fault.message.removeprefix("looks like ").partition(":")[0] if fault else None


@pytest.mark.parametrize(
    ("head", "looks"),
    [
        (LFS, "a Git LFS pointer, not the file it stands for"),
        (b"PAR1\x15\x04", "a Parquet file"),
        (b"Obj\x01\x04\x14avro.codec", "an Avro file"),
        (b"ORC\x08\x03", "an ORC file"),
        (b"ARROW1\x00\x00\xff\xff", "an Arrow file"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"PK\x03\x04\x14\x00", "a zip archive"),
        (b"PK\x05\x06" + bytes(18), "an empty zip archive"),
        (b"\x28\xb5\x2f\xfd\x24", "zstd data"),
        (b"\x04\x22\x4d\x18\x64", "lz4 data"),
        (b"\xfd7zXZ\x00\x00", "xz data"),
        (b"\x1f\x8b\x08\x00", "gzip data within gzip"),
        (b"BZh91AY&SY\x00", "bzip2 data"),
        (LINES.decode().encode("utf-16"), "UTF-16 text"),
        (LINES.decode().encode("utf-16-le"), "UTF-16 text"),
        (LINES.decode().encode("utf-16-be"), "UTF-16 text"),
        (LINES.decode().encode("utf-32"), "UTF-32 text"),
        (LINES.decode().encode("utf-32-le"), "UTF-32 text"),
        (LINES.decode().encode("utf-32-be"), "UTF-32 text"),
        (b"<!DOCTYPE html>\n<html>", "an HTML or XML document"),
        (b"\n<?xml version='1.0'?>", "an HTML or XML document"),
    ],
)
def test_plainly_something_else(head: bytes, looks: str) -> None:
    assert _looks(head) == looks


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_are_binary(seed: int) -> None:
    data = b"\x80" + random.Random(seed).randbytes(2000)
    assert (_looks(data) or "").startswith("binary data (")


def test_binary_states_its_share() -> None:
    fault = sniff(b"\x80abcdefg" + bytes(2), True)
    assert fault is not None
    assert fault.message.startswith("looks like binary data (20% of its first 10 bytes are control bytes)")


DOCUMENT = "one JSON document spread over several lines"
ARRAY = "one JSON array"


@pytest.mark.parametrize(
    ("head", "looks"),
    [
        (json.dumps(RECORDS[0], indent=2).encode(), DOCUMENT),
        (json.dumps(RECORDS, indent=2).encode(), ARRAY),
        (json.dumps(RECORDS, indent=2).replace("\n", "\r\n").encode(), ARRAY),
        (b'\xef\xbb\xbf{\n  "a": 1\n}\n', DOCUMENT),
        (b'\n \n{\r\n  "a": 1,\r\n}\r\n', DOCUMENT),
        (b'{"a": 1,\n "b": 2}\n', DOCUMENT),
        (b'{"a": 1,\n "b": 2}\n{"a": 3,\n "b": 4}\n', DOCUMENT),
        (b'{"a": [\n{"b": 1},\n{"b": 2}]}', DOCUMENT),
        (b'{"a": 1,\n "b": 2,\n "c":', DOCUMENT),
        (b'[{"a": 1},\n{"a": 2},\n{"a": 3}]\n', ARRAY),
        (b'[{"a": 1},\n{"a": 2},\n', ARRAY),
        (json.dumps(RECORDS).encode(), ARRAY),
        (json.dumps(RECORDS).encode() + b"\n\n", ARRAY),
        (b"\xef\xbb\xbf[{}]", ARRAY),
        (b"[]", ARRAY),
        (b"[\n", ARRAY),
        (b'[\n{"a": 1}\n{"a": 2}\n]\n', ARRAY),
    ],
)
def test_one_document(head: bytes, looks: str) -> None:
    assert _looks(head) == looks


def test_one_document_longer_than_the_head() -> None:
    pretty = json.dumps(RECORDS * 1000, indent=1).encode()
    assert _looks(pretty[:HEAD_BYTES], whole=False) == ARRAY
    assert _looks(json.dumps(RECORDS * 1000).encode()[:HEAD_BYTES], whole=False) == ARRAY
    assert _looks((b'{"a": 1,' + pretty.replace(b"[", b'"b": [', 1))[:HEAD_BYTES], whole=False) == DOCUMENT


LONG = b'{"x": "' + b"x" * HEAD_BYTES


@pytest.mark.parametrize(
    ("head", "whole"),
    [
        (b"", True),
        (b"\n\n\n", True),
        (b"\xef\xbb\xbf", True),
        (LINES, True),
        (b"\xef\xbb\xbf" + LINES, True),
        (LINES.replace(b"\n", b"\r\n"), True),
        (LINES.replace(b"\n", b"\r"), True),
        (LINES[: len(LINES) // 2], False),
        (LONG, False),
        (b"[1, 2]\n" + LINES, True),
        (b"[1, 2]", True),
        (b'[{"a": 1}]\n' + LINES, True),
        (b'[{"a": 1}]\n', False),
        (b'"text"\n12\nnull\n', True),
        (b"task,preference\nt-1,a\n", True),
        (b"ORDER BY\n", True),
        (b"BZhello\n", True),
        (b'{"a": "\x00\x01\x02\x03"}\n' + LINES, True),
        (LINES[:80] + bytes(4000), True),
        (b'{"a": "\xff\xfe\xe9"}\n', True),
        (b"{}\n" + bytes(4000), True),
        (b"{\n", True),
        (b"[1, 2,\n", True),
        (b"[1, 2,", True),
        (b"[" * HEAD_BYTES, False),
        (b'{"a": ' + b"9" * 5000 + b"}\n" + LINES, True),
    ],
)
def test_a_shard_of_records_is_left_to_its_records(head: bytes, whole: bool) -> None:
    assert _looks(head, whole) is None


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("cut", range(1, len(LINES.split(b"\n")[0])))
def test_a_first_record_cut_anywhere_is_a_broken_record(cut: int, whole: bool) -> None:
    first, rest = LINES.split(b"\n", 1)
    assert _looks(first[:cut] + b"\n" + rest, whole) is None
    assert _looks(first[:cut] + b"\n" + LONG, whole) is None
    assert _looks(first[:cut] + b"\n" + first + b"\n" + LONG, whole) is None


def test_a_first_record_with_a_line_break_among_sound_ones_is_a_broken_record() -> None:
    assert _looks(b'{"a": 1,\n"b": 2}\n' + LINES) is None


def test_every_message_says_what_to_do() -> None:
    for head in (LFS, b"PAR1", b"\xff\xfe{\x00", b"[{}]"):
        fault = sniff(head, True)
        assert fault is not None
        assert fault.message.rpartition(": ")[2]
