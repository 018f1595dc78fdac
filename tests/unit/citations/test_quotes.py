import json
from typing import Any

import pytest

import schemas
from transforms.citations.offsets import Document
from transforms.citations.quotes import JOIN_CODES, judge_quote
from transforms.records import Finding, Severity, Stage
from transforms.terms import OffsetUnit

CODE_POINTS, UTF8, UTF16 = OffsetUnit.CODE_POINTS, OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS
UNITS = tuple(OffsetUnit)

HARBOUR = Document("Café note 😀: the harbour’s gate opens at 06:00\u00a0sharp. Bring a lamp.")
GATE = "gate opens at 06:00"


def judged(document: Document, start: int, end: int, quote: str, unit: OffsetUnit = CODE_POINTS) -> str | None:
    """The code and message of a finding that may quote."""
    finding = judge_quote(document, start, end, quote, unit, private=False)
    return None if finding is None else f"{finding.code}: {finding.message}"


def stands(text: str, quote: str) -> str | None:
    """What is said of where `quote` stands in `text`, for a span that is far from it."""
    finding = judge_quote(Document(text + "#" * 40), len(text) + 1, len(text) + 9, quote, CODE_POINTS, private=True)
    assert finding is not None and finding.code == "quote-mismatch"
    first, said = finding.message.split("; ", 1)
    assert first == "another text stands at the span"
    return said


# the offsets of a text with characters of one to four bytes


@pytest.mark.parametrize(("unit", "start"), [(CODE_POINTS, 27), (UTF8, 33), (UTF16, 28)])
def test_only_the_declared_unit_matches(unit: OffsetUnit, start: int) -> None:
    accepted = [at for at in (27, 28, 33) if judged(HARBOUR, at, at + len(GATE), GATE, unit) is None]
    assert accepted == [start]


@pytest.mark.parametrize(
    ("start", "end", "unit", "expected"),
    [
        (
            28,
            47,
            CODE_POINTS,
            'quote-mismatch: the span reads "ate opens at 06:00\\xa0", the quote "gate opens at 06:00"; '
            "the offsets fit as UTF-16 units, or counted from 1; the quote stands from 27 to 46",
        ),
        (
            33,
            52,
            CODE_POINTS,
            'quote-mismatch: the span reads "pens at 06:00\\xa0sharp", the quote "gate opens at 06:00"; '
            "the offsets fit as bytes of UTF-8; the quote stands from 27 to 46",
        ),
        (
            27,
            45,
            CODE_POINTS,
            'quote-mismatch: after 18 equal characters the span goes on "", the quote "0"; '
            "the offsets fit with an inclusive end; the quote stands from 27 to 46",
        ),
        (
            46,
            27,
            CODE_POINTS,
            "quote-mismatch: the span is empty or runs backwards; the quote stands from 27 to 46",
        ),
        (
            27,
            27,
            CODE_POINTS,
            "quote-mismatch: the span is empty or runs backwards; the quote stands from 27 to 46",
        ),
        (
            10_000,
            10_019,
            CODE_POINTS,
            "span-out-of-bounds: the span is 10000 to 10019, the document has 67 code points; "
            "the quote stands from 27 to 46",
        ),
        (
            26,
            2**63,
            UTF8,
            "span-out-of-bounds: the span is 26 to 9223372036854775808, the document has 74 bytes of UTF-8; "
            "the quote stands from 33 to 52",
        ),
        (
            27,
            45,
            UTF8,
            'quote-mismatch: the span reads "r’s gate opens a", the quote "gate opens at 06:00"; '
            "the offsets fit as code points with an inclusive end; the quote stands from 33 to 52",
        ),
        (
            11,
            20,
            UTF16,
            "quote-mismatch: the span begins or ends within a character; the quote stands from 28 to 47",
        ),
    ],
)
def test_what_is_said_of_the_harbour(start: int, end: int, unit: OffsetUnit, expected: str) -> None:
    assert judged(HARBOUR, start, end, GATE, unit) == expected


def test_a_span_may_reach_the_end_but_not_beyond() -> None:
    assert judged(HARBOUR, 62, 67, "lamp.") is None
    assert judged(HARBOUR, 62, 68, "lamp.") == (
        "span-out-of-bounds: the span is 62 to 68, the document has 67 code points; "
        "the offsets fit with the end one less; the quote stands from 62 to 67"
    )
    assert judged(HARBOUR, 67, 67, "lamp.") == (
        "quote-mismatch: the span is empty or runs backwards; the quote stands from 62 to 67"
    )


def test_offsets_spelt_as_floats_are_integers() -> None:
    start: Any = 27.0
    end: Any = 46.0
    assert judged(HARBOUR, start, end, GATE) is None
    assert judged(HARBOUR, start, 45.0, GATE) == judged(HARBOUR, 27, 45, GATE)  # type: ignore[arg-type]


def test_the_finding_points_at_the_citation_and_rejects() -> None:
    finding = judge_quote(HARBOUR, 0, 4, "Cafe", CODE_POINTS, private=True, pointer="/citations/3")
    message = "another text stands at the span; the quote stands nowhere in the document"
    assert finding == Finding("quote-mismatch", message, "/citations/3", severity=Severity.REJECT)


# readings off by one


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (4, 7, "with an inclusive end"),
        (5, 9, "counted from 1"),
        (5, 8, "counted from 1 with an inclusive end"),
        (3, 7, "moved on by one"),
        (4, 9, "with the end one less"),
        (3, 8, "with the start one more"),
        (5, 7, "with the start one less and the end one more"),
        (3, 9, "with the start one more and the end one less"),
    ],
)
@pytest.mark.parametrize("unit", UNITS)
def test_readings_off_by_one(start: int, end: int, words: str, unit: OffsetUnit) -> None:
    finding = judge_quote(Document("The gate, at six."), start, end, "gate", unit, private=True)
    assert finding is not None
    assert f"; the offsets fit {words}; " in finding.message + "; "


def test_no_more_than_three_readings_are_named() -> None:
    finding = judge_quote(Document("😀xxxxxyxx"), 6, 7, "x", CODE_POINTS, private=True)
    assert finding is not None
    assert finding.message == (
        "another text stands at the span; the offsets fit as bytes of UTF-8, or as UTF-16 units, or counted from 1; "
        "the quote stands from 1 to 2, from 2 to 3, from 3 to 4 and further on"
    )


# where a quotation stands


def test_the_first_places_are_named() -> None:
    assert stands("tide", "tide") == "the quote stands from 0 to 4"
    assert stands("tide tide", "tide") == "the quote stands from 0 to 4, from 5 to 9"
    assert stands("tide tide tide", "tide") == "the quote stands from 0 to 4, from 5 to 9, from 10 to 14"
    assert stands("tide tide tide " * 9, "tide") == (
        "the quote stands from 0 to 4, from 5 to 9, from 10 to 14 and further on"
    )
    assert stands("aaaa", "aaa") == "the quote stands from 0 to 3, from 1 to 4"


@pytest.mark.parametrize(
    ("unit", "places"),
    [
        (CODE_POINTS, "from 2 to 4, from 5 to 7"),
        (UTF8, "from 5 to 10, from 11 to 16"),
        (UTF16, "from 3 to 6, from 7 to 10"),
    ],
)
def test_places_are_told_in_the_declared_unit(unit: OffsetUnit, places: str) -> None:
    finding = judge_quote(Document("😀 x😀 x😀 end."), 11, 13, "x😀", unit, private=True)
    assert finding is not None
    assert finding.message.endswith(f"; the quote stands {places}")


@pytest.mark.parametrize(
    ("text", "quote", "said"),
    [
        ("so Cafe\u0301 au lait", "Café au", "Unicode normalisation stands from 3 to 11"),
        ("so Café au lait", "Cafe\u0301 au", "Unicode normalisation stands from 3 to 10"),
        ("in \uac00\ub098 so", "\u1100\u1161\u1102\u1161", "Unicode normalisation stands from 3 to 5"),
        ("said “Don’t”.", '"Don\'t"', "typographic marks stands from 5 to 12"),
        ('said "Don\'t".', "“Don’t”", "typographic marks stands from 5 to 12"),
        ("tide—and so on…", "tide-and so on...", "typographic marks stands from 0 to 15"),
        ("at 06:00\u00a0sharp", "06:00 sharp", "kinds of space stands from 3 to 14"),
        ("at 06:00 sharp", "06:00\u202fsharp", "kinds of space stands from 3 to 14"),
        ("one\r\ntwo\r\n", "one\ntwo", "line ends stands from 0 to 8"),
        ("one\ntwo\n", "one\r\ntwo", "line ends stands from 0 to 7"),
        ("one\rtwo", "one\ntwo", "line ends stands from 0 to 7"),
        ("one\ntwo", "one two", "line breaks or runs of spaces stands from 0 to 7"),
        ("one two", "one  two", "line breaks or runs of spaces stands from 0 to 7"),
        ("the Gate", "gate", "case stands from 4 to 8"),
        ("die Straße", "STRASSE", "case stands from 4 to 10"),
        ("har\u00adbour", "harbour", "invisible characters stands from 0 to 8"),
        ("of \u200fשלום\u200f here", "שלום here", "invisible characters stands from 4 to 14"),
        (
            "Cafe\u0301\r\nau\u00a0lait",
            "café au lait",
            "line ends, kinds of space, line breaks or runs of spaces, Unicode normalisation, case stands from 0 to 14",
        ),
    ],
)
def test_how_the_nearest_text_differs(text: str, quote: str, said: str) -> None:
    assert stands(text, quote) == f"a text that differs only in {said}"


def test_white_space_at_the_ends_of_a_quote() -> None:
    assert stands("the gate.", " gate\n") == "without the white space at its ends the quote stands from 4 to 8"
    assert stands("the Gate.", "\tgate ") == (
        "a text that differs only in white space at its ends, case stands from 4 to 8"
    )
    assert stands("gate.", "\u00a0") == "the quote stands nowhere in the document"


@pytest.mark.parametrize("quote", ["gates", "g\u0301ate", "the  gates", "ß", "\u200b", "at e"])
def test_what_stands_nowhere(quote: str) -> None:
    assert stands("The gate, As, AT.", quote) == "the quote stands nowhere in the document"


def test_half_of_a_character_is_no_place() -> None:
    assert stands("Maß, mas", "ASM") == "the quote stands nowhere in the document"
    assert stands("Maß mas", "S MAS") == "the quote stands nowhere in the document"
    assert stands("Maß mas", "SS MAS") == "a text that differs only in case stands from 2 to 7"


def test_the_span_itself_may_differ_in_little() -> None:
    document = Document("It said “Don’t” twice; don't ask.")
    assert judged(document, 9, 14, "Don't") == (
        'quote-mismatch: after 3 equal characters the span goes on "’t", the quote "\'t"; '
        "the two differ only in typographic marks"
    )
    assert judged(document, 9, 14, "DON'T") == (
        'quote-mismatch: after 1 equal characters the span goes on "on’t", the quote "ON\'T"; '
        "the two differ only in typographic marks, case"
    )
    assert judged(document, 8, 9, '"') == (
        'quote-mismatch: the span reads "“", the quote "\\""; the two differ only in typographic marks'
    )


def test_a_span_with_one_space_too_many_is_told_both_ways() -> None:
    assert judged(Document("the gate opens"), 4, 9, "gate") == (
        'quote-mismatch: after 4 equal characters the span goes on " ", the quote ""; '
        "the two differ only in white space at its ends; the offsets fit with the end one less"
    )


# messages


def test_nothing_is_quoted_of_a_private_record() -> None:
    for start, end, quote in ((0, 4, "Zolp"), (0, 8, "zolpidem"), (0, 4, "none"), (5, 400, "pidem"), (3, 3, "x")):
        finding = judge_quote(Document("Zolpidem 5 mg."), start, end, quote, UTF8, private=True)
        if finding is not None:
            assert not any(word in finding.message for word in ("Zolp", "zolp", "pidem", "none", '"', "mg"))


def test_messages_are_bounded_and_printable() -> None:
    document = Document("\u0000\u202e\n\"'" * 300_000)
    finding = judge_quote(document, 2**53 - 2, 2**53 - 1, "\u0001\u202e\n\\" * 1000, UTF16, private=False)
    assert finding is not None and finding.message.isprintable() and len(finding.message) < 400
    finding = judge_quote(document, 0, 1_200_000, "\u0001\u202e\n\\" * 1000, UTF16, private=False)
    assert finding is not None and finding.message.isprintable() and len(finding.message) < 400


def test_the_rows_of_the_join() -> None:
    assert [row.code for row in JOIN_CODES] == [
        "span-out-of-bounds",
        "quote-mismatch",
        "unknown-document",
        "unauthorized-document",
    ]
    assert {(row.stage, row.severity) for row in JOIN_CODES} == {(Stage.JOINS, Severity.REJECT)}


# large and awkward documents, over which a search that backtracks would take minutes


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a" * 1_000_000, "a" * 3999 + "b"),
        ("ab" * 500_000, "ab" * 1999 + "aa"),
        ("é" * 1_000_000, "é" * 3999 + "e"),
        ("😀" * 1_000_000, "😀" * 3999 + "x"),
        ("e" + "\u0301\u0323" * 500_000, "\u0323\u0301" * 1999 + "x"),
        (" " * 1_000_000, "a b"),
        ("\n\u00a0" * 500_000, "a\nb"),
        ("ß" * 1_000_000, "s" * 3999),
    ],
)
def test_awkward_documents_end_in_nowhere(text: str, quote: str) -> None:
    finding = judge_quote(Document(text + "#"), 0, 7, quote, UTF16, private=True)
    assert finding is not None
    assert finding.message.endswith("the quote stands nowhere in the document")


# the fixtures of both kinds agree


def test_the_accepted_citations_stand_in_the_accepted_document() -> None:
    folder = schemas.schema_path("records", "document-v1").parent
    document = json.loads((folder / "accept" / "least.json").read_bytes())
    text = Document(document["text"])
    seen = 0
    for path in sorted((schemas.schema_path("records", "grounded-qa-v1").parent / "accept").iterdir()):
        for citation in json.loads(path.read_bytes())["citations"]:
            assert citation["document_id"] == document["document_id"]
            if citation["document_sha256"] == document["sha256"]:
                assert judged(text, citation["start"], citation["end"], citation["quote"]) is None
                seen += 1
    assert seen == 9
