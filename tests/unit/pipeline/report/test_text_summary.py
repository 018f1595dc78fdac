from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.report.printable import printable
from pipeline.report.text import render_summary, table


def stream(read: int, accepted: int, rejected: int, held: int, **codes: int) -> dict[str, Any]:
    books = {"read": read, "accepted": accepted, "rejected": rejected, "held": held}
    return {"records": books, "codes": {code.replace("_", "-"): count for code, count in codes.items()}}


def test_a_run_without_faults() -> None:
    manifest = {"run_id": "tides-1", "streams": {"a": stream(2, 2, 0, 0)}, "warnings": []}
    assert render_summary(manifest, Path("out/tides-1")).splitlines() == [
        "run tides-1",
        "",
        "stream  read  accepted  rejected  held",
        "a          2         2         0     0",
        "",
        "files     out/tides-1",
        "next      assay verify out/tides-1",
    ]


def test_a_run_with_faults_in_two_streams() -> None:
    streams = {
        "annotations": stream(1_234_567, 1_234_000, 560, 7, blank_record=560, repeated_annotation=7),
        "b": stream(1, 0, 1, 0, task_conflict=1),
    }
    warning = {"code": "empty-shard", "message": "the shard holds no records", "stream": "b", "shard": "x\n.jsonl"}
    text = render_summary({"run_id": "r", "streams": streams, "warnings": [warning]}, Path("/out/r"))
    assert text.endswith("\n")
    assert text.splitlines() == [
        "run r",
        "",
        "stream            read   accepted  rejected  held",
        "annotations  1,234,567  1,234,000       560     7",
        "b                    1          0         1     0",
        "",
        "stream       code                 records",
        "annotations  blank-record             560",
        "annotations  repeated-annotation        7",
        "b            task-conflict              1",
        "",
        "warning: b/x\\n.jsonl: empty-shard: the shard holds no records",
        "",
        "files     /out/r",
        "next      assay verify /out/r",
        "          assay explain blank-record",
        "          open /out/r/report.html",
    ]


def test_a_table_without_rows() -> None:
    assert table(("stream", "code"), []) == ["stream  code"]


def test_a_column_of_words_and_numbers_stands_to_the_left() -> None:
    assert table(("a", "b"), [("1,000", "x"), ("no", "22")]) == ["a      b", "1,000  x", "no     22"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, Größe 大きさ 😀", "plain text, Größe 大きさ 😀"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x1b[2J\x00\x7f", "\\x1b[2J\\x00\\x7f"),
        ("\u202eabc\u2028", "\\u202eabc\\u2028"),
        ("\udcff\U000e0041", "\\udcff\\U000e0041"),
        ("back\\slash 'quoted'", "back\\slash 'quoted'"),
        ("", ""),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert shown.isprintable()
