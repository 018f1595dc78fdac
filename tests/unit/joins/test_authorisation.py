"""Documents that records cite or return against those their task authorises."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from entries import entry_of_record
from joined import judged
from small_records import TOOL, citation, issued, pair, qa, step, talk, trace

from pipeline.sample.bundles import document
from transforms.joins.authorisation import JOIN, claim
from transforms.joins.join import Claim
from transforms.records import Finding, Json, Place, Severity
from transforms.terms import Action, StreamTerms

CODE, MESSAGE = "unauthorized-document", "the task does not authorise this document"
D1, D2, D3 = (document(f"d-{number}", f"Text {number}.") for number in (1, 2, 3))
ANSWER = qa(citation(D1, 0, 4, "Text"), citation(D2, 0, 4, "Text"), citation(D1, 0, 6, "Text 1"))
TRACE = trace(step(1, "d-3", "d-1"), step(2), step(3, "d-2"))
TALK = talk((step(1), [D2, D1]), (step(2), []), (step(3), [D3]))


def terms(kind: str, **policies: Action) -> dict[str, StreamTerms]:
    renamed = {code.replace("_", "-"): action for code, action in policies.items()}
    streams = {"records": StreamTerms("records", kind, {}, policies=renamed)}
    return streams | {"tasks": StreamTerms("tasks", "input-task-v1", {})}


def fault(pointer: str, *tasks: int, severity: Severity = Severity.REJECT) -> Finding:
    places = tuple(Place("tasks", "a.jsonl", line) for line in tasks)
    return Finding(CODE, MESSAGE, pointer, related=places, severity=severity)


def judge(
    folder: Path, kind: str, records: Sequence[Json], tasks: Sequence[Json], **policies: Action
) -> list[tuple[int, Finding]]:
    rows = judged(JOIN, {"records": records, "tasks": tasks}, terms(kind, **policies), folder)
    assert {stream for stream, _, _ in rows} <= {"records"}
    return [(line, finding) for _, line, finding in rows]


def test_the_claims() -> None:
    key = hashlib.sha256(b"t-1").digest()
    first, second = (hashlib.sha256(name.encode()).digest()[:8] for name in ("d-1", "ü"))
    tool = hashlib.sha256(TOOL.encode()).digest()[:8]
    task = issued("grounded-qa-v1", qa(), documents=["d-1", "ü"], tools=[TOOL])
    assert list(claim(entry_of_record("input-task-v1", task))) == [
        Claim(key, b"T"),
        Claim(key, b"D" + first),
        Claim(key, b"D" + second),
        Claim(key, b"C" + tool),
    ]
    value = trace(step(1, "d-1"), step(2, "ü"))
    assert list(claim(entry_of_record("agent-trace-v1", value))) == [
        Claim(key, b"d" + first, b"/steps/0/result/document_ids/0"),
        Claim(key, b"d" + second, b"/steps/1/result/document_ids/0"),
        Claim(key, b"c" + tool, b"/steps/0/tool"),
        Claim(key, b"c" + tool, b"/steps/1/tool"),
    ]
    assert JOIN.payload_bytes == 9


@pytest.mark.parametrize(
    ("kind", "value", "pointers"),
    [
        ("agent-trace-v1", trace(step(1), step(2)), ["/steps/0/tool", "/steps/1/tool"]),
        ("agent-trace-v2", talk((step(1), [])), ["/events/1/tool"]),
    ],
)
def test_tools_that_the_task_does_not_authorise(kind: str, value: Json, pointers: list[str], tmp_path: Path) -> None:
    tasks = [issued(kind, value, tools=["another_tool"])]
    message = "the task does not authorise this tool"
    place = Place("tasks", "a.jsonl", 1)
    assert judge(tmp_path, kind, [value], tasks) == [
        (1, Finding("undeclared-tool", message, pointer, related=(place,))) for pointer in pointers
    ]


@pytest.mark.parametrize(
    ("kind", "value"), [("grounded-qa-v1", ANSWER), ("agent-trace-v1", TRACE), ("agent-trace-v2", TALK)]
)
def test_authorised_documents(kind: str, value: Json, tmp_path: Path) -> None:
    task = issued(kind, value, documents=["d-0", "d-3", "d-2", "d-1"])
    assert judge(tmp_path, kind, [value], [task]) == []


@pytest.mark.parametrize(
    ("kind", "value", "authorised", "pointers"),
    [
        ("grounded-qa-v1", ANSWER, ["d-1"], ["/citations/1/document_id"]),
        ("grounded-qa-v1", ANSWER, ["d-2"], ["/citations/0/document_id", "/citations/2/document_id"]),
        ("agent-trace-v1", TRACE, ["d-1", "d-2"], ["/steps/0/result/document_ids/0"]),
        (
            "agent-trace-v1",
            TRACE,
            ["d-3"],
            ["/steps/0/result/document_ids/1", "/steps/2/result/document_ids/0"],
        ),
        ("agent-trace-v2", TALK, ["d-1", "d-2"], ["/events/6/evidence/0/document_id"]),
        ("agent-trace-v2", TALK, ["d-3", "d-1"], ["/events/2/evidence/0/document_id"]),
        ("grounded-qa-v1", ANSWER, ["D-1", "d-2 "], [f"/citations/{index}/document_id" for index in range(3)]),
    ],
)
def test_other_documents(kind: str, value: Json, authorised: list[str], pointers: list[str], tmp_path: Path) -> None:
    task = issued(kind, value, documents=authorised)
    assert judge(tmp_path, kind, [value], [task]) == [(1, fault(pointer, 1)) for pointer in pointers]


def test_a_task_without_documents_authorises_none(tmp_path: Path) -> None:
    value = qa(citation(D1, 0, 4, "Text"))
    task = issued("grounded-qa-v1", value)
    assert judge(tmp_path, "grounded-qa-v1", [value], [task]) == [(1, fault("/citations/0/document_id", 1))]


def test_a_record_without_documents(tmp_path: Path) -> None:
    assert judge(tmp_path, "grounded-qa-v1", [qa()], [issued("grounded-qa-v1", qa())]) == []


def test_a_task_that_was_never_issued_is_another_rule_s(tmp_path: Path) -> None:
    other = issued("grounded-qa-v1", ANSWER, task_id="t-2")
    assert judge(tmp_path, "grounded-qa-v1", [ANSWER], []) == []
    assert judge(tmp_path, "grounded-qa-v1", [ANSWER], [other]) == []


@pytest.mark.parametrize("kind", ["grounded-qa-v1", "agent-trace-v1", "agent-trace-v2", "input-task-v1"])
def test_without_tasks_nothing_is_asked(kind: str) -> None:
    with_documents = frozenset(("documents", "executions"))
    assert not JOIN.runs_for(StreamTerms("records", kind, {}, facts=with_documents))
    assert JOIN.runs_for(StreamTerms("records", kind, {}, facts=frozenset(("tasks",))))


def test_kinds_that_use_no_documents_take_no_part() -> None:
    for kind in ("pairwise-v2", "math-derivation-v1", "document-v1", "assignment-v1", "tool-execution-v1"):
        assert not JOIN.runs_for(StreamTerms("records", kind, {}, facts=frozenset(("tasks",))))


def test_documents_of_other_tasks_do_not_count(tmp_path: Path) -> None:
    value = qa(citation(D1, 0, 4, "Text"))
    tasks = [
        issued("grounded-qa-v1", value, documents=["d-2"]),
        issued("grounded-qa-v1", value, documents=["d-1"], task_id="t-2"),
        issued("pairwise-v2", pair(task_id="t-3"), documents=["d-1"]),
    ]
    assert judge(tmp_path, "grounded-qa-v1", [value], tasks) == [(1, fault("/citations/0/document_id", 1))]


def test_a_task_id_that_was_issued_twice_authorises_what_either_does(tmp_path: Path) -> None:
    tasks = [issued("grounded-qa-v1", ANSWER, documents=[name]) for name in ("d-1", "d-2")]
    third = qa(citation(D3, 0, 4, "Text"))
    rows = judge(tmp_path, "grounded-qa-v1", [ANSWER, third], tasks)
    assert rows == [(2, fault("/citations/0/document_id", 1, 2))]


def test_each_record_of_the_task_is_asked(tmp_path: Path) -> None:
    values = [trace(step(1, name)) for name in ("d-1", "d-2", "d-3")]
    task = issued("agent-trace-v1", TRACE, documents=["d-2"])
    pointer = "/steps/0/result/document_ids/0"
    assert judge(tmp_path, "agent-trace-v1", values, [task]) == [(1, fault(pointer, 1)), (3, fault(pointer, 1))]


def test_a_failed_call_is_asked_too(tmp_path: Path) -> None:
    value = trace(step(1, "d-1", result={"document_ids": ["d-1"], "success": False}))
    rows = judge(tmp_path, "agent-trace-v1", [value], [issued("agent-trace-v1", value)])
    assert rows == [(1, fault("/steps/0/result/document_ids/0", 1))]


@pytest.mark.parametrize(
    ("action", "severity"),
    [(Action.REJECT, Severity.REJECT), (Action.HOLD, Severity.HOLD), (Action.ALLOW, Severity.WARN)],
)
def test_policies(action: Action, severity: Severity, tmp_path: Path) -> None:
    value = qa(citation(D1, 0, 4, "Text"))
    rows = judge(tmp_path, "grounded-qa-v1", [value], [issued("grounded-qa-v1", value)], unauthorized_document=action)
    assert rows == [(1, fault("/citations/0/document_id", 1, severity=severity))]
