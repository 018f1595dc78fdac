from itertools import pairwise

import pytest

from transforms.citations.offsets import Document, length_in, slice_at
from transforms.terms import OffsetUnit

CODE_POINTS, UTF8, UTF16 = OffsetUnit.CODE_POINTS, OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS
MIXED = "aé\u20ac😀e\u0301\r\nש"


def test_the_names_of_the_units() -> None:
    assert [unit.value for unit in OffsetUnit] == ["code-points", "utf-8-bytes", "utf-16-units"]


@pytest.mark.parametrize(
    ("unit", "offsets"),
    [
        (CODE_POINTS, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (UTF8, [0, 1, 3, 6, 10, 11, 13, 14, 15, 17]),
        (UTF16, [0, 1, 2, 3, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_offsets_of_each_unit(unit: OffsetUnit, offsets: list[int]) -> None:
    document = Document(MIXED)
    assert [document.offset(index, unit) for index in range(len(MIXED) + 1)] == offsets
    assert document.length(unit) == length_in(MIXED, unit) == offsets[-1]
    for index, (start, end) in enumerate(pairwise(offsets)):
        assert slice_at(document, start, end, unit) == MIXED[index]
        assert document.has(MIXED[index], start, end, unit)
    inside = set(range(offsets[-1])) - set(offsets)
    for cut in inside:
        assert slice_at(document, 0, cut, unit) is None
        assert slice_at(document, cut, offsets[-1], unit) is None
        assert slice_at(document, cut, cut, unit) is None


@pytest.mark.parametrize("unit", OffsetUnit)
@pytest.mark.parametrize("text", ["ascii only", MIXED])
def test_bounds_of_a_slice(text: str, unit: OffsetUnit) -> None:
    document = Document(text)
    length = document.length(unit)
    assert slice_at(document, 0, length, unit) == text
    assert slice_at(document, length, length, unit) == ""
    assert slice_at(document, 0, 0, unit) == ""
    for start, end in ((-1, 1), (0, length + 1), (2, 1), (length + 1, length + 1), (2**63, 2**64)):
        assert slice_at(document, start, end, unit) is None


def test_an_ascii_text_is_never_encoded() -> None:
    document = Document("plain")
    assert document.has("lai", 1, 4, UTF16)
    assert not document.has("laï", 1, 4, UTF8)
    assert document.counts_characters(UTF8) and document.counts_characters(UTF16)


def test_bytes_that_look_alike_within_other_characters_are_no_match() -> None:
    # U+4100 U+0041 in UTF-16 (little-endian) is 00 41 41 00, which holds 41 41 at an odd place.
    assert not Document("\u4100A").has("\u4141", 0, 1, UTF16)
