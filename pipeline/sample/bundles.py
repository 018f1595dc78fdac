"""Sound records of every kind with the facts that speak for them: what a portal, a retriever and a log would export."""

from __future__ import annotations

from random import Random
from typing import Any

from pipeline.sample.pairwise import Record, record
from pipeline.sample.text import answer, prompt
from transforms.digests import sha256_hex

Bundle = dict[str, list[Any]]


def task(task_id: str, kind: str, version: str, **members: Any) -> Record:
    """An input-task-v1 record."""
    return {
        "schema_version": "input-task-v1",
        "task_id": task_id,
        "kind": kind,
        "annotation_schema_version": version,
        "rubric_version": members.pop("rubric_version", None),
        "contributors": members.pop("contributors", []),
        "documents": members.pop("documents", []),
        "tools": members.pop("tools", []),
        "expected_answer": members.pop("expected_answer", None),
        "abstention_permitted": members.pop("abstention_permitted", False),
        **members,
    }


def pairwise_task(value: Record) -> Record:
    """The task that a pairwise record annotates, as issued."""
    shown = {key: value[key] for key in ("messages", "response_a", "response_b")}
    terms = {"rubric_version": value["rubric_version"], "contributors": ["u-1", "u-2"]}
    return task(value["task_id"], "pairwise", "pairwise-v2", **terms, **shown)


def pairwise(random: Random, number: int) -> Bundle:
    """A preference pair and its task."""
    value = record(random, number)
    return {"annotations": [value], "tasks": [pairwise_task(value)]}


def document(name: str, text: str) -> Record:
    """A document-v1 record."""
    return {"schema_version": "document-v1", "document_id": name, "text": text, "sha256": sha256_hex(text.encode())}


def citation(source: Record, start: int, quote: str) -> Record:
    """What a record says of `quote`, which stands in the document `source` from `start` on."""
    named = {"document_id": source["document_id"], "document_sha256": source["sha256"]}
    return named | {"start": start, "end": start + len(quote), "quote": quote}


def _document_of(random: Random, number: int) -> Record:
    return document(f"doc-{number:05d}", f"Timetable no. {number}.\r\n🌊 {answer(random, f'D-{number}', 3)}\r\nEnd.")


def grounded(random: Random, number: int) -> Bundle:
    """A question, an answer that quotes a document, the document, and the task."""
    source = _document_of(random, number)
    start = source["text"].index("\n") + 3
    value: Record = {
        "task_id": f"qa-{number:05d}",
        "domain": "general_rag",
        "question": prompt(random, f"Q-{number}"),
        "answer": f"As the timetable says. {answer(random, f'A-{number}', 1)}",
        "citations": [citation(source, start, source["text"][start : start + 24])],
        "abstain": False,
    }
    issued = task(
        value["task_id"],
        "grounded_qa",
        "grounded-qa-v1",
        question=value["question"],
        documents=[source["document_id"]],
        abstention_permitted=True,
    )
    return {"answers": [value], "documents": [source], "tasks": [issued]}


TOOL = "retrieve_documents"


def trace(random: Random, number: int) -> Bundle:
    """A trace of two calls, the log of both, the documents they returned, and the task."""
    sources = [_document_of(random, 50_000 + 2 * number + i) for i in (0, 1)]
    steps = []
    for index, source in enumerate(sources):
        result = {"document_ids": [source["document_id"]], "success": True}
        arguments = {"query": f"timetable {number} {index}", "top_k": 3}
        steps.append(
            {"call_id": f"call-{index + 1}", "tool": TOOL, "arguments": arguments, "result": result, "latency_ms": 40}
        )
    value: Record = {
        "task_id": f"trace-{number:05d}",
        "prompt": prompt(random, f"R-{number}"),
        "steps": steps,
        "final_answer": f"The times are in [{sources[0]['document_id']}].",
    }
    log = [_logged(value["task_id"], order, step) for order, step in enumerate(steps)]
    names = [source["document_id"] for source in sources]
    issued = task(
        value["task_id"], "agent_trace", "agent-trace-v1", prompt=value["prompt"], documents=names, tools=[TOOL]
    )
    return {"traces": [value], "executions": log, "documents": sources, "tasks": [issued]}


def _logged(task_id: str, order: int, step: Record) -> Record:
    return {
        "schema_version": "tool-execution-v1",
        "task_id": task_id,
        "call_id": step["call_id"],
        "tool": step["tool"],
        "arguments": step["arguments"],
        "result": dict(step["result"]),
        "server_latency_ms": step["latency_ms"] + 2,
        "order": order,
    }


def conversation(random: Random, number: int) -> Bundle:
    """A multi-turn trace with one call, its log row, the document it returned, and the task."""
    source = _document_of(random, 90_000 + number)
    evidence = [{"document_id": source["document_id"], "sha256": source["sha256"]}]
    asked, arguments = prompt(random, f"C-{number}"), {"query": f"timetable {number}", "top_k": 2}
    call = {"type": "call", "call_id": "call-1", "tool": TOOL, "schema_version": "1", "arguments": arguments}
    result = {"type": "result", "call_id": "call-1", "success": True, "evidence": evidence, "latency_ms": 55}
    value: Record = {
        "schema_version": "agent-trace-v2",
        "rubric_version": "code-review-v1",
        "task_id": f"talk-{number:05d}",
        "events": [
            {"type": "message", "role": "user", "content": asked},
            call,
            result,
            {"type": "message", "role": "assistant", "content": f"It is in [{source['document_id']}]."},
        ],
    }
    documents = {"document_ids": [source["document_id"]], "success": True}
    step = {"call_id": "call-1", "tool": TOOL, "arguments": arguments, "result": documents, "latency_ms": 55}
    issued = task(
        value["task_id"],
        "agent_trace",
        "agent-trace-v2",
        rubric_version="code-review-v1",
        prompt=asked,
        documents=[source["document_id"]],
        tools=[TOOL],
    )
    return {
        "conversations": [value],
        "executions": [_logged(value["task_id"], 0, step)],
        "documents": [source],
        "tasks": [issued],
    }


def numeric_expected(value: str, unit: str | None) -> Record:
    """An expected number, right within one per cent."""
    return {
        "type": "numeric",
        "value": value,
        "unit": unit,
        "absolute_tolerance": "0",
        "relative_tolerance": "0.01",
        "rounding": None,
    }


def symbolic_expected(expression: str) -> Record:
    """An expected expression in a positive x."""
    return {
        "type": "symbolic",
        "expression": expression,
        "variables": ["x"],
        "equivalence": "equal",
        "domain": {"x": "positive"},
    }


def derivation(random: Random, number: int) -> Bundle:
    """A derivation with a numeric answer, and its task."""
    metres = 2 + number % 97
    value: Record = {
        "task_id": f"math-{number:05d}",
        "problem": f"A cart covers {metres} metres in 4 seconds. {prompt(random, f'M-{number}')}",
        "assumptions": ["The speed is constant."],
        "derivation": [f"The distance is {metres} metres.", f"Divide {metres} by 4."],
        "final_answer": f"{metres / 4} m/s",
        "reasoning_score": 4,
    }
    issued = task(
        value["task_id"],
        "math_derivation",
        "math-derivation-v1",
        problem=value["problem"],
        expected_answer=numeric_expected(str(metres / 4), "m/s"),
    )
    return {"derivations": [value], "tasks": [issued]}
