"""Annotations against the tasks as issued, and against who handed them in."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from entries import entry_of_record
from joined import judged
from small_records import assignment, derivation, issued, pair, qa, step, talk, task, trace

from transforms.joins.issue import CODES, JOIN, claim
from transforms.joins.join import Claim
from transforms.records import Finding, Json, Place, Severity
from transforms.terms import Action, StreamTerms

ANNOTATIONS: dict[str, Json] = {
    "pairwise-v2": pair(),
    "agent-trace-v1": trace(step()),
    "agent-trace-v2": talk((step(), [])),
    "grounded-qa-v1": qa(),
    "math-derivation-v1": derivation(),
}
OTHERWISE: dict[str, list[Json]] = {
    "pairwise-v2": [{"messages": [{"role": "user", "content": "how?"}]}, {"response_a": "Left"}, {"response_b": "x"}],
    "agent-trace-v1": [{"prompt": "how?"}],
    "agent-trace-v2": [{"prompt": "how?"}],
    "grounded-qa-v1": [{"question": "how?"}],
    "math-derivation-v1": [{"problem": "how?"}],
}
KINDS = pytest.mark.parametrize("kind", ANNOTATIONS)
UNKNOWN = ("unknown-task", "no task of this id was issued")
MISMATCH = ("task-mismatch", "its content is not what the task issued")
VERSION = (
    "version-not-assigned",
    "its schema and rubric versions are not those that the task was issued under",
)
STRANGER = ("unauthorized-contributor", "whoever handed it in is none of the task's contributors")
POLICIES = [(Action.REJECT, Severity.REJECT), (Action.HOLD, Severity.HOLD), (Action.ALLOW, Severity.WARN)]


def terms(kind: str, **policies: Action) -> dict[str, StreamTerms]:
    renamed = {code.replace("_", "-"): action for code, action in policies.items()}
    return {
        "annotations": StreamTerms("annotations", kind, {}, policies=renamed),
        "tasks": StreamTerms("tasks", "input-task-v1", {}),
        "assignments": StreamTerms("assignments", "assignment-v1", {}),
    }


def place(line: int) -> Place:
    return Place("tasks", "a.jsonl", line)


def fault(of: tuple[str, str], *tasks: int, severity: Severity = Severity.REJECT) -> Finding:
    code, message = of
    return Finding(code, message, related=tuple(map(place, tasks)), severity=severity)


def judge(
    folder: Path,
    kind: str,
    annotations: Sequence[Json],
    tasks: Sequence[Json],
    assignments: Sequence[Json] = (),
    **policies: Action,
) -> list[tuple[int, Finding]]:
    """The findings as (line of the annotation, finding): no fact gets any."""
    streams = {"annotations": annotations, "tasks": tasks, "assignments": assignments}
    rows = judged(JOIN, streams, terms(kind, **policies), folder)
    assert {stream for stream, _, _ in rows} <= {"annotations"}
    return [(line, finding) for _, line, finding in rows]


def digest_of(kind: str, value: Json) -> str:
    return entry_of_record(kind, value).archival.hex()


# the claims


def _half(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()[:8]


def test_what_an_annotation_claims() -> None:
    record = entry_of_record("grounded-qa-v1", qa())
    content, terms = _half(b"grounded_qa\0why?"), _half(b"grounded-qa-v1\0")
    key = hashlib.sha256(b"t-1").digest()
    assert list(claim(record)) == [
        Claim(
            key,
            b"R" + content + terms + record.archival[:8] + (len("why?") + len(qa()["answer"])).to_bytes(4, "little"),
        )
    ]


def test_what_facts_claim() -> None:
    key = hashlib.sha256(b"t-1").digest()
    value = issued("pairwise-v2", pair(), contributors=["u-1", "ü"])
    subject = entry_of_record("input-task-v1", value).subject
    assert subject is not None
    assert list(claim(entry_of_record("input-task-v1", value))) == [
        Claim(key, b"T" + subject.content[:8] + _half(b"pairwise-v2\0code-review-v1") + bytes(8) + b"\xff" * 4),
        Claim(key, b"C" + _half(b"u-1")),
        Claim(key, b"C" + _half("ü".encode())),
    ]
    handed_in = entry_of_record("assignment-v1", assignment("u-1", "0a" * 32))
    assert list(claim(handed_in)) == [Claim(key, b"H" + _half(b"u-1") + b"\x0a" * 8)]
    assert JOIN.payload_bytes == 29


def test_a_task_s_own_size_bound(tmp_path: Path) -> None:
    value = qa()
    size = len(value["question"]) + len(value["answer"])
    fits, small = (issued("grounded-qa-v1", value, max_conversation_characters=bound) for bound in (size, size - 1))
    assert judge(tmp_path, "grounded-qa-v1", [value], [fits]) == []
    message = f"{size} characters, the task allows {size - 1}"
    assert judge(tmp_path, "grounded-qa-v1", [value], [small]) == [(1, fault(("conversation-too-large", message), 1))]


# tasks


@KINDS
def test_an_annotation_of_its_task(kind: str, tmp_path: Path) -> None:
    value = ANNOTATIONS[kind]
    assert judge(tmp_path, kind, [value], [issued(kind, value)]) == []


@KINDS
def test_a_task_that_was_never_issued(kind: str, tmp_path: Path) -> None:
    value = ANNOTATIONS[kind]
    other = issued(kind, value, task_id="t-2")
    assert judge(tmp_path, kind, [value], [other]) == [(1, fault(UNKNOWN))]
    assert judge(tmp_path, kind, [value], []) == [(1, fault(UNKNOWN))]


@KINDS
def test_without_tasks_nothing_is_asked(kind: str) -> None:
    """That the campaign goes without tasks is another thing than a task that is missing."""
    for facts, runs in ((frozenset[str](), False), (frozenset(("documents",)), False), (frozenset(("tasks",)), True)):
        assert JOIN.runs_for(StreamTerms("annotations", kind, {}, facts=facts)) is runs


def test_documents_and_executions_take_no_part() -> None:
    for kind in ("document-v1", "tool-execution-v1"):
        assert not JOIN.runs_for(StreamTerms("facts", kind, {}, facts=frozenset(("tasks",))))


CHANGES = [(kind, change) for kind, changes in OTHERWISE.items() for change in changes]


@pytest.mark.parametrize(("kind", "change"), CHANGES, ids=str)
def test_other_content_than_was_issued(kind: str, change: Json, tmp_path: Path) -> None:
    value = ANNOTATIONS[kind]
    assert judge(tmp_path, kind, [value], [issued(kind, value, **change)]) == [(1, fault(MISMATCH, 1))]


def test_a_task_of_another_kind_shows_something_else(tmp_path: Path) -> None:
    """The text is the same, what was asked for is not."""
    asked = issued("math-derivation-v1", derivation(), annotation_schema_version="grounded-qa-v1")
    assert judge(tmp_path, "grounded-qa-v1", [qa()], [asked]) == [(1, fault(MISMATCH, 1))]


def test_seats_swapped_after_issue(tmp_path: Path) -> None:
    swapped = pair(response_a="right", response_b="left")
    assert judge(tmp_path, "pairwise-v2", [swapped], [issued("pairwise-v2", pair())]) == [(1, fault(MISMATCH, 1))]


@pytest.mark.parametrize(
    ("kind", "terms"),
    [
        ("pairwise-v2", {"annotation_schema_version": "pairwise-v1"}),
        ("pairwise-v2", {"rubric_version": "code-review-v0"}),
        ("pairwise-v2", {"rubric_version": None}),
        ("agent-trace-v1", {"annotation_schema_version": "agent-trace-v2"}),
        ("agent-trace-v1", {"rubric_version": "code-review-v1"}),
        ("agent-trace-v2", {"annotation_schema_version": "agent-trace-v1"}),
        ("grounded-qa-v1", {"annotation_schema_version": "grounded-qa-v2"}),
        ("math-derivation-v1", {"rubric_version": "code-review-v1"}),
    ],
    ids=str,
)
def test_versions_that_were_not_assigned(kind: str, terms: dict[str, Any], tmp_path: Path) -> None:
    value = ANNOTATIONS[kind]
    assert judge(tmp_path, kind, [value], [issued(kind, value, **terms)]) == [(1, fault(VERSION, 1))]


def test_other_content_hides_other_versions(tmp_path: Path) -> None:
    task = issued("grounded-qa-v1", qa(), question="how?", rubric_version="r-1")
    assert judge(tmp_path, "grounded-qa-v1", [qa()], [task]) == [(1, fault(MISMATCH, 1))]


def test_a_task_id_that_was_issued_twice(tmp_path: Path) -> None:
    """Which of the two is right is for task-conflict to ask; each is held against its own terms."""
    other = qa(question="how?")
    tasks = [issued("grounded-qa-v1", qa()), issued("grounded-qa-v1", other, rubric_version="r-1")]
    third = qa(question="when?")
    assert judge(tmp_path, "grounded-qa-v1", [qa(), other, third], tasks) == [
        (2, fault(VERSION, 1, 2)),
        (3, fault(MISMATCH, 1, 2)),
    ]


def test_the_tasks_named_are_bounded(tmp_path: Path) -> None:
    tasks = [issued("grounded-qa-v1", qa(), question=f"{number}?") for number in range(17)]
    ((line, found),) = judge(tmp_path, "grounded-qa-v1", [qa()], tasks)
    assert (line, found.code, found.related) == (1, "task-mismatch", tuple(map(place, range(1, 17))))
    assert found.message == "its content is not what the task issued (the first 16 of 17 are named)"


# who handed it in


def handed_in(folder: Path, contributors: list[str], assignments: list[Json]) -> list[tuple[int, Finding]]:
    task = issued("grounded-qa-v1", qa(), contributors=contributors)
    return judge(folder, "grounded-qa-v1", [qa()], [task], assignments)


def test_a_contributor_of_the_task(tmp_path: Path) -> None:
    own = digest_of("grounded-qa-v1", qa())
    assert handed_in(tmp_path, ["u-1", "u-2"], [assignment("u-2", own)]) == []


@pytest.mark.parametrize("spelled", ["U-2", "u-2 ", "\uff55-\u200b2"])
def test_a_contributor_in_another_spelling(spelled: str, tmp_path: Path) -> None:
    own = digest_of("grounded-qa-v1", qa())
    assert handed_in(tmp_path, ["u-1", "u-2"], [assignment(spelled, own)]) == []
    assert handed_in(tmp_path, ["u-1", spelled], [assignment("u-2", own)]) == []


def test_somebody_else(tmp_path: Path) -> None:
    own = digest_of("grounded-qa-v1", qa())
    assert handed_in(tmp_path, ["u-1", "u-2"], [assignment("u-3", own)]) == [(1, fault(STRANGER, 1))]


def test_a_task_that_names_nobody_is_anybody_s(tmp_path: Path) -> None:
    assert handed_in(tmp_path, [], [assignment("u-3", digest_of("grounded-qa-v1", qa()))]) == []


def test_without_an_assignment_nobody_is_asked(tmp_path: Path) -> None:
    other_record = assignment("u-3", "0a" * 32)
    other_task = assignment("u-3", digest_of("grounded-qa-v1", qa()), task_id="t-2")
    assert handed_in(tmp_path, ["u-1"], [other_record, other_task]) == []


@pytest.mark.parametrize("contributors", [("u-1", "u-3"), ("u-3", "u-1")])
def test_one_record_handed_in_twice(contributors: tuple[str, str], tmp_path: Path) -> None:
    own = digest_of("grounded-qa-v1", qa())
    assignments = [assignment(contributor, own) for contributor in contributors]
    assert handed_in(tmp_path, ["u-1"], assignments) == [(1, fault(STRANGER, 1))]


def test_each_annotation_has_its_own_assignment(tmp_path: Path) -> None:
    values = [qa(answer=f"Answer {number}.") for number in range(3)]
    digests = [digest_of("grounded-qa-v1", value) for value in values]
    assignments = [assignment("u-9", digests[1]), assignment("u-1", digests[0])]
    task = issued("grounded-qa-v1", qa(), contributors=["u-1"])
    assert judge(tmp_path, "grounded-qa-v1", values, [task], assignments) == [(2, fault(STRANGER, 1))]


def test_contributors_of_all_tasks_of_the_id_count(tmp_path: Path) -> None:
    tasks = [issued("grounded-qa-v1", qa(), contributors=[contributor]) for contributor in ("u-1", "u-2")]
    own = digest_of("grounded-qa-v1", qa())
    assert judge(tmp_path, "grounded-qa-v1", [qa()], tasks, [assignment("u-2", own)]) == []


def test_a_stranger_and_other_content_are_both_told(tmp_path: Path) -> None:
    task = issued("grounded-qa-v1", qa(), question="how?", contributors=["u-1"])
    assignments = [assignment("u-9", digest_of("grounded-qa-v1", qa()))]
    assert judge(tmp_path, "grounded-qa-v1", [qa()], [task], assignments) == [
        (1, fault(MISMATCH, 1)),
        (1, fault(STRANGER, 1)),
    ]


def test_a_stranger_to_no_task_is_not_asked(tmp_path: Path) -> None:
    assignments = [assignment("u-9", digest_of("grounded-qa-v1", qa()))]
    assert judge(tmp_path, "grounded-qa-v1", [qa()], [], assignments) == [(1, fault(UNKNOWN))]


# policies


def faulty(code: str) -> tuple[list[Json], list[Json], list[Json], Finding]:
    """Annotations, tasks and assignments that give one finding of the code."""
    own = digest_of("grounded-qa-v1", qa())
    shown = {"question": "why?", "contributors": ["u-1"]}
    table: dict[str, tuple[dict[str, Any] | None, tuple[str, str]]] = {
        "unknown-task": (None, UNKNOWN),
        "task-mismatch": ({"question": "how?"}, MISMATCH),
        "version-not-assigned": ({"rubric_version": "r-1"}, VERSION),
        "unauthorized-contributor": ({"contributors": ["u-2"]}, STRANGER),
    }
    changes, said = table[code]
    if changes is None:
        return [qa()], [], [], fault(said)
    value = task("t-1", "grounded_qa", "grounded-qa-v1", **(shown | changes))
    return [qa()], [value], [assignment("u-1", own)], fault(said, 1)


@pytest.mark.parametrize("code", [code.code for code in CODES])
@pytest.mark.parametrize(("action", "severity"), POLICIES)
def test_policies(code: str, action: Action, severity: Severity, tmp_path: Path) -> None:
    annotations, tasks, assignments, found = faulty(code)
    policies = {code.replace("-", "_"): action}
    rows = judge(tmp_path, "grounded-qa-v1", annotations, tasks, assignments, **policies)
    assert rows == [(1, Finding(code, found.message, related=found.related, severity=severity))]


def test_each_stream_has_its_own_policy(tmp_path: Path) -> None:
    two = {
        "lenient": StreamTerms("lenient", "grounded-qa-v1", {}, policies={"unknown-task": Action.ALLOW}),
        "strict": StreamTerms("strict", "math-derivation-v1", {}),
    }
    assert judged(JOIN, {"lenient": [qa()], "strict": [derivation()]}, two, tmp_path) == [
        ("lenient", 1, fault(UNKNOWN, severity=Severity.WARN)),
        ("strict", 1, fault(UNKNOWN)),
    ]
