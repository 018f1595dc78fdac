"""Packed rows: what the difference keeps of a record, 65 bytes, so that millions fit into arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from transforms.digests import digest
from transforms.records import Outcome

Rows = npt.NDArray[np.void]
Digests = npt.NDArray[np.uint8]

DIGEST_BYTES = 32
# The key is the first half of a digest, as two big-endian integers, so that it sorts as bytes do. `ordinal` numbers the
# records of a stream in the order in which the run's files hold them; nothing is matched by it.
ROW = np.dtype(
    [
        ("high", ">u8"),
        ("low", ">u8"),
        ("sha256", "u1", (DIGEST_BYTES,)),
        ("outcome", "u1"),
        ("codes", "<u8"),
        ("ordinal", "<u8"),
    ]
)
PAIR = np.dtype([("before", ROW), ("after", ROW), ("matched", "u1")])
OUTCOMES = (*(outcome.value for outcome in (Outcome.ACCEPTED, Outcome.HELD, Outcome.REJECTED)), "absent")
ABSENT = OUTCOMES.index("absent")


class Matched(IntEnum):
    """What two records were matched by; UNMATCHED for one that the other run does not have."""

    DIGEST = 0
    CONTENT = 1
    IDENTITY = 2
    UNMATCHED = 3


@dataclass(slots=True)
class CodeSets:
    """Sets of codes by a number that depends on the codes alone: 64 bits of a SHA-256, 0 for no codes."""

    _numbers: dict[tuple[str, ...], int] = field(default_factory=lambda: {(): 0})
    _names: dict[int, tuple[str, ...]] = field(default_factory=lambda: {0: ()})

    def number(self, codes: Iterable[str]) -> int:
        """The number of a set of codes, which may name a code twice."""
        names = tuple(sorted(set(codes)))
        if names not in self._numbers:
            number = int.from_bytes(digest("\n".join(names).encode())[:8])
            self._numbers[names], self._names[number] = number, names
        return self._numbers[names]

    def names(self, number: int) -> tuple[str, ...]:
        """The codes of a number that `number` gave, sorted."""
        return self._names[number]


def pack(sha256: bytes, keys: bytes, outcome: int, codes: Sequence[int], first: int) -> Rows:
    """Rows of one outcome, ordinals from `first` on; `sha256` and `keys` hold 32 bytes for each.

    Raises ValueError where there are not as many digests, keys and codes.
    """
    rows = np.zeros(len(codes), ROW)
    rows["sha256"] = _digests(sha256)
    rows["outcome"], rows["codes"] = outcome, np.array(codes, np.uint64)
    rows["ordinal"] = np.arange(first, first + len(codes))
    return keyed(rows, _digests(keys))


def keyed(rows: Rows, digests: Digests) -> Rows:
    """The rows, changed in place: their keys are now those of `digests`, of shape (rows, 32)."""
    halves = np.ascontiguousarray(digests[:, :16]).view(">u8")
    rows["high"], rows["low"] = halves[:, 0], halves[:, 1]
    return rows


def pairs_of(before: Rows, after: Rows, matched: Matched) -> Rows:
    """PAIR rows of rows that belong together."""
    pairs = np.zeros(len(before), PAIR)
    pairs["before"], pairs["after"], pairs["matched"] = before, after, matched
    return pairs


def lone(rows: Rows, side: str) -> Rows:
    """PAIR rows of records that only one run has: `side` says which, "before" or "after"."""
    pairs = np.zeros(len(rows), PAIR)
    pairs["matched"] = Matched.UNMATCHED
    pairs[side] = rows
    pairs["after" if side == "before" else "before"]["outcome"] = ABSENT
    return pairs


def _digests(data: bytes) -> Digests:
    return np.frombuffer(data, np.uint8).reshape(-1, DIGEST_BYTES)
