"""Passages that equal a quotation but for what copying changes: case, marks, spaces, line ends, normalisation.

For messages only: such a passage is no match. All searches take time linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from transforms.rules.text import composed

# Soft hyphen, zero-width and directional marks, byte order mark.
_INVISIBLE = (
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_BLANKS = _INVISIBLE + "".join(char for char in map(chr, range(0x3001)) if char.isspace())
_PLAIN_MARKS = {
    **dict.fromkeys("‘’‚‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": "...",
}
_MARKS = re.compile("[" + "".join(_PLAIN_MARKS) + "]")

_Fold = tuple[str, Callable[[str], str]]
_LINE_ENDS: _Fold = ("line ends", partial(re.compile("\r\n|[\r\u0085\u2028\u2029]").sub, "\n"))
_SPACES: _Fold = ("kinds of space", partial(re.compile("[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]").sub, " "))
_RUNS: _Fold = ("line breaks or runs of spaces", partial(re.compile("[ \n]{2,}|\n").sub, " "))
_CASE: _Fold = ("case", str.casefold)
# In this order: what is dropped goes before composing, which a joiner within would prevent.
_FOLDS: tuple[_Fold, ...] = (
    ("invisible characters", partial(re.compile(f"[{_INVISIBLE}]").sub, "")),
    _LINE_ENDS,
    _SPACES,
    _RUNS,
    ("typographic marks", partial(_MARKS.sub, lambda match: _PLAIN_MARKS[match[0]])),
    ("Unicode normalisation", composed),
    _CASE,
)
_ASCII_FOLDS = (_LINE_ENDS, _SPACES, _RUNS, _CASE)
_ENDS = "white space at its ends"

_CHUNK = 1024
# Nothing composes, or is one run, across the start of such a match.
_CUT = re.compile(r"(?<=\S)[ -~\u4e00-\u9fff]")
_MOST_TRIES = 3
_LONGER = 4


def _folded(text: str, folds: tuple[_Fold, ...]) -> str:
    for _, fold in folds:
        text = fold(text)
    return text


def folded(text: str) -> str:
    """`text` without all the differences that this module knows, in one form."""
    return _folded(text, _ASCII_FOLDS if text.isascii() else _FOLDS)


def differences(passage: str, quote: str) -> tuple[str, ...]:
    """What alone tells two unequal texts apart, by name; () where they differ in more than copying changes."""
    if len(passage) > _LONGER * len(quote) + _CHUNK:
        return ()
    return _alike(passage, quote)


def _alike(passage: str, quote: str) -> tuple[str, ...]:
    if folded(passage) == folded(quote):
        return _telling(passage, quote)
    passage, quote = passage.strip(_BLANKS), quote.strip(_BLANKS)
    if passage and folded(passage) == folded(quote):
        return (_ENDS, *_telling(passage, quote))
    return ()


def _telling(first: str, second: str) -> tuple[str, ...]:
    """The folds without which the two would differ; where each of several would do, the first that does."""
    if first == second:
        return ()
    needed = []
    for fold in _FOLDS:
        others = tuple(each for each in _FOLDS if each is not fold)
        if _folded(first, others) != _folded(second, others):
            needed.append(fold[0])
    if needed:
        return tuple(needed)
    return tuple(name for name, fold in _FOLDS if fold(first) == fold(second))[:1]


@dataclass(frozen=True, slots=True)
class Near:
    """A passage from `start` up to `end`, in code points, and what tells it from the quotation, if anything."""

    start: int
    end: int
    differences: tuple[str, ...]


class FoldedText:
    """A text folded once, for many searches. It is folded in chunks, so that places can be told in the original."""

    __slots__ = ("_chunks", "_folded", "_folded_chunks", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._chunks = [*_cuts(text), len(text)]
        parts = [folded(text[start:end]) for start, end in zip(self._chunks, self._chunks[1:], strict=False)]
        self._folded = "".join(parts)
        self._folded_chunks = [0]
        for part in parts:
            self._folded_chunks.append(self._folded_chunks[-1] + len(part))

    def find(self, quote: str) -> Near | None:
        """The first passage that is `quote` but for the differences known here, or None."""
        whole = folded(quote)
        for wanted in dict.fromkeys((whole, whole.strip())):
            at = self._folded.find(wanted) if wanted else -1
            for _ in range(_MOST_TRIES):
                if at < 0:
                    break
                if (near := self._original(at, wanted, quote)) is not None:
                    return near
                at = self._folded.find(wanted, at + 1)
        return None

    def _original(self, at: int, wanted: str, quote: str) -> Near | None:
        """The passage folded to `wanted` at `at`; None where that is no whole passage, such as half of "ß"."""
        start, end = self._unfolded(at), self._unfolded(at + len(wanted))
        passage = self._text[start:end].rstrip(_INVISIBLE)
        if folded(passage) != wanted:
            return None
        return Near(start, start + len(passage), _alike(passage, quote))

    def _unfolded(self, at: int) -> int:
        """The greatest offset in the original before which there are at most `at` folded characters."""
        chunk = min(bisect_right(self._folded_chunks, at), len(self._chunks) - 1) - 1
        start, room = self._chunks[chunk], at - self._folded_chunks[chunk]
        ends = range(start, self._chunks[chunk + 1] + 1)
        return ends[bisect_right(ends, room, key=lambda end: len(folded(self._text[start:end]))) - 1]


def _cuts(text: str) -> Iterator[int]:
    """Where the chunks of `text` start."""
    start = 0
    while start < len(text):
        yield start
        limit = start + 2 * _CHUNK
        cut = _CUT.search(text, start + _CHUNK, limit)
        start = cut.start() if cut else limit
