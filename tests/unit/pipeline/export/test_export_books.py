"""Counts of an export, and what records say of licence and consent."""

from __future__ import annotations

from pipeline.export.books import Books
from pipeline.export.values import ExportRow, Reason
from transforms.digests import sha256_hex

ROW = ExportRow(b"{}")


def test_counts() -> None:
    books = Books("pairwise-v2")
    books.count({}, (ROW, ROW))
    books.count({}, Reason.TIE)
    books.count({}, Reason.NEITHER)
    books.count({}, Reason.TIE)
    assert books.published() == {
        "kind": "pairwise-v2",
        "records": 4,
        "exported": 1,
        "rows": 2,
        "dropped": {"neither": 1, "tie": 2},
        "rights": {},
    }


def test_rights_are_those_of_exported_records() -> None:
    books = Books("pairwise-v2")
    books.count({"licence": "CC0-1.0", "consent": {"train": True}}, (ROW,))
    books.count({"licence": "CC-BY-4.0"}, Reason.TIE)
    books.count({"licence": "CC0-1.0", "license": "x" * 201}, (ROW,))
    assert books.published()["rights"] == {
        "consent": {'{"train":true}': 1},
        "licence": {"CC0-1.0": 2},
        "license": {f"sha256:{sha256_hex(b'x' * 201)}": 1},
    }


def test_many_different_texts_are_bounded() -> None:
    books = Books("pairwise-v2")
    for number in range(1005):
        books.count({"consent": f"c-{number}"}, (ROW,))
    books.count({"consent": "c-0"}, (ROW,))
    texts = books.published()["rights"]["consent"]
    assert (len(texts), texts["(others)"], texts["c-0"]) == (1001, 5, 2)
