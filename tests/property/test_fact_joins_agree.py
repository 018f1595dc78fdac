"""The joins with facts against plain loops over whole records: no digests, no packing, no partitions, no parking."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from fact_worlds import ANNOTATIONS, CODES, JOINS, STREAMS, World, random_world, sha256_of
from hypothesis import given, settings
from hypothesis import strategies as st
from joined import Block, cut, found

from transforms.joins.join import RELATED_BOUND
from transforms.records import Json, Place, Severity
from transforms.terms import Action, OffsetUnit, StreamTerms

ACTIONS = {Action.REJECT: Severity.REJECT, Action.HOLD: Severity.HOLD, Action.ALLOW: Severity.WARN}
CODECS = {
    OffsetUnit.CODE_POINTS: ("utf-32-le", 4),
    OffsetUnit.UTF8_BYTES: ("utf-8", 1),
    OffsetUnit.UTF16_UNITS: ("utf-16-le", 2),
}


# the same by the plainest means


@dataclass(frozen=True)
class Placed:
    place: Place
    value: Json
    terms: StreamTerms


Fault = tuple[str, str, Sequence[Placed]]


def placed(world: World, *kinds: str) -> list[Placed]:
    return [
        Placed(Place(stream, shard, number), value, world.terms[stream])
        for (stream, shard), lines in sorted(world.shards.items())
        for number, value in enumerate(lines, 1)
        if value is not None and STREAMS[stream] in kinds
    ]


def expected(world: World) -> Counter[tuple[Any, ...]]:
    result: Counter[tuple[Any, ...]] = Counter()
    defaults = {code.code: code.severity for code in CODES}
    for record in placed(world, *ANNOTATIONS):
        for rule in (issue_faults, authorisation_faults, document_faults, execution_faults):
            for code, pointer, related in rule(record, world):
                action = record.terms.policies.get(code)
                severity = ACTIONS[action] if action else defaults[code]
                places = tuple(each.place for each in related[:RELATED_BOUND])
                result[record.place, code, severity, pointer, places] += 1
    return result


def of_task(record: Placed, world: World, kind: str) -> list[Placed]:
    return [fact for fact in placed(world, kind) if fact.value["task_id"] == record.value["task_id"]]


def shown(value: Json) -> tuple[str, str]:
    if "events" in value:
        return "agent_trace", next(event["content"] for event in value["events"] if event.get("role") == "user")
    names = {"question": "grounded_qa", "prompt": "agent_trace"}
    return next((kind, value[name]) for name, kind in names.items() if name in value)


def issue_faults(record: Placed, world: World) -> Iterator[Fault]:
    value, kind = record.value, record.terms.kind
    tasks = of_task(record, world, "input-task-v1")
    same = [task.value for task in tasks if shown(task.value) == shown(value)]
    terms = (kind, value.get("rubric_version"))
    if not tasks:
        yield "unknown-task", "", ()
        return
    if not same:
        yield "task-mismatch", "", tasks
    elif terms not in [(task["annotation_schema_version"], task["rubric_version"]) for task in same]:
        yield "version-not-assigned", "", tasks
    people = {person for task in tasks for person in task.value["contributors"]}
    handed_in = [each.value for each in of_task(record, world, "assignment-v1")]
    own = {each["contributor"] for each in handed_in if each["record_sha256"] == sha256_of(value)}
    if people and own - people:
        yield "unauthorized-contributor", "", tasks
    bounds = [
        task.value["max_conversation_characters"] for task in tasks if "max_conversation_characters" in task.value
    ]
    if bounds and sum(map(len, said(value))) > min(bounds):
        yield "conversation-too-large", "", tasks


def said(value: Json) -> Iterator[str]:
    """The texts that count for the size of a conversation."""
    for name in ("question", "answer", "prompt", "final_answer"):
        yield value.get(name, "")
    for each in value.get("citations", ()):
        yield each["quote"]
    for each in value.get("steps", ()):
        yield each["arguments"]["query"]
    for each in value.get("events", ()):
        yield each.get("content", "")
        # Every string inside the arguments counts, member names as well.
        for name, member in each.get("arguments", {}).items():
            yield name
            yield member if isinstance(member, str) else ""


def authorisation_faults(record: Placed, world: World) -> Iterator[Fault]:
    tasks = of_task(record, world, "input-task-v1")
    authorised = {name for task in tasks for name in task.value["documents"]}
    for pointer, name in used(record.value):
        if tasks and name not in authorised:
            yield "unauthorized-document", pointer, tasks
    tools = {name for task in tasks for name in task.value["tools"]}
    for member in ("steps", "events"):
        for index, each in enumerate(record.value.get(member, ())):
            if tasks and "tool" in each and each["tool"] not in tools:
                yield "undeclared-tool", f"/{member}/{index}/tool", tasks


def used(value: Json) -> Iterator[tuple[str, str]]:
    for index, each in enumerate(value.get("citations", ())):
        yield f"/citations/{index}/document_id", each["document_id"]
    for index, each in enumerate(value.get("steps", ())):
        for place, name in enumerate(each["result"]["document_ids"]):
            yield f"/steps/{index}/result/document_ids/{place}", name
    for index, each in enumerate(value.get("events", ())):
        for place, source in enumerate(each.get("evidence", ())):
            yield f"/events/{index}/evidence/{place}/document_id", source["document_id"]


def document_faults(record: Placed, world: World) -> Iterator[Fault]:
    for index, each in enumerate(record.value.get("citations", ())):
        known, exact = versions(each["document_id"], each["document_sha256"], world)
        if not exact:
            code = "document-digest-mismatch" if known else "unknown-document"
            yield code, f"/citations/{index}", known
        elif code := misquoted(each, exact[0].value["text"], record.terms.offset_unit):
            yield code, f"/citations/{index}", exact[:1]
    for index, event in enumerate(record.value.get("events", ())):
        for place, source in enumerate(event.get("evidence", ())):
            known, exact = versions(source["document_id"], source["sha256"], world)
            if not exact:
                code = "evidence-digest-mismatch" if known else "unknown-document"
                yield code, f"/events/{index}/evidence/{place}", known


def versions(name: str, sha256: str, world: World) -> tuple[list[Placed], list[Placed]]:
    """The document's versions, and those of them that have the digest."""
    known = [each for each in placed(world, "document-v1") if each.value["document_id"] == name]
    return known, [each for each in known if each.value["sha256"] == sha256]


def misquoted(cited: Json, text: str, unit: OffsetUnit) -> str:
    codec, width = CODECS[unit]
    data = text.encode(codec)
    if cited["end"] * width > len(data):
        return "span-out-of-bounds"
    standing = data[cited["start"] * width : cited["end"] * width]
    return "" if standing == cited["quote"].encode(codec) else "quote-mismatch"


def execution_faults(record: Placed, world: World) -> Iterator[Fault]:
    if "citations" in record.value:
        return
    log: defaultdict[str, list[Placed]] = defaultdict(list)
    for row in of_task(record, world, "tool-execution-v1"):
        log[row.value["call_id"]].append(row)
    calls = reported(record.value)
    highest = -1
    for call in calls:
        rows = log.get(call["call_id"], [])
        if not rows:
            yield "unlogged-call", "", ()
            continue
        for row in rows[:4]:
            if not same_call(call, row.value):
                yield "log-mismatch", "", [row]
            if abs(call["latency_ms"] - row.value["server_latency_ms"]) > record.terms.latency_tolerance_ms:
                yield "latency-mismatch", "", [row]
        if rows[0].value["order"] <= highest:
            yield "call-order", "", [rows[0]]
        highest = max(highest, rows[0].value["order"])
    known = {call["call_id"] for call in calls}
    missing = [rows[0] for name, rows in log.items() if name not in known]
    if missing:
        yield "missing-call", "", missing


def reported(value: Json) -> list[Json]:
    if "steps" in value:
        return list(value["steps"])
    calls, results = ([event for event in value["events"] if event["type"] == kind] for kind in ("call", "result"))
    return [
        call
        | {
            "latency_ms": result["latency_ms"],
            "result": {
                "success": result["success"],
                "document_ids": [source["document_id"] for source in result["evidence"]],
            },
        }
        for call in calls
        for result in results
        if result["call_id"] == call["call_id"]
    ]


def same_call(call: Json, row: Mapping[str, Any]) -> bool:
    arguments = row["arguments_sha256"] if "arguments_sha256" in row else sha256_of(row["arguments"])
    same = (call["tool"], call["result"]) == (row["tool"], row["result"])
    return same and sha256_of(call["arguments"]) == arguments


# agreement

# By seed: shrinking such worlds takes minutes and tells little more.
RANDOMS = st.integers(0, 2**32 - 1).map(random.Random)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where texts are parked; every world overwrites what it reads."""
    return tmp_path_factory.mktemp("texts")


def agree(world: World, partitions: int, rng: random.Random, folder: Path) -> Counter[tuple[Any, ...]]:
    findings = found(JOINS, cut(world.shards, rng), world.terms, partitions, rng, folder)
    summary = Counter(
        (place, each.code, each.severity, each.pointer, each.related) for place, each in findings.elements()
    )
    assert summary == expected(world)
    assert all(each.schema_pointer is None for _, each in findings)
    return summary


@settings(deadline=None)
@given(RANDOMS, st.integers(1, 7))
def test_joins_agree_with_plain_loops(folder: Path, rng: random.Random, partitions: int) -> None:
    agree(random_world(rng, 3), partitions, rng, folder)


@pytest.mark.slow
@settings(max_examples=4000, deadline=None)
@given(RANDOMS, st.integers(0, 8), st.integers(1, 256))
def test_joins_agree_at_length(folder: Path, rng: random.Random, most: int, partitions: int) -> None:
    agree(random_world(rng, most), partitions, rng, folder)


@settings(max_examples=50, deadline=None)
@given(RANDOMS, st.integers(1, 7), st.integers(1, 256))
def test_cuts_partitions_and_order_never_matter(folder: Path, rng: random.Random, one: int, other: int) -> None:
    """Whole findings, messages included."""
    world = random_world(rng, 4)
    shards = [Block(stream, shard, 1, tuple(lines)) for (stream, shard), lines in sorted(world.shards.items())]
    plain = found(JOINS, shards, world.terms, 1, rng, folder)
    for partitions in (one, other):
        assert found(JOINS, cut(world.shards, rng), world.terms, partitions, rng, folder) == plain


@settings(max_examples=25, deadline=None)
@given(RANDOMS, st.sampled_from(sorted(STREAMS)))
def test_a_stream_without_records(folder: Path, rng: random.Random, stream: str) -> None:
    """Facts of which there are none are missing, not absent: the joins go on."""
    world = random_world(rng, 3)
    without = replace(world, shards={key: lines for key, lines in world.shards.items() if key[0] != stream})
    agree(without, 3, rng, folder)


def test_crowded_worlds_agree_and_meet_every_code(folder: Path) -> None:
    rng = random.Random(1)
    seen: Counter[str] = Counter()
    most = 0
    for _ in range(12):
        for (_, code, _, _, related), count in agree(random_world(rng, 30), 7, rng, folder).items():
            seen[code] += count
            most = max(most, len(related))
    assert set(seen) == {code.code for code in CODES}
    assert min(seen.values()) > 10
    assert most == RELATED_BOUND
