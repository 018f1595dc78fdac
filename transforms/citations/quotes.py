"""Does a quotation stand where its citation says? Pure functions over a document's text and a span.

Nothing is repaired. What a finding adds, where the quotation does stand or how the offsets seem to have been
counted, is for the person who mends the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product

from transforms.citations.near_quotes import differences
from transforms.citations.offsets import Document, length_in, slice_at
from transforms.records import Code, Finding, Severity, Stage
from transforms.rules.text import excerpt
from transforms.terms import OffsetUnit

SPAN_OUT_OF_BOUNDS = Code(
    "span-out-of-bounds",
    Stage.JOINS,
    Severity.REJECT,
    "A citation's span reaches beyond the end of the document.",
    '"start": 27, "end": 146 for a document of 70 code points',
    "Take the offsets anew, from the document version cited and in the campaign's offset unit; the message "
    "says where the quotation stands, if it does.",
)
QUOTE_MISMATCH = Code(
    "quote-mismatch",
    Stage.JOINS,
    Severity.REJECT,
    "The quoted text is not what stands at the citation's span of that document, character for character.",
    '"quote": "opens at six" where the document has "opens at 06:00", or offsets in bytes of UTF-8 where the '
    "campaign declares code points",
    "Correct the offsets or the quotation as the message suggests; nothing is corrected here.",
)
UNKNOWN_DOCUMENT = Code(
    "unknown-document",
    Stage.JOINS,
    Severity.REJECT,
    "A citation names a document that the campaign's documents do not have.",
    '"document_id": "tides-2025" where the stream of documents ends with tides-2024',
    "Add the document to the campaign's documents, or correct the citation's document_id.",
)
UNAUTHORIZED_DOCUMENT = Code(
    "unauthorized-document",
    Stage.JOINS,
    Severity.REJECT,
    "The record uses a document that is not authorised for its task.",
    'task "q-7" is authorised for tides-2024 and the record cites payroll-2024',
    "Authorise the document for the task if it should be, or have the task done again without it.",
)
JOIN_CODES: tuple[Code, ...] = (SPAN_OUT_OF_BOUNDS, QUOTE_MISMATCH, UNKNOWN_DOCUMENT, UNAUTHORIZED_DOCUMENT)


_NAMES = {
    OffsetUnit.CODE_POINTS: "code points",
    OffsetUnit.UTF8_BYTES: "bytes of UTF-8",
    OffsetUnit.UTF16_UNITS: "UTF-16 units",
}
# How a span may miss by one: added to start, added to end, what to say.
_Shift = tuple[int, int, str]
_AS_GIVEN: _Shift = (0, 0, "")
_SHIFTS = (
    (0, 1, "with an inclusive end"),
    (-1, -1, "counted from 1"),
    (-1, 0, "counted from 1 with an inclusive end"),
    (1, 1, "moved on by one"),
    (0, -1, "with the end one less"),
    (1, 0, "with the start one more"),
    (-1, 1, "with the start one less and the end one more"),
    (1, -1, "with the start one more and the end one less"),
)
_MOST_READINGS = 3
_MOST_PLACES = 3
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class _Claim:
    """That `quote` stands from `start` up to `end` of `document`, in `unit`."""

    document: Document
    start: int
    end: int
    quote: str
    unit: OffsetUnit


def judge_quote(
    document: Document, start: int, end: int, quote: str, unit: OffsetUnit, *, private: bool, pointer: str = ""
) -> Finding | None:
    """The finding that `quote` is not what stands from `start` up to `end`, in `unit`; None where it is.

    `pointer` is that of the citation. Where `private`, the message holds no character of quote or document.
    Takes time linear in the document, for a mismatch; in the quote alone, for a match.
    """
    start, end = int(start), int(end)  # JSON Schema counts 27.0 as an integer
    if document.has(quote, start, end, unit):
        return None
    claim = _Claim(document, start, end, quote, unit)
    length = document.length(unit)
    if start < 0 or max(start, end) > length:
        code = SPAN_OUT_OF_BOUNDS
        said = [f"the span is {start} to {end}, the document has {length} {_NAMES[unit]}", *_elsewhere(claim)]
    else:
        code, said = QUOTE_MISMATCH, list(_mismatch(claim, private))
    return Finding(code.code, "; ".join(said), pointer)


def _mismatch(claim: _Claim, private: bool) -> Iterator[str]:
    """What is wrong with a span within the document, then what is right about it or elsewhere."""
    if claim.end <= claim.start:
        yield "the span is empty or runs backwards"
    elif (passage := slice_at(claim.document, claim.start, claim.end, claim.unit)) is None:
        yield "the span begins or ends within a character"
    else:
        yield "another text stands at the span" if private else _shown(passage, claim.quote)
        if near := differences(passage, claim.quote):
            yield f"the two differ only in {', '.join(near)}"
            yield from _fits(claim)
            return
    yield from _elsewhere(claim)


def _shown(passage: str, quote: str) -> str:
    """Both texts, from their first difference."""
    low, high = 0, min(len(passage), len(quote))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if passage.startswith(quote[:middle]) else (low, middle - 1)
    there, here = excerpt(passage[low : low + _SHOWN + 1]), excerpt(quote[low : low + _SHOWN + 1])
    if low == 0:
        return f"the span reads {there}, the quote {here}"
    return f"after {low} equal characters the span goes on {there}, the quote {here}"


def _elsewhere(claim: _Claim) -> Iterator[str]:
    """Other readings of the offsets that fit, and where the quotation stands."""
    yield from _fits(claim)
    yield _places(claim)


def _fits(claim: _Claim) -> Iterator[str]:
    plain = claim.document.counts_characters(OffsetUnit.UTF8_BYTES)
    others = () if plain else tuple(unit for unit in OffsetUnit if unit is not claim.unit)
    likely = (*((unit, _AS_GIVEN) for unit in others), *((claim.unit, shift) for shift in _SHIFTS))
    fitting = _fitting(claim, likely) or _fitting(claim, product(others, _SHIFTS))
    if fitting:
        yield f"the offsets fit {', or '.join(fitting[:_MOST_READINGS])}"


def _fitting(claim: _Claim, readings: Iterable[tuple[OffsetUnit, _Shift]]) -> list[str]:
    """In words, each reading under which the quotation stands at the span."""
    found = []
    for unit, (first, last, words) in readings:
        if claim.document.has(claim.quote, claim.start + first, claim.end + last, unit):
            name = "" if unit is claim.unit else f"as {_NAMES[unit]}"
            found.append(f"{name} {words}".strip())
    return found


def _places(claim: _Claim) -> str:
    """Where the quotation stands verbatim, or but for white space at its ends, or nearly."""
    if spans := _spans(claim, claim.quote):
        return f"the quote stands {spans}"
    trimmed = claim.quote.strip()
    if trimmed not in ("", claim.quote) and (spans := _spans(claim, trimmed)):
        return f"without the white space at its ends the quote stands {spans}"
    near = claim.document.folded().find(claim.quote)
    if near is None:
        return "the quote stands nowhere in the document"
    start, end = (claim.document.offset(index, claim.unit) for index in (near.start, near.end))
    return f"a text that differs only in {', '.join(near.differences)} stands from {start} to {end}"


def _spans(claim: _Claim, quote: str) -> str:
    """The first places of `quote`, in the declared unit; "" where it stands nowhere."""
    found = list(islice(_occurrences(claim.document.text, quote), _MOST_PLACES + 1))
    starts = [claim.document.offset(index, claim.unit) for index in found[:_MOST_PLACES]]
    length = length_in(quote, claim.unit)
    spans = ", ".join(f"from {start} to {start + length}" for start in starts)
    return f"{spans} and further on" if len(found) > _MOST_PLACES else spans


def _occurrences(text: str, quote: str) -> Iterator[int]:
    at = text.find(quote)
    while at >= 0:
        yield at
        at = text.find(quote, at + 1)
