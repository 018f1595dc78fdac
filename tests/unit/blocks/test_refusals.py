from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path

import pytest

from transforms.blocks.refusals import read_refusals, refusal
from transforms.parsing.json_strict import parse
from transforms.records import Finding, Line, Outcome, Place, Severity

FINDING = Finding("empty-text", "nothing visible", "/rationale")
SHA_OF_EMPTY_OBJECT = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def _line(data: bytes) -> Line:
    return Line(7, 120, len(data), data)


def _refused(line: Line, *findings: Finding, keep_raw: bool = True) -> bytes:
    return refusal(line, "pairs", "a/b.jsonl", Outcome.REJECTED, findings or (FINDING,), keep_raw)


def test_text() -> None:
    assert _refused(_line(b"{}")).decode() == (
        '{"outcome":"rejected","stream":"pairs","shard":"a/b.jsonl","line":7,"byte_offset":120,"byte_length":2,'
        f'"record_sha256":"{SHA_OF_EMPTY_OBJECT}",'
        '"findings":[{"code":"empty-text","pointer":"/rationale","schema_pointer":null,'
        '"message":"nothing visible","related":[]}],"raw":"{}"}'
    )


def test_held_with_every_member_of_its_findings() -> None:
    findings = (
        Finding("schema/minimum", "must be at least 1", "/ratings/style", "/properties/ratings/minimum"),
        Finding(
            "duplicate-candidates",
            "another task compares the same candidates",
            related=(Place("pairs", "a.jsonl", 3), Place("extra", "ü.jsonl", 12)),
            severity=Severity.HOLD,
        ),
    )
    assert refusal(_line(b"{}"), "pairs", "a.jsonl", Outcome.HELD, findings, False).decode() == (
        '{"outcome":"held","stream":"pairs","shard":"a.jsonl","line":7,"byte_offset":120,"byte_length":2,'
        f'"record_sha256":"{SHA_OF_EMPTY_OBJECT}",'
        '"findings":[{"code":"schema/minimum","pointer":"/ratings/style",'
        '"schema_pointer":"/properties/ratings/minimum","message":"must be at least 1","related":[]},'
        '{"code":"duplicate-candidates","pointer":"","schema_pointer":null,'
        '"message":"another task compares the same candidates",'
        '"related":[{"stream":"pairs","shard":"a.jsonl","line":3},{"stream":"extra","shard":"ü.jsonl","line":12}]}]}'
    )


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 1}\r',
        b" \t ",
        b"",
        b"\0\x01\x1f\x7f",
        "\u2028\u2029\u0085\x0b\x0c".encode(),
        "naïve 😀 \ufffd \uffff".encode(),
        b"\xef\xbb\xbf{}",
        rb'{"a": "\ud800 \\ \" \n"}',
    ],
)
def test_the_text_is_kept_to_the_byte(data: bytes) -> None:
    row = _refused(_line(data))
    assert b"\n" not in row
    kept = json.loads(row)
    assert kept["raw"].encode() == data
    assert "raw_base64" not in kept
    assert "raw_truncated" not in kept
    assert kept["record_sha256"] == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("data", [b"\xff", b'{"a":"\xc0\x80"}', b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\x1f\x8b\x08\n"])
def test_bytes_that_are_not_utf8(data: bytes) -> None:
    assert _refused(_line(data)).decode() == (
        f'{{"outcome":"rejected","stream":"pairs","shard":"a/b.jsonl","line":7,"byte_offset":120,'
        f'"byte_length":{len(data)},"record_sha256":"{hashlib.sha256(data).hexdigest()}",'
        '"findings":[{"code":"empty-text","pointer":"/rationale","schema_pointer":null,'
        f'"message":"nothing visible","related":[]}}],"raw_base64":"{base64.b64encode(data).decode()}"}}'
    )


def test_an_oversized_line_keeps_its_first_bytes_and_its_own_digest() -> None:
    digest = hashlib.sha256(b"{" * 5000).hexdigest()
    line = Line(2, 3, 5000, b"{" * 8, oversized=True, sha256=digest)
    row = json.loads(_refused(line))
    assert row["byte_length"] == 5000
    assert row["record_sha256"] == digest
    assert row["raw"] == "{" * 8
    assert row["raw_truncated"] is True
    assert list(row)[-2:] == ["raw", "raw_truncated"]


def test_an_oversized_line_may_be_cut_within_a_character() -> None:
    data = "x😀".encode()[:-1]
    row = json.loads(_refused(Line(2, 3, 5000, data, oversized=True, sha256="0" * 64)))
    assert (row["raw"], row["raw_truncated"]) == ("x", True)
    assert "raw_base64" not in row


def test_an_oversized_line_that_is_not_utf8_keeps_its_bytes() -> None:
    data = b"x\xffy"
    row = json.loads(_refused(Line(2, 3, 5000, data, oversized=True, sha256="0" * 64)))
    assert base64.b64decode(row["raw_base64"]) == data
    assert (row["raw_truncated"], "raw" in row) == (True, False)


@pytest.mark.parametrize("line", [_line(b"{}"), _line(b"\xff"), Line(1, 0, 9, b"x", oversized=True, sha256="0" * 64)])
def test_only_the_digest_is_kept_where_the_campaign_says_so(line: Line) -> None:
    row = json.loads(_refused(line, keep_raw=False))
    assert list(row) == [
        "outcome", "stream", "shard", "line", "byte_offset", "byte_length", "record_sha256", "findings",
    ]  # fmt: skip
    assert row["record_sha256"] == (line.sha256 or hashlib.sha256(line.data).hexdigest())


@pytest.mark.parametrize(
    "data",
    [
        rb'{"\ud800": 1}',
        rb'{"\ud800": 1, "\ud800": 2}',
        rb'{"a\udfff": {"b": 1, "b": 2}}',
        rb'{"a": ["\ud83d"]}',
        b'{"\xed\xa0\x80": 1}',
        b'{"\xff": 1, "\xff": 2}',
    ],
)
def test_findings_about_surrogates_and_bad_bytes_can_be_written(data: bytes) -> None:
    finding = parse(data, 64)
    assert isinstance(finding, Finding)
    row = json.loads(_refused(_line(data), finding))
    assert [each["code"] for each in row["findings"]] == [finding.code]
    assert finding.code in ("lone-surrogate", "invalid-utf8")


def test_the_row_is_utf8_whatever_it_says() -> None:
    finding = Finding("empty-text", "ü \u2028 \0 \U0010ffff", "/ü~1\n")
    row = _refused(_line(b"{}"), finding)
    assert b"\n" not in row
    assert json.loads(row.decode())["findings"][0]["message"] == finding.message
    assert json.loads(row.decode())["findings"][0]["pointer"] == finding.pointer


def test_rows_are_read_back(tmp_path: Path) -> None:
    lines = [Line(3, 0, 2, b"{}"), Line(12, 9, 3, "\u2028".encode()), Line(700, 90, 1, b"\r"), Line(701, 91, 0, b"")]
    rows = [_refused(line) + b"\n" for line in lines]
    path = tmp_path / "a.rejected"
    path.write_bytes(b"".join(rows))
    assert list(read_refusals(path)) == [
        (Place("pairs", "a/b.jsonl", line.number), row) for line, row in zip(lines, rows, strict=True)
    ]


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.held"
    path.write_bytes(b"")
    assert list(read_refusals(path)) == []
