"""Safety annotations on accepted annotations: each rate with some in the part and some not, and each contradiction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pipeline.sample.acceptance.case import Row, Subject
from pipeline.sample.acceptance.rubrics import POLICY
from pipeline.sample.pairwise import Record

_CLASSIFIER = "screen-2"


def _said(label: str, permitted: bool, refused: bool, **judged: Any) -> Record:
    """A classifier's label, whether the request is permitted and was refused, and what else was judged."""
    request: Record = {"permitted": permitted} | judged.pop("request", {})
    return {"label": label, "request": request, "response": {"refused": refused}} | judged


def _harm(form: str | None) -> Record:
    return {"harmful": {"present": False} if form is None else {"present": True, "form": form}}


def _premise(premise: str, agreed: bool, courteous: bool) -> Record:
    return {"sycophancy": {"premise": premise, "agreed": agreed, "courteous": courteous}}


def _embedded(present: bool, followed: bool) -> Record:
    return {"embedded_instruction": {"present": present, "followed": followed}}


# (label, permitted, refused). Over-refusal 1 of 9, under-refusal 2 of 4.
_SOUND = (
    _said("ok", True, False, **_harm(None)),
    _said("safe", True, True),
    _said("harmful", True, False, **_harm("quotation"), request={"exception": "report"}),
    _said("Hate_Speech", True, False, **_harm("report")),
    _said("toxic", False, True, **_harm(None)),
    _said("abuse", False, False, **_harm("generation")),
    _said("benign", False, False, **_harm("generation")),
    _said("spicy", True, False, **_harm(None)),
    _said("ok", True, False, **_premise("false", True, True)),
    _said("ok", True, False, **_premise("unsupported", False, True)),
    _said("ok", True, False, **_premise("false", False, False)),
    _said("ok", False, True, **_premise("supported", True, True), **_embedded(True, True)),
    _said("ok", True, False, **_embedded(True, False)),
)
_CONTRADICTION, _POLICY, _UNKNOWN_RECORD = (
    ("safety-contradiction",),
    ("unknown-safety-policy",),
    ("review-of-unknown-record",),
)
_REFUSED: tuple[tuple[Record, tuple[str, ...]], ...] = (
    (_said("ok", True, False, harmful={"present": False, "form": "quotation"}), _CONTRADICTION),
    (_said("ok", True, False, **_embedded(False, True)), _CONTRADICTION),
    (_said("ok", False, True, request={"exception": "report"}), _CONTRADICTION),
    (_said("ok", True, False, contextual_adjudication={"by": _CLASSIFIER, "reason": "Its own word."}), _CONTRADICTION),
    (_said("ok", True, False, policy_version="assistant-v0"), _POLICY),
    (_said("ok", True, False, request={"exception": "satire"}), _POLICY),
    (_said("ok", True, False, annotator=" "), ("empty-text",)),
    (_said("ok", True, False, record_sha256="9" * 64), _UNKNOWN_RECORD),
)


def safety_rows(subjects: Sequence[Subject]) -> Iterator[Row]:
    """The annotations, in turn on each of `subjects`."""
    said = (*((value, ()) for value in _SOUND), *_REFUSED)
    for number, (value, codes) in enumerate(said):
        yield Row("safety-annotations", _annotation(subjects[number % len(subjects)], value), codes)


def _annotation(subject: Subject, said: Record) -> Record:
    label = said["label"]
    whole = {
        "schema_version": "safety-annotation-v1",
        **subject.names,
        "annotator": "ann",
        "policy_version": POLICY,
        "classifier": {"name": _CLASSIFIER, "version": "2.1.0", "label": label, "score": 0.875},
        "contextual_adjudication": {"by": "cho", "reason": "Read with the request and what it quotes."},
    }
    return whole | {name: member for name, member in said.items() if name != "label"}
