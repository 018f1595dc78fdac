"""What a rule across records is made of: what a record claims, and how records with one key are judged.

A claim is a row of fixed width: a 16-byte key (the first half of a SHA-256), a payload of the join's own,
and the line's distance from the first line of its block. Rows travel packed, never one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from transforms.records import Code, Finding, Place, Severity
from transforms.subjects import Subject
from transforms.terms import Action, StreamTerms

KEY_BYTES = 16
LINE_BYTES = 4
RELATED_BOUND = 16

Terms = Mapping[str, StreamTerms]


@dataclass(frozen=True, slots=True)
class Member:
    """One record of a group that shares a key: where it stands and the payload it claimed."""

    place: Place
    payload: bytes


Judgement = Iterator[tuple[int, Finding]]


@dataclass(frozen=True, slots=True)
class Join:
    """A rule across records.

    `claim` takes a record's 32-byte content digest and its subject, and gives (key, payload) or None where
    the record has no part in the rule; the payload is always `payload_bytes` long. `judge` gets all the
    members of one key, in the order (stream, shard, line), at least two of them, and yields (index of
    member, finding).
    """

    name: str
    codes: tuple[Code, ...]
    payload_bytes: int
    claim: Callable[[bytes, Subject], tuple[bytes, bytes] | None]
    judge: Callable[[Sequence[Member], Terms], Judgement]

    @property
    def row_bytes(self) -> int:
        """The width of one packed claim."""
        return KEY_BYTES + self.payload_bytes + LINE_BYTES


_SEVERITY = {Action.REJECT: Severity.REJECT, Action.HOLD: Severity.HOLD, Action.ALLOW: Severity.WARN}


def policy(code: Code, terms: StreamTerms) -> Action:
    """What the stream does with records that `code` names: its own policy, or the catalogue's default."""
    default = Action.HOLD if code.severity is Severity.HOLD else Action.REJECT
    return terms.policies.get(code.code, default)


@dataclass(frozen=True, slots=True)
class Related:
    """The places a finding names (at most `RELATED_BOUND`, in order) and how many there are in all."""

    places: tuple[Place, ...]
    count: int


def related(members: Iterable[Member], own: Callable[[Member], bool], count: int) -> Related:
    """The first of `members` that are not `own`; `count` is how many such there are.

    Callers compute it once for all members that share `own`, so a huge group costs linear time.
    """
    others = (member.place for member in members if not own(member))
    return Related(tuple(islice(others, min(RELATED_BOUND, count))), count)


def finding(code: Code, action: Action, message: str, others: Related, *, first: bool = False) -> Finding | None:
    """The finding that `action` makes of a grouped record, or None where it stays untouched.

    `first` marks the record that "keep-first" keeps.
    """
    if action is Action.KEEP_FIRST and first:
        return None
    if others.count > len(others.places):
        message += f" (the first {len(others.places)} of {others.count} are named)"
    return Finding(code.code, message, related=others.places, severity=_SEVERITY.get(action, Severity.REJECT))
