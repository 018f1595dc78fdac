"""Random campaigns of few tasks, documents and people, whose records say of each other what may not be true."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import rfc8785
from small_records import TOOL, assignment, citation, execution, issued, qa, step, talk, trace

from pipeline.sample.bundles import document
from transforms.joins import authorisation, documents, executions, issue
from transforms.records import Json
from transforms.terms import Action, OffsetUnit, StreamTerms

JOINS = (issue.JOIN, authorisation.JOIN, documents.JOIN, executions.JOIN)
CODES = tuple(dict.fromkeys(code for join in JOINS for code in join.codes))
POLICIES = (Action.REJECT, Action.HOLD, Action.ALLOW)
STREAMS = {
    "a-traces": "agent-trace-v1",
    "assignments": "assignment-v1",
    "conversations": "agent-trace-v2",
    "documents": "document-v1",
    "executions": "tool-execution-v1",
    "more": "grounded-qa-v1",
    "qa": "grounded-qa-v1",
    "tasks": "input-task-v1",
}
ANNOTATIONS = ("grounded-qa-v1", "agent-trace-v1", "agent-trace-v2")
TASKS, DOCUMENTS, PEOPLE, TEXTS = ("t-1", "t-2"), ("d-1", "d-2"), ("u-1", "u-2", "u-3"), ("ab😀b", "abab", "é\r\nb")
VERSIONS = [document(name, text) for name in DOCUMENTS for text in TEXTS]
# The last two are in no world.
CITED = [*VERSIONS, document("d-1", "abb"), document("d-3", "ab")]
Shards = dict[tuple[str, str], list[Json | None]]


@dataclass(frozen=True)
class World:
    """All records of a campaign: lines by (stream, shard), and the terms of its streams."""

    shards: Shards
    terms: dict[str, StreamTerms]


def random_world(rng: random.Random, most: int) -> World:
    """A world of at most `most` records in a shard, about few tasks and documents."""
    shards: Shards = {}
    for stream, kind in STREAMS.items():
        if kind != "assignment-v1":
            for shard in ("a.jsonl", "b.jsonl")[: rng.randint(1, 2)]:
                # With many tasks nobody would be a stranger.
                size = rng.randint(0, min(most, 3) if kind == "input-task-v1" else most)
                lines = [_record(kind, rng) for _ in range(size)]
                shards[stream, shard] = [None if rng.random() < 0.1 else line for line in lines]
    handed_in = [
        line for (stream, _), lines in shards.items() if STREAMS[stream] in ANNOTATIONS for line in lines if line
    ]
    shards["assignments", "a.jsonl"] = [
        assignment(rng.choice(PEOPLE), sha256_of(value), rng.choice([value["task_id"], *TASKS])) for value in handed_in
    ]
    return World(shards, {stream: _terms(stream, rng) for stream in STREAMS})


def _terms(stream: str, rng: random.Random) -> StreamTerms:
    return StreamTerms(
        stream,
        STREAMS[stream],
        {},
        policies={code.code: rng.choice(POLICIES) for code in CODES if rng.random() < 0.5},
        offset_unit=rng.choice(list(OffsetUnit)),
        latency_tolerance_ms=rng.choice([0, 4, 100]),
    )


def _record(kind: str, rng: random.Random) -> Json:
    task = {"task_id": rng.choice(TASKS)}
    match kind:
        case "grounded-qa-v1":
            domain = rng.choice(["general_rag", "clinical_qa"])
            return qa(*_citations(rng), question=rng.choice(["why?", "how?"]), domain=domain, **task)
        case "agent-trace-v1":
            return trace(*_steps(rng), prompt=rng.choice(["why?", "how?"]), **task)
        case "agent-trace-v2":
            return talk(*((each, rng.sample(CITED, rng.randint(0, 2))) for each in _steps(rng)), **task)
        case "document-v1":
            return rng.choice(VERSIONS)
        case "tool-execution-v1":
            return _logged(rng) | task
    return _issued(rng) | task


def _citations(rng: random.Random) -> Iterator[Json]:
    for _ in range(rng.randint(0, 3)):
        quote, start = rng.choice(["ab", "b", "😀", "😀b", "é", "\r\nb"]), rng.randint(0, 5)
        end = start + rng.choice([len(quote), len(quote.encode()), rng.randint(1, 4)])
        yield citation(rng.choice(CITED), start, end, quote)


def _steps(rng: random.Random) -> list[Json]:
    return [_step(number, rng) for number in rng.sample((1, 2, 3), rng.randint(1, 3))]


def _step(number: int, rng: random.Random) -> Json:
    return step(
        number,
        arguments=rng.choice([{"query": "q", "top_k": 3}, {"top_k": 3.0, "query": "q"}, {"query": "ü", "top_k": 3}]),
        result={"document_ids": rng.sample(DOCUMENTS, rng.randint(0, 1)), "success": rng.random() < 0.8},
        latency_ms=rng.choice([0, 3, 9]),
    )


def _logged(rng: random.Random) -> Json:
    call = _step(rng.randint(1, 3), rng)
    row = execution(call, rng.randint(0, 3), tool=rng.choice([TOOL, TOOL, "search"]))
    if rng.random() < 0.5:
        row["arguments_sha256"] = sha256_of(row.pop("arguments"))
    return row


def _issued(rng: random.Random) -> Json:
    kind = rng.choice(ANNOTATIONS)
    text = rng.choice(["why?", "how?"])
    value = {"grounded-qa-v1": qa(question=text), "agent-trace-v1": trace(prompt=text)}.get(kind, talk())
    terms: Json = {"annotation_schema_version": rng.choice(ANNOTATIONS)} if rng.random() < 0.2 else {}
    people, authorised = rng.sample(PEOPLE, rng.randint(0, 2)), rng.sample(DOCUMENTS, rng.randint(0, 2))
    terms |= {"tools": rng.sample([TOOL, "search"], rng.randint(0, 2))}
    terms |= {"max_conversation_characters": rng.randint(1, 20)} if rng.random() < 0.3 else {}
    return issued(kind, value, contributors=people, documents=authorised, **terms)


def sha256_of(value: Any) -> str:
    return hashlib.sha256(rfc8785.dumps(value)).hexdigest()
