"""Evidence brought to the records that it is about, by their digests: reviews, adjudications, trusted executions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import orjson

from transforms.digests import digest
from transforms.joins.join import Attached, Claim, Entry, Join, Judgement, Member, Terms, all_of, finding, policy
from transforms.kinds import ANNOTATIONS
from transforms.people import person
from transforms.records import Code, Severity, Stage

REVIEW_OF_UNKNOWN_RECORD = Code(
    "review-of-unknown-record",
    Stage.JOINS,
    Severity.REJECT,
    "A review, adjudication or execution is about bytes that are not there: no record of its task that passed its own "
    "checks has this SHA-256.",
    "a review of a record that was exported anew since, with another rationale and therefore another digest",
    "Export the record as it was reviewed, or have it reviewed as it is now.",
)
REVIEW_OF_OTHER_RUBRIC = Code(
    "review-of-other-rubric",
    Stage.JOINS,
    Severity.REJECT,
    "A review was made under another rubric version than its record is judged by.",
    'a review under "code-review-v1" of a record with "rubric_version": "code-review-v2"',
    "Have the record reviewed under its own rubric version.",
)
DUPLICATE_REVIEW = Code(
    "duplicate-review",
    Stage.JOINS,
    Severity.REJECT,
    "A reviewer has reviewed the record already; the first review by stream, shard and line counts.",
    "two reviews by ann-3 of one record, the second with another vote",
    "Find out which one counts and remove the other.",
)
SELF_REVIEW = Code(
    "self-review",
    Stage.JOINS,
    Severity.REJECT,
    "A reviewer or an adjudicator speaks of their own record: an assignment names them as the one who handed it in.",
    "ann-1 reviews the record that ann-1 handed in",
    "Have somebody else review it.",
)
CODES = (REVIEW_OF_UNKNOWN_RECORD, REVIEW_OF_OTHER_RUBRIC, DUPLICATE_REVIEW, SELF_REVIEW)

CONTRIBUTOR = "contributor"
"""What is attached to a record of which an assignment says who handed it in."""

_RECORD, _CONTRIBUTOR, _REVIEW = b"R", b"C", b"V"
_SAFETY = b"S"

# Digests are compared only within one record's evidence, where 64 bits of SHA-256 are ample.
_HALF = 8
_NOBODY = bytes(_HALF)
_ROLES = {"review-v1": _REVIEW, "adjudication-v1": b"A", "code-execution-v1": b"E", "safety-annotation-v1": _SAFETY}
_KINDS = {role: kind for kind, role in _ROLES.items()}
_PERSON = {"review-v1": "reviewer", "adjudication-v1": "adjudicator", "assignment-v1": "contributor"}


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the record's digest. Payload: role, person, task, rubric; evidence has its own digest and value as text.

    Scores with a fraction or an exponent are strings in that text, so that they keep their digits.
    """
    value = entry.value
    task = digest(value["task_id"].encode())[:_HALF]
    if entry.kind in ANNOTATIONS:
        payload = _RECORD + _NOBODY + task + _half(entry.rubric)
        yield Claim(entry.archival, payload)
        if entry.source and entry.source != entry.archival:
            # What was said of a record before it was migrated counts.
            yield Claim(entry.source, payload)
        return
    key = bytes.fromhex(value["record_sha256"])
    who = _half(person(value[_PERSON[entry.kind]])) if entry.kind in _PERSON else _NOBODY
    if entry.kind == "assignment-v1":
        yield Claim(key, _CONTRIBUTOR + who + task + _NOBODY)
        return
    payload = _ROLES[entry.kind] + who + task + _half(value.get("rubric_version"))
    text = orjson.dumps(entry.exact or value, default=str, option=orjson.OPT_SORT_KEYS)
    yield Claim(key, payload, entry.archival + text)


def _half(text: str | None) -> bytes:
    return _NOBODY if text is None else digest(text.encode())[:_HALF]


@dataclass(frozen=True, slots=True)
class _Said:
    """A member's payload, taken apart."""

    role: bytes
    person: bytes
    task: bytes
    rubric: bytes


def _said(member: Member) -> _Said:
    parts = (member.payload[at : at + _HALF] for at in (1, 1 + _HALF, 1 + 2 * _HALF))
    return _Said(member.payload[:1], *parts)


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each piece of evidence against the record it names; what is sound here is attached, to count if it stands."""
    said = [_said(member) for member in members]
    records = [index for index, one in enumerate(said) if one.role == _RECORD]
    contributors = {one.person for one in said if one.role == _CONTRIBUTOR}
    if contributors:
        yield from ((at, Attached(CONTRIBUTOR)) for at in records)
    first: dict[bytes, Member] = {}
    for index, (one, member) in enumerate(zip(said, members, strict=True)):
        if one.role in (_RECORD, _CONTRIBUTOR):
            continue
        own = [at for at in records if said[at].task == one.task]
        faults = list(_faults(one, [(said[at], members[at]) for at in own], contributors, first, terms))
        for code, message, about in faults:
            action = policy(code, terms[member.place.stream])
            if found := finding(code, action, message, all_of(about)):
                yield index, found
        if one.role == _REVIEW and own and not any(code is REVIEW_OF_OTHER_RUBRIC for code, _, _ in faults):
            first.setdefault(one.person, member)
        if not faults and member.text and one.role != _SAFETY:
            yield from ((at, Attached(_KINDS[one.role], member.text, index)) for at in own)


def _faults(
    one: _Said,
    records: Sequence[tuple[_Said, Member]],
    contributors: set[bytes],
    first: dict[bytes, Member],
    terms: Terms,
) -> Iterator[tuple[Code, str, list[Member]]]:
    about = [member for _, member in records]
    if not records:
        yield REVIEW_OF_UNKNOWN_RECORD, "no sound record of its task has these bytes", []
        return
    if one.rubric != _NOBODY and all({_NOBODY, one.rubric}.isdisjoint(_rubrics(*row, terms)) for row in records):
        yield REVIEW_OF_OTHER_RUBRIC, "the record is judged by another rubric version", about
    if one.person in contributors:
        yield SELF_REVIEW, f"the {_PERSON[_KINDS[one.role]]} handed the record in", about
    if one.role == _REVIEW and one.person in first:
        yield DUPLICATE_REVIEW, "the reviewer has reviewed the record already", [first[one.person]]


def _rubrics(said: _Said, member: Member, terms: Terms) -> tuple[bytes, ...]:
    """The rubric that a record is judged by, or nobody's where it is judged by none; and the one it names, if older."""
    stream = terms[member.place.stream]
    if stream.acceptance and stream.acceptance.rubric:
        return (_half(stream.acceptance.rubric),)
    newer = (_half(to) for name, to in stream.rubric_migrations.items() if _half(name) == said.rubric)
    return (said.rubric, *newer)


JOIN = Join(
    name="evidence",
    codes=CODES,
    kinds=frozenset((*ANNOTATIONS, *_ROLES, "assignment-v1")),
    payload_bytes=1 + 3 * _HALF,
    claim=claim,
    judge=judge,
    fact="evidence",
    texts=True,
    brings=True,
)
