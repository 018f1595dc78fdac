import sys
from unicodedata import category, combining, normalize

import pytest

from transforms.records import Finding
from transforms.rules.text import (
    INVISIBLE,
    empty_text,
    excerpt,
    has_substance,
    has_visible,
    normalised,
    same_text,
    size_findings,
)
from transforms.terms import Limits

BLANK_TEXTS = [
    "",
    " " * 20,
    "\t\r\n\x0b\x0c\x85",
    "\x00\x1f\x7f\x9f",  # controls
    "\u00a0\u2003" * 10,  # no-break space, em space
    "\u2028\u2029",
    "\u200b" * 20,  # zero width space
    "\u200d\u2060\ufeff",  # joiners, byte order mark
    "\u2800" * 20,  # Braille blank
    "\u3164\uffa0\u115f\u1160",  # Hangul fillers
    "\u034f\u061c\u180b\u180f",
    "\u2066\u2069" * 10,  # isolates
    "\ufe00\ufe0f\U000e0100\U000e01ef",  # variation selectors
    "\U000e0041" * 20,  # tags
    "\U0001d159\U0001d173",  # null notehead, musical formatting
    "\ufdd0\uffff\U0010fffe",  # noncharacters
    "\u2065\ufff0\U000e0fff",  # reserved, to be ignored by default
]
MARKS = ["\u0301" * 20, " \u0301\u200b\u20dd", "\u0903"]  # accents, an enclosing circle, a spacing vowel sign


@pytest.mark.parametrize("text", BLANK_TEXTS)
def test_a_blank_text_normalises_to_nothing(text: str) -> None:
    assert normalised(text) == ""


@pytest.mark.parametrize("text", BLANK_TEXTS + MARKS)
def test_a_blank_text_or_marks_alone_are_not_visible(text: str) -> None:
    assert not has_visible(text)
    assert not has_substance(text)


@pytest.mark.parametrize("text", [".", "{}", "...", "\u200b-", "  !", "\ue000", "«»", "\u0378"])
def test_punctuation_is_visible_and_without_substance(text: str) -> None:
    assert has_visible(text)
    assert not has_substance(text)


@pytest.mark.parametrize(
    "text",
    ["a", "7", "½", "+", "素", "ب", "क्षि", "e\u0301", "\u200b\u200bx", "... 1", "👨\u200d👩\u200d👧", "❤\ufe0f", "²"],
)
def test_letters_numbers_and_symbols_have_substance(text: str) -> None:
    assert has_visible(text)
    assert has_substance(text)


def test_every_space_control_and_format_character_is_invisible() -> None:
    """Those the interpreter's Unicode knows; the list itself is fixed and may hold later ones."""
    listed = {
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if category(char) in ("Zs", "Zl", "Zp", "Cc", "Cf") or char.isspace()
    }
    assert listed <= INVISIBLE


def test_the_invisible_characters_take_no_part_in_composition() -> None:
    """So dropping them first and composing then respects canonical equivalence."""
    assert not any(combining(char) for char in INVISIBLE)
    for char in map(chr, range(sys.maxunicode + 1)):
        if not 0xD800 <= ord(char) <= 0xDFFF:
            parts = {part in INVISIBLE for part in normalize("NFD", char)}
            assert parts == {char in INVISIBLE}, hex(ord(char))


def test_the_characters_before_which_a_start_is_cut_never_compose_with_what_precedes() -> None:
    """No character decomposes into a sequence that has one of them after its first place."""
    later = {part for char in map(chr, range(0xD800)) for part in normalize("NFD", char)[1:]}
    later |= {part for char in map(chr, range(0xE000, sys.maxunicode + 1)) for part in normalize("NFD", char)[1:]}
    cuts = {*map(chr, range(0x21, 0x7F)), *map(chr, range(0x4E00, 0xA000))}
    assert cuts.isdisjoint(later)
    assert cuts.isdisjoint(INVISIBLE)
    assert not any(map(combining, cuts))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a b\n\tc", "abc"),
        ("\x00a\x7fb", "ab"),
        ("e\u0301", "é"),
        ("e\u200d\u0301", "é"),  # a joiner does not keep the accent apart
        ("é x", "éx"),
        ("\u212b", "Å"),  # Angstrom sign
        ("ﬁ", "ﬁ"),  # a compatibility ligature stays
        ("\u1112\u1161\u11ab", "한"),
        ("x\U000e0041y\U0001f600", "xy\U0001f600"),
        ("👨\u200d👩", "👨👩"),
    ],
)
def test_normalised(text: str, expected: str) -> None:
    assert normalised(text) == expected


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("13 is prime.", "13  is\nprime.\u200b", True),
        ("café", "cafe\u0301", True),
        ("a", "A", False),
        ("a", "a.", False),
        ("", "\u200b", True),
        ("x" * 500 + " y", "x" * 500 + "\u200by", True),
        ("x" * 500 + "y", "x" * 500 + "z", False),
        ("x" * 128 + "\u0301" + "y" * 10, "x" * 127 + "x\u200b\u0301" + "y" * 10, True),
        ("é" * 400, "e\u0301" * 400, True),
        ("e" + "\u0301" * 300 + "a", "e" + "\u0301" * 300 + "b", False),
        ("素数" * 200, "素 数" * 200, True),
        ("素数" * 200, "素 数" * 199 + "素因", False),
    ],
)
def test_same_text(first: str, second: str, same: bool) -> None:
    assert same_text(first, second) is same
    assert same_text(second, first) is same


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", '""'),
        ("plain", '"plain"'),
        ("x" * 40, '"' + "x" * 40 + '"'),
        ("x" * 41, '"' + "x" * 40 + '"...'),
        ('say "hi"\n', '"say \\"hi\\"\\n"'),
        ("a\\b", '"a\\\\b"'),
        ("it's", '"it\'s"'),
        ("\u202eevil\x1b[31m", '"\\u202eevil\\x1b[31m"'),
        ("\U000e0041" * 5, '"' + "\\U000e0041" * 4 + '"...'),
        ("\ud800", '"\\ud800"'),
        ("素数", '"素数"'),
    ],
)
def test_excerpt(text: str, expected: str) -> None:
    assert excerpt(text) == expected
    assert excerpt(text).encode()


def test_excerpt_takes_its_bound() -> None:
    assert excerpt("abcdef", 3) == '"abc"...'


def test_empty_text_names_the_field() -> None:
    assert empty_text("/response_a") == Finding("empty-text", "nothing visible", "/response_a")
    assert empty_text("/rationale", substance=True) == Finding(
        "empty-text", "no letter, number or symbol", "/rationale"
    )


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["x" * 6, "x" * 4], None),
        (["x" * 6, "x" * 5], "11 characters in all, the campaign allows 10"),
        (["é" * 8], None),
        (["é" * 8, "x"], "17 bytes in all, the campaign allows 16"),
        (["素" * 5, "x"], None),
        (["😀" * 4], None),
        (["😀" * 5], "20 bytes in all, the campaign allows 16"),
        ([], None),
    ],
)
def test_texts_are_bounded_in_characters_and_in_bytes(texts: list[str], message: str | None) -> None:
    limits = Limits(max_conversation_characters=10, max_conversation_bytes=16)
    expected = () if message is None else (Finding("conversation-too-large", message),)
    assert size_findings(iter(texts), limits) == expected


def test_a_long_run_of_marks_is_left_alone_and_costs_nothing() -> None:
    run = "\u0301\u0323" * 32_000  # NFC would reorder it, in quadratic time
    assert normalised(f"a{run}") == f"a{run}"
    assert normalised("e\u0301" + "\u0301" * 29) == "\u00e9" + "\u0301" * 29
