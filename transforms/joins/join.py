"""What a rule across records is made of: what records claim, and how those with one key are judged.

A claim is a row of fixed width: a 16-byte key (the first half of a SHA-256), a payload of the join's own, the
line's distance from the first line of its block, and, in joins that compare texts, where the claim's text is
parked. Rows travel packed, never one by one; texts never travel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from transforms.joins.parked import Parked
from transforms.records import Code, Finding, Json, Place, Severity
from transforms.subjects import Subject
from transforms.terms import Action, StreamTerms

KEY_BYTES = 16
RELATED_BOUND = 16

Terms = Mapping[str, StreamTerms]


@dataclass(frozen=True, slots=True)
class Entry:
    """A record that passed stages 1 to 4, as joins see it.

    `content` is the 32-byte digest of its canonical form, `archival` that of its archival bytes;
    `subject` is None for kinds that are about no task. `exact` is `value` as
    rules saw it, None where that is the same. A migrated record has the `version` that it was made under, and `source`,
    the 32-byte digest of the bytes that people saw.
    """

    kind: str
    version: str
    rubric: str | None
    content: bytes
    archival: bytes
    value: Json
    subject: Subject | None
    exact: Json | None = None
    source: bytes | None = None


class Claim(NamedTuple):
    """What a record says under a key (at least 16 bytes, of which 16 count); `text` only in joins that have texts."""

    key: bytes
    payload: bytes
    text: bytes = b""


@dataclass(frozen=True, slots=True)
class Member:
    """One claim of a group that shares a key: where its record stands, what it says, where its text waits."""

    place: Place
    payload: bytes
    text: Parked | None = None


@dataclass(frozen=True, slots=True)
class Attached:
    """Something that speaks of a record: the kind of evidence that it is, and where it waits, if it has a text.

    The text is as the join's claim wrote it. `source` is the index of the claim whose record says it: it counts only if
    that record stands in the end. None where it does not hang on a record.
    """

    kind: str
    parked: Parked | None = None
    source: int | None = None


@dataclass(frozen=True, slots=True)
class Brought:
    """Evidence kept with the record that says it: `attached` is for the record at `position` of block `ordinal`."""

    ordinal: int
    position: int
    attached: Attached


Judged = Finding | Attached
Judgement = Iterator[tuple[int, Judged]]


@dataclass(frozen=True, slots=True)
class Join:
    """A rule across records.

    `kinds` are the record kinds that take part, None for all. `claim` gives a record's claims; a payload is
    at most `payload_bytes` long and is filled up with zeros. `judge` gets all the claims of one key, in the
    order (stream, shard, line), and yields (index of a claim, finding or evidence for its record).

    Without `fact` records are held against others of their own kind, and only keys with two claims or
    more are judged. With it, the join runs where the campaign requires that fact ("tasks", "documents" …),
    claims of all kinds meet, and every key is judged. `texts` says whether claims have texts, and `brings` whether what
    it attaches has sources.
    """

    name: str
    codes: tuple[Code, ...]
    payload_bytes: int
    claim: Callable[[Entry], Iterable[Claim]]
    judge: Callable[[Sequence[Member], Terms], Judgement]
    kinds: frozenset[str] | None = None
    fact: str | None = None
    texts: bool = False
    brings: bool = False

    def runs_for(self, terms: StreamTerms) -> bool:
        """Whether records of a stream take part."""
        takes_part = self.kinds is None or terms.kind in self.kinds
        return takes_part and (self.fact is None or self.fact in terms.facts)


_SEVERITY = {Action.REJECT: Severity.REJECT, Action.HOLD: Severity.HOLD, Action.ALLOW: Severity.WARN}
_DEFAULT = {Severity.HOLD: Action.HOLD, Severity.WARN: Action.ALLOW}


def policy(code: Code, terms: StreamTerms) -> Action:
    """What the stream does with records that `code` names: its own policy, or the catalogue's default."""
    return terms.policies.get(code.code, _DEFAULT.get(code.severity, Action.REJECT))


@dataclass(frozen=True, slots=True)
class Related:
    """The places a finding names (at most `RELATED_BOUND`, in order) and how many there are in all."""

    places: tuple[Place, ...]
    count: int


def related(members: Iterable[Member], own: Callable[[Member], bool], count: int) -> Related:
    """The first of `members` that are not `own`; `count` is how many such there are."""
    others = (member.place for member in members if not own(member))
    return Related(tuple(islice(others, min(RELATED_BOUND, count))), count)


def all_of(members: Sequence[Member]) -> Related:
    """The first of `members`, and how many there are."""
    return related(members, lambda _: False, len(members))


class Others:
    """For a value of `key`, those of `members` with another; found once per value: huge groups cost linear time."""

    def __init__(self, members: Sequence[Member], key: Callable[[Member], bytes]) -> None:
        self._members, self._key = members, key
        self._counts = Counter(map(key, members))
        self._known: dict[bytes, Related] = {}

    def than(self, own: bytes) -> Related:
        """The members whose key is not `own`."""
        if own not in self._known:
            count = len(self._members) - self._counts[own]
            self._known[own] = related(self._members, lambda member: self._key(member) == own, count)
        return self._known[own]


NOBODY = Related((), 0)


def finding(
    code: Code, action: Action, message: str, others: Related = NOBODY, *, pointer: str = "", first: bool = False
) -> Finding | None:
    """The finding that `action` makes of a record, or None where it stays untouched.

    `first` marks the record that "keep-first" keeps.
    """
    if action is Action.KEEP_FIRST and first:
        return None
    if others.count > len(others.places):
        message += f" (the first {len(others.places)} of {others.count} are named)"
    severity = _SEVERITY.get(action, Severity.REJECT)
    return Finding(code.code, message, pointer, related=others.places, severity=severity)
