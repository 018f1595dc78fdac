import re
from collections.abc import Callable
from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from transforms.citations.near_quotes import FoldedText, differences, folded
from transforms.citations.offsets import Document, length_in, slice_at
from transforms.citations.quotes import judge_quote
from transforms.terms import OffsetUnit

# Characters of every width in either encoding, marks, joiners, marks that are typed otherwise, spaces, line ends.
TRICKY = st.sampled_from(
    "abAB ß.'\"-é\u00a0\u2009\u200b\u00ad’“”—…\r\n\u2028\u0301\u0323\u1100\u1161가שא\u200f素😀🏽\u200dﬁ"
)
TEXTS = st.text(TRICKY, max_size=60) | st.text(max_size=20)
UNITS = st.sampled_from(OffsetUnit)
OFFSETS = st.integers(-2, 90)

CODECS = {OffsetUnit.UTF8_BYTES: ("utf-8", 1), OffsetUnit.UTF16_UNITS: ("utf-16-be", 2)}


def slice_by_definition(text: str, start: int, end: int, unit: OffsetUnit) -> str | None:
    """Every code point with its own offset, counted one by one."""
    at, starts = 0, [0]
    for char in text:
        codec, width = CODECS.get(unit, ("utf-32-be", 4))
        at += len(char.encode(codec)) // width
        starts.append(at)
    if start > end or start not in starts or end not in starts:
        return None
    return text[starts.index(start) : starts.index(end)]


@given(TEXTS, OFFSETS, OFFSETS, UNITS)
def test_a_slice_is_what_the_definition_says(text: str, start: int, end: int, unit: OffsetUnit) -> None:
    assert slice_at(Document(text), start, end, unit) == slice_by_definition(text, start, end, unit)


@given(TEXTS, st.data(), UNITS)
def test_every_passage_matches_at_its_own_offsets(text: str, data: st.DataObject, unit: OffsetUnit) -> None:
    document = Document(text)
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    start, end = document.offset(first, unit), document.offset(last, unit)
    assert slice_at(document, start, end, unit) == text[first:last]
    assert end - start == length_in(text[first:last], unit)
    if first < last:
        assert judge_quote(document, start, end, text[first:last], unit, private=False) is None


@given(TEXTS, st.data(), OFFSETS, OFFSETS, UNITS, st.booleans())
def test_there_is_a_finding_just_where_the_slice_is_not_the_quote(
    text: str, data: st.DataObject, start: int, end: int, unit: OffsetUnit, private: bool
) -> None:
    document = Document(text)
    nearby = st.sampled_from([text[at : at + 3] for at in range(len(text))]) if text else st.just("x")
    quote = data.draw(nearby | st.text(TRICKY, min_size=1, max_size=5))
    finding = judge_quote(document, start, end, quote, unit, private=private)
    assert (finding is None) == (slice_by_definition(text, start, end, unit) == quote)
    if finding is not None:
        beyond = start < 0 or max(start, end) > document.length(unit)
        assert finding.code == ("span-out-of-bounds" if beyond else "quote-mismatch")
        assert finding.message.isprintable()
        assert len(finding.message) < 600


@given(st.text("XYZ\u00a0“", max_size=40), st.text("XYZ “", min_size=1, max_size=6), OFFSETS, OFFSETS, UNITS)
def test_a_private_message_is_made_of_fixed_words_and_numbers(
    text: str, quote: str, start: int, end: int, unit: OffsetUnit
) -> None:
    finding = judge_quote(Document(text), start, end, quote, unit, private=True)
    words = r"(?:[a-z]+|Unicode|UTF-8|UTF-16|-?\d+)"
    assert finding is None or re.fullmatch(rf"{words}(?:[,;]? {words})*", finding.message)


@given(TEXTS, st.text(TRICKY, min_size=1, max_size=6))
def test_the_places_named_are_those_of_the_quote(text: str, quote: str) -> None:
    finding = judge_quote(Document(text), len(text) + 1, len(text) + 2, quote, OffsetUnit.CODE_POINTS, private=True)
    assert finding is not None
    named = re.findall(r"the quote stands (from .*?)(?:$| and further)", finding.message)
    places = [(int(a), int(b)) for a, b in re.findall(r"from (\d+) to (\d+)", named[0])] if named else []
    wanted = quote.strip() if "without the white space" in finding.message else quote
    every = [(at, at + len(wanted)) for at in range(len(text)) if text.startswith(wanted, at)]
    assert places == every[:3]
    assert ("and further on" in finding.message) == (len(every) > 3)


CHANGES: dict[str, Callable[[str], str]] = {
    "case": str.upper,
    "kinds of space": lambda text: text.replace(" ", "\u2009"),
    "line ends": lambda text: text.replace("\n", "\r\n"),
    "line breaks or runs of spaces": lambda text: text.replace(" ", "  "),
    "typographic marks": lambda text: text.replace("'", "’").replace("-", "–"),
    "Unicode normalisation": lambda text: normalize("NFD", text),
    "invisible characters": lambda text: text.replace("e", "e\u00ad"),
    "white space at its ends": lambda text: f"\t{text} ",
}
PLAIN = st.text(st.sampled_from("abeé '-\nß素ש"), min_size=1, max_size=12).filter(lambda text: text == text.strip())


@given(PLAIN, st.sampled_from(sorted(CHANGES)), st.text("xyz .", max_size=30), st.text("xyz .", max_size=30))
def test_a_changed_quotation_is_found_and_the_change_named(passage: str, change: str, before: str, after: str) -> None:
    quote = CHANGES[change](passage)
    if quote == passage:
        return
    assert change in differences(passage, quote)
    text = f"{before}.{passage}.{after}"
    near = FoldedText(text).find(quote)
    assert near is not None
    if text.count(passage) == 1:
        assert text[near.start : near.end] == passage
        assert change in near.differences


@given(TEXTS, st.text(TRICKY, min_size=1, max_size=6), st.integers(0, 3))
def test_a_near_passage_is_the_quotation_once_folded(text: str, quote: str, times: int) -> None:
    # Repeated, the text spans several chunks.
    text = text + ("filling " * 200 + text) * times
    near = FoldedText(text).find(quote)
    if near is None:
        return
    passage = text[near.start : near.end]
    assert folded(passage) in {folded(quote), folded(quote).strip()}
    assert near.differences == differences(passage, quote)
    assert bool(near.differences) == (passage != quote)


@given(TEXTS, TEXTS)
def test_differences_are_symmetric_and_empty_for_equal_texts(first: str, second: str) -> None:
    assert differences(first, first) == ()
    assert differences(first, second) == differences(second, first)
