"""Texts and offsets into them: what stands at a span, counted in code points, bytes of UTF-8 or UTF-16 units."""

from __future__ import annotations

from transforms.citations.near_quotes import FoldedText
from transforms.terms import OffsetUnit

_CODECS = {OffsetUnit.UTF8_BYTES: ("utf-8", 1), OffsetUnit.UTF16_UNITS: ("utf-16-le", 2)}


def length_in(text: str, unit: OffsetUnit) -> int:
    """The length of `text` in `unit`."""
    if unit is OffsetUnit.CODE_POINTS or text.isascii():
        return len(text)
    codec, width = _CODECS[unit]
    return len(text.encode(codec)) // width


class Document:
    """A text made ready for many look-ups. Offsets count from 0; an end is exclusive.

    The other forms of the text are made when first needed, and kept. It must have no lone surrogate.
    """

    __slots__ = ("_ascii", "_encoded", "_folded", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._ascii = text.isascii()  # then all units are one
        self._encoded: dict[OffsetUnit, bytes] = {}
        self._folded: FoldedText | None = None

    def counts_characters(self, unit: OffsetUnit) -> bool:
        """Whether offsets in `unit` are those of code points, in this text."""
        return self._ascii or unit is OffsetUnit.CODE_POINTS

    def length(self, unit: OffsetUnit) -> int:
        """The length of the text in `unit`."""
        if self.counts_characters(unit):
            return len(self.text)
        return len(self.encoded(unit)) // _CODECS[unit][1]

    def offset(self, index: int, unit: OffsetUnit) -> int:
        """The offset in `unit` of the code point at `index`. Takes time linear in `index`."""
        return index if self.counts_characters(unit) else length_in(self.text[:index], unit)

    def encoded(self, unit: OffsetUnit) -> bytes:
        """The text in UTF-8 or UTF-16 (little-endian, no byte order mark)."""
        if unit not in self._encoded:
            self._encoded[unit] = self.text.encode(_CODECS[unit][0])
        return self._encoded[unit]

    def folded(self) -> FoldedText:
        """The text prepared for finding near quotes."""
        if self._folded is None:
            self._folded = FoldedText(self.text)
        return self._folded

    def has(self, quote: str, start: int, end: int, unit: OffsetUnit) -> bool:
        """Whether `quote`, a text of one character or more, is what stands from `start` up to `end`.

        Takes time linear in the quote, once the text is encoded.
        """
        if start < 0 or end - start != length_in(quote, unit):
            return False
        if self.counts_characters(unit):
            return self.text.startswith(quote, start)
        codec, width = _CODECS[unit]
        # In both encodings whole characters match at the start of a character only.
        return self.encoded(unit).startswith(quote.encode(codec), start * width)


def slice_at(document: Document, start: int, end: int, unit: OffsetUnit) -> str | None:
    """What stands from `start` up to `end`; None out of bounds or where either cuts a character in two."""
    if not 0 <= start <= end <= document.length(unit):
        return None
    if document.counts_characters(unit):
        return document.text[start:end]
    data, (codec, width) = document.encoded(unit), _CODECS[unit]
    if _within_character(data, start, unit) or _within_character(data, end, unit):
        return None
    return data[start * width : end * width].decode(codec)


def _within_character(data: bytes, at: int, unit: OffsetUnit) -> bool:
    """Whether a continuation byte or the second half of a surrogate pair stands at the offset."""
    if unit is OffsetUnit.UTF8_BYTES:
        return at < len(data) and data[at] & 0xC0 == 0x80
    return 2 * at < len(data) and data[2 * at + 1] & 0xFC == 0xDC
