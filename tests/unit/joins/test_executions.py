"""Calls that traces report against the trusted log."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from entries import entry_of_record
from joined import judged
from small_records import execution, step, talk, trace

from pipeline.sample.bundles import document
from transforms.joins.executions import CODES, JOIN, claim
from transforms.joins.join import Claim
from transforms.records import Finding, Json, Place, Severity
from transforms.terms import Action, StreamTerms

D1, D2 = document("d-1", "One."), document("d-2", "Two.")
ONE, TWO, THREE = step(1, "d-1"), step(2, "d-2"), step(3)
LOG = [execution(ONE, 0), execution(TWO, 1)]
ARGUMENTS = hashlib.sha256(b'{"query":"tides","top_k":3}').digest()
POLICIES = [(Action.REJECT, Severity.REJECT), (Action.HOLD, Severity.HOLD), (Action.ALLOW, Severity.WARN)]


def terms(kind: str, tolerance: int = 0, **policies: Action) -> dict[str, StreamTerms]:
    renamed = {code.replace("_", "-"): action for code, action in policies.items()}
    return {
        "traces": StreamTerms("traces", kind, {}, policies=renamed, latency_tolerance_ms=tolerance),
        "executions": StreamTerms("executions", "tool-execution-v1", {}),
    }


def judge(
    folder: Path,
    traces: Sequence[Json],
    log: Sequence[Json],
    kind: str = "agent-trace-v1",
    tolerance: int = 0,
    **policies: Action,
) -> list[tuple[int, Finding]]:
    """The findings as (line of the trace, finding): no row of the log gets any."""
    rows = judged(JOIN, {"traces": traces, "executions": log}, terms(kind, tolerance, **policies), folder)
    assert {stream for stream, _, _ in rows} <= {"traces"}
    return [(line, finding) for _, line, finding in rows]


def fault(code: str, message: str, log: int | None = None, severity: Severity = Severity.REJECT) -> Finding:
    places = (Place("executions", "a.jsonl", log),) if log else ()
    return Finding(code, message, related=places, severity=severity)


UNLOGGED = fault("unlogged-call", "call-2 is not in the log")
MISSING = fault("missing-call", "executed and not in the trace: call-2", 2)


def test_the_claims() -> None:
    key = hashlib.sha256(b"t-1").digest()
    parts = [
        hashlib.sha256(data).digest()[:8] for data in (b"call-2", b"retrieve_documents", b'{"query":"tides","top_k":3}')
    ]
    result = hashlib.sha256(b'{"document_ids":["d-2"],"success":true}').digest()[:8]
    latency, order, none = ((number).to_bytes(8, "little") for number in (40, 7, 0))
    call = b"".join((*parts, result, latency))
    assert list(claim(entry_of_record("tool-execution-v1", execution(TWO, 7)))) == [
        Claim(key, b"L" + call + order, b"call-2")
    ]
    reported = [Claim(key, b"T"), Claim(key, b"C" + call + none, b"call-2")]
    assert list(claim(entry_of_record("agent-trace-v1", trace(TWO)))) == reported
    assert list(claim(entry_of_record("agent-trace-v2", talk((TWO, [D2]))))) == reported
    assert JOIN.payload_bytes == 49


# agreement


def test_traces_that_agree_with_the_log(tmp_path: Path) -> None:
    assert judge(tmp_path, [trace(ONE, TWO)], LOG) == []
    assert judge(tmp_path, [talk((ONE, [D1]), (TWO, [D2]))], LOG, "agent-trace-v2") == []


@pytest.mark.parametrize(
    "row",
    [
        {"arguments": {"top_k": 3, "query": "tides"}},
        {"arguments": {"query": "tides", "top_k": 3.0}},
        {"result": {"success": True, "document_ids": ["d-2"]}},
        {"server_latency_ms": 40.0},
        {"order": 1.0},
        {"order": 2**53 - 1},
    ],
    ids=str,
)
def test_spelling_and_gaps_do_not_matter(row: Json, tmp_path: Path) -> None:
    assert judge(tmp_path, [trace(ONE, TWO)], [LOG[0], execution(TWO, 1) | row]) == []


def test_a_log_that_keeps_digests_of_arguments(tmp_path: Path) -> None:
    row = execution(ONE, arguments_sha256=ARGUMENTS.hex())
    del row["arguments"]
    assert judge(tmp_path, [trace(ONE)], [row]) == []
    row["arguments_sha256"] = "0" * 64
    found = fault("log-mismatch", "call-1: the log has another arguments", 1)
    assert judge(tmp_path, [trace(ONE)], [row]) == [(1, found)]


def test_the_log_of_other_tasks_does_not_count(tmp_path: Path) -> None:
    others = [row | {"task_id": "t-2"} for row in LOG]
    assert judge(tmp_path, [trace(ONE)], [LOG[0], *others]) == []
    found = fault("unlogged-call", "call-1 is not in the log")
    assert judge(tmp_path, [trace(ONE)], others) == [(1, found)]


def test_a_task_that_nobody_traced(tmp_path: Path) -> None:
    assert judge(tmp_path, [], LOG) == []


@pytest.mark.parametrize("kind", ["agent-trace-v1", "agent-trace-v2", "tool-execution-v1"])
def test_without_executions_nothing_is_asked(kind: str) -> None:
    others = frozenset(("tasks", "documents"))
    assert not JOIN.runs_for(StreamTerms("records", kind, {}, facts=others))
    assert JOIN.runs_for(StreamTerms("records", kind, {}, facts=frozenset(("executions",))))


def test_kinds_without_calls_take_no_part() -> None:
    for kind in ("pairwise-v2", "grounded-qa-v1", "math-derivation-v1", "input-task-v1", "document-v1"):
        assert not JOIN.runs_for(StreamTerms("records", kind, {}, facts=frozenset(("executions",))))


# calls on one side only


def test_a_call_that_is_not_logged(tmp_path: Path) -> None:
    assert judge(tmp_path, [trace(ONE, TWO)], LOG[:1]) == [(1, UNLOGGED)]


def test_an_empty_log_is_not_an_absent_one(tmp_path: Path) -> None:
    found = [fault("unlogged-call", f"call-{number} is not in the log") for number in (1, 2)]
    assert judge(tmp_path, [trace(ONE, TWO)], []) == [(1, each) for each in found]


def left_out(message: str, *rows: int) -> Finding:
    return Finding("missing-call", message, related=tuple(Place("executions", "a.jsonl", row) for row in rows))


def test_calls_that_the_trace_leaves_out(tmp_path: Path) -> None:
    assert judge(tmp_path, [trace(ONE)], LOG) == [(1, MISSING)]
    both = left_out("executed and not in the trace: call-2, call-3", 2, 3)
    assert judge(tmp_path, [trace(ONE)], [*LOG, execution(THREE, 2)]) == [(1, both)]


def test_many_calls_left_out_are_one_finding(tmp_path: Path) -> None:
    log = [execution(ONE, number, call_id=f"call-{number}") for number in range(1, 41)]
    ((line, found),) = judge(tmp_path, [trace(ONE)], log)
    assert (line, found.code, len(found.related)) == (1, "missing-call", 16)
    message = "executed and not in the trace: call-2, call-3, call-4 and 36 more (the first 16 of 39 are named)"
    assert found.message == message


def test_a_conversation_without_calls(tmp_path: Path) -> None:
    found = left_out("executed and not in the trace: call-1, call-2", 1, 2)
    assert judge(tmp_path, [talk()], LOG, "agent-trace-v2") == [(1, found)]


def test_another_id_is_another_call(tmp_path: Path) -> None:
    """call-01 and call-1 have one number and are two ids."""
    renamed = execution(ONE, call_id="call-01")
    assert judge(tmp_path, [trace(ONE)], [renamed]) == [
        (1, fault("missing-call", "executed and not in the trace: call-01", 1)),
        (1, fault("unlogged-call", "call-1 is not in the log")),
    ]


# calls that differ


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        ({"tool": "search"}, "tool"),
        ({"arguments": {"query": "tides", "top_k": 4}}, "arguments"),
        ({"arguments": {"query": "tides ", "top_k": 3}}, "arguments"),
        ({"arguments": {}}, "arguments"),
        ({"result": {"success": False, "document_ids": ["d-1", "d-2"]}}, "result"),
        ({"result": {"success": True, "document_ids": ["d-1"]}}, "result"),
        ({"result": {"success": True, "document_ids": ["d-2", "d-1"]}}, "result"),
        ({"tool": "search", "arguments": {}}, "tool and arguments"),
        (
            {"tool": "search", "arguments": {}, "result": {"success": False, "document_ids": []}},
            "tool and arguments and result",
        ),
    ],
    ids=str,
)
def test_what_differs(row: Json, parts: str, tmp_path: Path) -> None:
    call = step(1, "d-1", "d-2")
    found = fault("log-mismatch", f"call-1: the log has another {parts}", 1)
    log = [execution(call) | row]
    assert judge(tmp_path, [trace(call)], log) == [(1, found)]
    assert judge(tmp_path, [talk((call, [D1, D2]))], log, "agent-trace-v2") == [(1, found)]


def test_a_call_that_is_logged_twice_must_agree_with_both_rows(tmp_path: Path) -> None:
    """Whoever appends to the log cannot make a trace right."""
    retried = execution(ONE, result={"success": False, "document_ids": []})
    for line, log in ((1, [retried, execution(ONE)]), (2, [execution(ONE), retried])):
        found = fault("log-mismatch", "call-1: the log has another result", line)
        assert judge(tmp_path, [trace(ONE)], log) == [(1, found)]


# order


def test_calls_in_another_order_than_the_log_has(tmp_path: Path) -> None:
    message = "call-2: the log has it before the call that it follows here"
    log = [execution(ONE, 5), execution(TWO, 4)]
    assert judge(tmp_path, [trace(ONE, TWO)], log) == [(1, fault("call-order", message, 2))]


def test_two_calls_cannot_have_one_place(tmp_path: Path) -> None:
    message = "call-2: the log has it before the call that it follows here"
    log = [execution(ONE, 4), execution(TWO, 4)]
    assert judge(tmp_path, [trace(ONE, TWO)], log) == [(1, fault("call-order", message, 2))]


def test_the_order_is_that_of_all_calls_before(tmp_path: Path) -> None:
    """Each call that stands before an earlier one is named, and calls without a row are passed over."""
    calls = [step(number) for number in range(1, 6)]
    orders = {1: 7, 2: 3, 4: 5, 5: 8}
    log = [execution(calls[number - 1], order) for number, order in orders.items()]
    message = "{}: the log has it before the call that it follows here"
    assert judge(tmp_path, [trace(*calls)], log) == [
        (1, fault("call-order", message.format("call-2"), 2)),
        (1, fault("call-order", message.format("call-4"), 3)),
        (1, fault("unlogged-call", "call-3 is not in the log")),
    ]


def test_rows_of_the_log_may_stand_in_any_order(tmp_path: Path) -> None:
    assert judge(tmp_path, [trace(ONE, TWO)], LOG[::-1]) == []


# latency


@pytest.mark.parametrize(
    ("reported", "observed", "tolerance", "warned"),
    [
        (40, 40, 0, False),
        (40, 41, 0, True),
        (41, 40, 0, True),
        (40, 540, 500, False),
        (540, 40, 500, False),
        (40, 541, 500, True),
        (541, 40, 500, True),
        (0, 3_600_000, 3_600_000, False),
    ],
)
def test_latencies(reported: int, observed: int, tolerance: int, warned: bool, tmp_path: Path) -> None:
    call = step(1, latency_ms=reported)
    message = f"call-1: {reported} ms reported, {observed} ms observed"
    expected = [(1, fault("latency-mismatch", message, 1, Severity.WARN))] if warned else []
    log = [execution(call, server_latency_ms=observed)]
    assert judge(tmp_path, [trace(call)], log, tolerance=tolerance) == expected
    assert judge(tmp_path, [talk((call, []))], log, "agent-trace-v2", tolerance) == expected


def test_the_tolerance_is_the_stream_s(tmp_path: Path) -> None:
    log = [execution(ONE, server_latency_ms=50)]
    streams = {
        name: StreamTerms(name, "agent-trace-v1", {}, latency_tolerance_ms=tolerance)
        for name, tolerance in (("exact", 0), ("loose", 10))
    } | {"executions": terms("agent-trace-v1")["executions"]}
    rows = judged(JOIN, {"exact": [trace(ONE)], "loose": [trace(ONE)], "executions": log}, streams, tmp_path)
    assert [(stream, finding.code) for stream, _, finding in rows] == [("exact", "latency-mismatch")]


def test_all_that_is_wrong_with_a_call_is_told(tmp_path: Path) -> None:
    log = [execution(ONE, 3), execution(TWO, 2, tool="search", server_latency_ms=900)]
    assert judge(tmp_path, [trace(ONE, TWO)], log) == [
        (1, fault("call-order", "call-2: the log has it before the call that it follows here", 2)),
        (1, fault("latency-mismatch", "call-2: 40 ms reported, 900 ms observed", 2, Severity.WARN)),
        (1, fault("log-mismatch", "call-2: the log has another tool", 2)),
    ]


# several traces of one task


def test_two_traces_of_one_task(tmp_path: Path) -> None:
    """The log does not say which trace a call belongs to: each is held against all of it."""
    other = step(2, "d-1")
    traces = [trace(ONE, TWO), trace(ONE), trace(ONE, other), trace(ONE, TWO, THREE)]
    assert judge(tmp_path, traces, LOG) == [
        (2, MISSING),
        (3, fault("log-mismatch", "call-2: the log has another result", 2)),
        (4, fault("unlogged-call", "call-3 is not in the log")),
    ]


def test_traces_of_both_versions_meet_one_log(tmp_path: Path) -> None:
    streams = {
        "one": StreamTerms("one", "agent-trace-v1", {}),
        "two": StreamTerms("two", "agent-trace-v2", {}),
        "executions": terms("agent-trace-v1")["executions"],
    }
    rows = judged(JOIN, {"one": [trace(ONE)], "two": [talk((ONE, [D1]))], "executions": LOG}, streams, tmp_path)
    assert rows == [("one", 1, MISSING), ("two", 1, MISSING)]


def test_traces_of_different_tasks(tmp_path: Path) -> None:
    traces = [trace(ONE, TWO), trace(ONE, task_id="t-2"), trace(ONE, task_id="t-3")]
    log = [*LOG, execution(ONE, task_id="t-2")]
    found = fault("unlogged-call", "call-1 is not in the log")
    assert judge(tmp_path, traces, log) == [(3, found)]


# policies


CASES: dict[str, tuple[Json, list[Json]]] = {
    "unlogged-call": (trace(ONE, TWO), LOG[:1]),
    "log-mismatch": (trace(ONE), [execution(ONE, tool="search")]),
    "missing-call": (trace(ONE), LOG),
    "latency-mismatch": (trace(ONE), [execution(ONE, server_latency_ms=41)]),
    "call-order": (trace(ONE, TWO), [execution(ONE, 1), execution(TWO, 0)]),
}


def test_every_code_has_a_policy_here() -> None:
    assert CASES.keys() == {code.code for code in CODES}


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize(("action", "severity"), POLICIES)
def test_policies(code: str, action: Action, severity: Severity, tmp_path: Path) -> None:
    value, log = CASES[code]
    ((_, found),) = judge(tmp_path, [value], log, **{code.replace("-", "_"): action})
    assert (found.code, found.severity) == (code, severity)
    ((_, default),) = judge(tmp_path, [value], log)
    assert default.severity is (Severity.WARN if code == "latency-mismatch" else Severity.REJECT)
