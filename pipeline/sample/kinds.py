"""A synthetic campaign with every kind of record and the facts it is joined with, and its twin without facts."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from pipeline.sample import bundles
from pipeline.sample.bundles import Bundle
from pipeline.sample.groups import GROUPS
from pipeline.sample.manifest import (
    empty_folder,
    manifest,
    shipped_pins,
    write_json,
    write_lines,
    write_manifest,
    write_rubric,
)
from pipeline.sample.pairwise import FAULTS, line, record
from pipeline.sample.scenarios import SCENARIOS
from transforms.kinds import FACTS

_KINDS = {
    "annotations": "pairwise-v2",
    "traces": "agent-trace-v1",
    "conversations": "agent-trace-v2",
    "answers": "grounded-qa-v1",
    "derivations": "math-derivation-v1",
    "tasks": "input-task-v1",
    "assignments": "assignment-v1",
    "documents": "document-v1",
    "executions": "tool-execution-v1",
}
_FACT_STREAMS = ("tasks", "assignments", "documents", "executions")
_SOUND = (bundles.pairwise, bundles.trace, bundles.conversation, bundles.grounded, bundles.derivation)
_FIRST_SCENARIO = 40_000


def write_kinds_sample(output: Path, records: int, seed: int) -> Path:
    """Write a campaign of some `records` sound records, and every fault once, under `output`; its manifest's path.

    `standalone.json` beside it has the same subject streams and goes without all facts. `expected.json` names,
    for each fault, stream, line and code. Same arguments, same bytes. Raises RunError where `output` is not empty.
    """
    empty_folder(output)
    random = Random(seed)
    streams: defaultdict[str, list[bytes]] = defaultdict(list)
    expected = []
    for number in range(max(1, records // len(_SOUND))):
        for build in _SOUND:
            _enter(streams, build(random, number))
    for number, scenario in enumerate(SCENARIOS, _FIRST_SCENARIO):
        bundle = scenario.build(random, number)
        scenario.spoil(bundle)
        at = len(streams[scenario.stream]) + 1
        _enter(streams, bundle)
        expected.append({"stream": scenario.stream, "line": at, "code": scenario.code, "facts": scenario.facts})
    for fault_line, task, code in _pairwise_faults(random):
        streams["annotations"].append(fault_line)
        streams["tasks"].append(line(task))
        if code:
            at = len(streams["annotations"])
            expected.append({"stream": "annotations", "line": at, "code": code, "facts": False})
    return _write(output, streams, expected)


def _enter(streams: dict[str, list[bytes]], bundle: Bundle) -> None:
    for stream, values in bundle.items():
        streams[stream] += [line(value) for value in values]


def _pairwise_faults(random: Random) -> Iterator[tuple[bytes, Any, str]]:
    """(line, its task, code) of preference pairs with a fault of their own; then of groups, without a code."""
    for number, fault in enumerate(FAULTS, _FIRST_SCENARIO + 1000):
        value = record(random, number)
        task = bundles.pairwise_task(value)
        yield fault.spoil(value), task, fault.code
    for number, group in enumerate(GROUPS, _FIRST_SCENARIO + 2000):
        for row in group.build(random, number):
            yield row, bundles.pairwise_task(json.loads(row)), ""


def _write(output: Path, streams: dict[str, list[bytes]], expected: list[dict[str, Any]]) -> Path:
    for stream, lines in streams.items():
        write_lines(output / "shards" / f"{stream}.jsonl", lines)
    rubrics = write_rubric(output)
    subjects = {stream: kind for stream, kind in _KINDS.items() if stream not in _FACT_STREAMS}
    for name, kinds, without in (("campaign", _KINDS, []), ("standalone", subjects, sorted(FACTS))):
        campaign = manifest(
            "kinds" if name == "campaign" else "kinds-standalone",
            "Every kind of record, each fault at least once.",
            rubrics=rubrics,
            pins=shipped_pins(kinds.values()),
            streams={stream: _stream(stream, kind) for stream, kind in kinds.items()},
            without=without,
        )
        write_manifest(output / f"{name}.json", campaign)
    write_json(output / "expected.json", expected)
    return output / "campaign.json"


def _stream(stream: str, kind: str) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": kind, "versions": [kind], "input": f"shards/{stream}.jsonl"}
    if stream in ("traces", "conversations"):
        row |= {"tools": {bundles.TOOL: ["1"]}, "latency_tolerance_ms": 500}
    if stream == "answers":
        row |= {"offsets": "code-points", "rules": {"abstain-with-citations": "hold"}}
    return row
