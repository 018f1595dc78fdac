"""What identifies a record of each kind, and what does not."""

from __future__ import annotations

from typing import Any

import pytest
from baseline_records import baseline
from small_records import assignment, derivation, execution, issued, pair, qa, step, talk, trace

from pipeline.diff.identity import identity_of
from transforms.baselines.identity import identity
from transforms.kinds import KINDS
from transforms.records import Json

SHA256 = "0" * 64
EVIDENCE = {"task_id": "t-1", "record_sha256": SHA256}
REVIEW = EVIDENCE | {"reviewer": "ann", "vote": "accept"}
RECORDS: dict[str, Json] = {
    "pairwise-v2": pair(),
    "agent-trace-v1": trace(),
    "agent-trace-v2": talk(),
    "grounded-qa-v1": qa(),
    "math-derivation-v1": derivation(),
    "mavai-baseline-1": baseline(),
    "input-task-v1": issued("pairwise-v2", pair()),
    "assignment-v1": assignment("ann", SHA256),
    "review-v1": REVIEW,
    "adjudication-v1": EVIDENCE | {"adjudicator": "ann", "subject": "acceptance", "reason": "so"},
    "code-execution-v1": EVIDENCE | {"executor": {"name": "box"}, "test_suite": {"name": "suite"}, "timed_out": False},
    "safety-annotation-v1": EVIDENCE | {"annotator": "ann", "harmful": False},
    "document-v1": {"document_id": "d", "version": "1", "text": "tides"},
    "tool-execution-v1": execution(step()),
}
SAME: list[tuple[str, Json]] = [
    ("pairwise-v2", {"rationale": "Another.", "preference": "B", "response_a": "right", "response_b": "left"}),
    ("agent-trace-v1", {"final_answer": "Another."}),
    ("grounded-qa-v1", {"answer": "Another."}),
    ("math-derivation-v1", {"final_answer": "5"}),
    ("mavai-baseline-1", {"generatedAt": "2026-08-04T12:00:00+00:00"}),
    ("input-task-v1", {"response_a": "another"}),
    ("assignment-v1", {"contributor": " ANN"}),
    ("review-v1", {"vote": "reject"}),
    ("adjudication-v1", {"reason": "otherwise"}),
    ("code-execution-v1", {"timed_out": True}),
    ("safety-annotation-v1", {"harmful": True}),
    ("document-v1", {"text": "ebb"}),
    ("tool-execution-v1", {"server_latency_ms": 50}),
]
ANOTHER: list[tuple[str, Json]] = [
    ("pairwise-v2", {"task_id": "t-2"}),
    ("pairwise-v2", {"response_a": "another"}),
    ("agent-trace-v1", {"prompt": "how?"}),
    ("grounded-qa-v1", {"question": "how?"}),
    ("math-derivation-v1", {"problem": "how?"}),
    ("mavai-baseline-1", {"covariateProfile": {}}),
    ("input-task-v1", {"task_id": "t-2"}),
    ("assignment-v1", {"contributor": "ben"}),
    ("review-v1", {"reviewer": "ben"}),
    ("adjudication-v1", {"subject": "safety"}),
    ("code-execution-v1", {"test_suite": {"name": "other"}}),
    ("safety-annotation-v1", {"annotator": "ben"}),
    ("document-v1", {"version": "2"}),
    ("tool-execution-v1", {"call_id": "call-2"}),
]


def found(kind: str, **changes: Any) -> bytes | None:
    return identity_of(kind, RECORDS[kind] | changes, False)


def test_every_kind_has_one() -> None:
    assert RECORDS.keys() == KINDS.keys()
    identities = [found(kind) for kind in RECORDS]
    assert all(one is not None and len(one) == 32 for one in identities)


@pytest.mark.parametrize(("kind", "changes"), SAME)
def test_an_edit(kind: str, changes: Json) -> None:
    assert found(kind, **changes) == found(kind)


@pytest.mark.parametrize(("kind", "changes"), ANOTHER)
def test_another_record(kind: str, changes: Json) -> None:
    assert found(kind, **changes) not in (found(kind), None)


def test_a_baseline_has_that_of_its_column() -> None:
    assert found("mavai-baseline-1") == identity(baseline()).digest()


@pytest.mark.parametrize("kind", [*RECORDS, "pairwise-v9"])
@pytest.mark.parametrize("value", [{}, {"task_id": 3}, {"task_id": None, "covariateProfile": [], "events": 1}])
def test_a_record_that_does_not_state_it(kind: str, value: Json) -> None:
    assert identity_of(kind, value, False) is None
