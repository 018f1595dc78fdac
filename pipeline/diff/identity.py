"""What identifies a record of each kind beyond its bytes, so that one which was edited is found again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from transforms.baselines.identity import identity
from transforms.digests import canonical_json, digest
from transforms.kinds import ANNOTATIONS, KINDS
from transforms.people import person
from transforms.records import Json

# The members that identify a fact or a piece of evidence.
_MEMBERS = {
    "assignment-v1": ("task_id", "record_sha256", "contributor"),
    "review-v1": ("task_id", "record_sha256", "reviewer"),
    "adjudication-v1": ("task_id", "record_sha256", "adjudicator", "subject"),
    "code-execution-v1": ("task_id", "record_sha256", "executor", "test_suite"),
    "safety-annotation-v1": ("task_id", "record_sha256", "annotator"),
    "tool-execution-v1": ("task_id", "call_id"),
}
_PEOPLE = frozenset(("contributor", "reviewer", "adjudicator", "annotator"))


def identity_of(kind: str, value: Json, plain: bool) -> bytes | None:
    """The identity of a record, 32 bytes; None for a kind without one, and where the record does not state it.

    Of an annotation: task and what it showed, for a comparison with its candidates in either order. Of a task: its
    id. Of a baseline: its identity tuple. Of a document: id and version. Of evidence: the record it is about and who
    says it. Of a logged call: task and call. `plain` as in `canonical_json`.
    """
    # The record may be one that was refused, of any form.
    with suppress(LookupError, TypeError, AttributeError, ValueError):
        return _IDENTITIES[kind](kind, value, plain)
    return None


def _annotation(kind: str, value: Json, plain: bool) -> bytes | None:
    subject_of = KINDS[kind].subject
    if subject_of is None:
        return None
    subject = subject_of(value, plain)
    return digest(subject.task, subject.pair or subject.content)


def _task(kind: str, value: Json, plain: bool) -> bytes | None:
    subject_of = KINDS[kind].subject
    return None if subject_of is None else digest(subject_of(value, plain).task)


def _baseline(_kind: str, value: Json, _plain: bool) -> bytes:
    return identity(value).digest()


def _document(_kind: str, value: Json, _plain: bool) -> bytes:
    return digest(canonical_json([value["document_id"], value.get("version")]))


def _stated(kind: str, value: Json, _plain: bool) -> bytes:
    members = (person(value[name]) if name in _PEOPLE else value[name] for name in _MEMBERS[kind])
    return digest(canonical_json(list(members)))


_IDENTITIES: dict[str, Callable[[str, Json, bool], bytes | None]] = {
    **dict.fromkeys(ANNOTATIONS, _annotation),
    **dict.fromkeys(_MEMBERS, _stated),
    "input-task-v1": _task,
    "mavai-baseline-1": _baseline,
    "document-v1": _document,
}
