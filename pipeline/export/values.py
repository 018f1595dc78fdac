"""The plain values of an export. Nothing here reads, writes or decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from transforms.records import Json


class Ties(StrEnum):
    """What becomes of a pair that is equally good: no row, or one for each order."""

    DROP = "drop"
    BOTH = "both"


class Neither(StrEnum):
    """What becomes of a pair of which none is acceptable: no row, or the golden patch preferred to either."""

    DROP = "drop"
    GOLDEN_PATCH = "golden-patch"


class Reason(StrEnum):
    """Why an accepted record has no row."""

    TIE = "tie"
    NEITHER = "neither"
    IDENTICAL_TEXTS = "identical-texts"
    OVERLAPPING_CALLS = "overlapping-calls"
    PRIVATE = "private"


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The split: the share of tasks to hold out, between 0 and 1, and the salt of the hash that chooses them."""

    share: Decimal
    salt: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """What was asked for: the streams by name, None for all that the format carries, and how records are handled."""

    format: str
    streams: tuple[str, ...] | None = None
    ties: Ties = Ties.DROP
    neither: Neither = Neither.DROP
    include_private: bool = False
    held_out: HeldOut | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """An accepted record: its value, and the archival bytes."""

    kind: str
    value: Json
    archival: bytes


@dataclass(frozen=True, slots=True)
class Changes:
    """What a row has of its record.

    Fields are JSON Pointers in which `*` stands for every index of an array. `dropped` are in no way in the row.
    `renamed` has (field of the record, field of the row) for values that are the same; `normalised` has (field of the
    record, what was done to it) for those written in another form.
    """

    dropped: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    normalised: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ExportRow:
    """One line of an export, JSON without its line feed, and what it has of its record."""

    line: bytes
    changes: Changes = field(default_factory=Changes)


# A record's rows, or why it has none.
Mapping = Callable[[Record, Choices], tuple[ExportRow, ...] | Reason]
