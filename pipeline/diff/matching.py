"""Rows of two runs matched by their keys, as multisets.

Where several records share a key, those are matched first that also agree in outcome and codes, then those that agree
in outcome, then whichever are left. Within each of these rounds both sides are sorted by outcome, codes and digest, and
the first is matched with the first. So the match depends on what the records are, not on where they stand, and is the
same seen from either run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pipeline.diff.rows import PAIR, Matched, Rows, pairs_of

_KEY = ("high", "low")
_ROUNDS = ((*_KEY, "outcome", "codes"), (*_KEY, "outcome"), _KEY)

Indexes = npt.NDArray[np.intp]


def match(before: Rows, after: Rows, by: Matched) -> tuple[Rows, Rows, Rows]:
    """The PAIR rows of rows with the same key, sorted, and the rows of either side that are left."""
    found = [np.zeros(0, PAIR)]
    for fields in _ROUNDS:
        if not (len(before) and len(after)):
            break
        left, right = _alike(before, after, fields)
        found.append(pairs_of(before[left], after[right], by))
        before, after = np.delete(before, left), np.delete(after, right)
    pairs = np.concatenate(found)
    by_after, by_before = (_columns(pairs[side], ("outcome", "codes")) for side in ("after", "before"))
    return _sorted(pairs, (*by_after, *_words(pairs["after"]), *by_before, *_words(pairs["before"]))), before, after


def in_order(rows: Rows) -> Rows:
    """Rows sorted by key, digest, outcome and codes."""
    columns = (*_columns(rows, ("codes", "outcome")), *_words(rows), *_columns(rows, ("low", "high")))
    return rows[np.lexsort(columns)] if len(rows) else rows


def _sorted(pairs: Rows, ties: Sequence[npt.NDArray[np.generic]]) -> Rows:
    if not len(pairs):
        return pairs
    return pairs[np.lexsort((*ties, pairs["before"]["low"], pairs["before"]["high"]))]


def _alike(before: Rows, after: Rows, fields: Sequence[str]) -> tuple[Indexes, Indexes]:
    """Indexes into both sides: rows that agree in `fields`, the first with the first and so on."""
    both = np.concatenate((before, after))
    side = np.arange(len(both)) >= len(before)
    alike = _columns(both, fields)
    order = np.lexsort((*_words(both), both["codes"], both["outcome"], side, *reversed(alike)))
    new = _begins((column[order] for column in alike), len(order))
    group = np.cumsum(new)
    sided = side[order]
    first = np.flatnonzero(new | np.concatenate(([True], sided[1:] != sided[:-1])))
    lengths = np.diff(np.append(first, len(order)))
    rank = np.arange(len(order)) - np.repeat(first, lengths)
    label = group * (len(order) + 1) + rank
    of_before, of_after = np.flatnonzero(~sided), np.flatnonzero(sided)
    _, left, right = np.intersect1d(label[of_before], label[of_after], assume_unique=True, return_indices=True)
    return order[of_before[left]], order[of_after[right]] - len(before)


def _begins(columns: Iterable[npt.NDArray[np.generic]], rows: int) -> npt.NDArray[np.bool_]:
    """Whether a row is the first of those that agree with it, the columns being sorted."""
    new = np.zeros(rows, np.bool_)
    new[0] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return new


def _columns(rows: Rows, fields: Sequence[str]) -> tuple[npt.NDArray[np.generic], ...]:
    return tuple(rows[name] for name in fields)


def _words(rows: Rows) -> tuple[npt.NDArray[np.generic], ...]:
    """The first half of the digests, for sorting: last word first, as `lexsort` takes them."""
    halves = np.ascontiguousarray(rows["sha256"][:, :16]).view(">u8")
    return halves[:, 1], halves[:, 0]
