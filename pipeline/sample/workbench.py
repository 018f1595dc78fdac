"""A synthetic campaign of comparisons as the A/B interface exports them, beside preference pairs of the kind itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pipeline.sample.manifest import (
    empty_folder,
    manifest,
    shipped_pins,
    write_json,
    write_lines,
    write_manifest,
    write_rubric,
)
from pipeline.sample.pairwise import Record, line, put
from pipeline.sample.pairwise import record as pairwise_record
from pipeline.sample.text import rationale
from transforms.adapters.table import ADAPTERS

SOURCE, KIND = "workbench-ab-v1", "pairwise-v2"
LEFT_IN_SOURCE = ("correctness", "readability")
_COMPARISONS, _ANNOTATIONS = "comparisons", "annotations"


def comparison(random: Random, number: int) -> Record:
    """A sound record of the interface; every third has a conversation, the others a prompt."""
    pair, choice = pairwise_record(random, number), random.choice("AB")
    asked: Record = {"messages": pair["messages"]} if number % 3 == 0 else {"prompt": pair["messages"][-1]["content"]}
    return {
        "schema_version": SOURCE,
        "task_id": pair["task_id"],
        **asked,
        "response_a": pair["response_a"],
        "response_b": pair["response_b"],
        "model_a": f"candidate-{random.randint(1, 4)}",
        "model_b": f"candidate-{random.randint(5, 8)}",
        "choice": choice,
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": {**pair["ratings"], **{name: random.randint(1, 5) for name in LEFT_IN_SOURCE}},
        "comments": rationale(random, choice),
        "correction": None,
        "rubric_version": "code-review-v1",
        "contributor": f"contributor-{random.randint(1, 20):02d}",
        "submitted_at": f"2026-03-{random.randint(1, 28):02d}T09:30:00Z",
    }


@dataclass(frozen=True, slots=True)
class SourceFault:
    """A fault of one record: the code it must get, where in the source, and how a sound one is spoiled into it."""

    code: str
    pointer: str
    spoil: Callable[[Record], Any]


def _unrated(value: Record) -> None:
    del value["criteria"]["factuality"]


_TALK = [{"role": "user", "content": "Run the tests, please."}, {"role": "tool", "content": "3 passed"}]
_MISSING, _NONE = "adapter-missing-rating", "adapter-no-equivalent"
FAULTS = (
    SourceFault(_MISSING, "/criteria", _unrated),
    SourceFault(_MISSING, "/criteria/style", put("criteria", "style", to=None)),
    SourceFault(_NONE, "/criteria/speed", put("criteria", "speed", to=4)),
    SourceFault(_NONE, "/criteria/style", put("criteria", "style", to={"a": 3, "b": 5})),
    SourceFault(_NONE, "/criteria/reasoning", put("criteria", "reasoning", to=3.5)),
    SourceFault(_NONE, "/scale", put("scale", "maximum", to=10)),
    SourceFault(_NONE, "/choice", put("choice", to=None)),
    SourceFault(_NONE, "/comments", put("comments", to=None)),
    SourceFault(_NONE, "/rubric_version", put("rubric_version", to=None)),
    SourceFault(_NONE, "", lambda value: value.pop("comments")),
    SourceFault(_NONE, "/messages/1/role", lambda value: (value.pop("prompt", None), value.update(messages=_TALK))),
    SourceFault("schema/enum", "/choice", put("choice", to="tie")),
    SourceFault("schema/required", "", lambda value: value.pop("contributor")),
    SourceFault("unsupported-schema-version", "/schema_version", put("schema_version", to=KIND)),
    SourceFault("schema/pattern", "/task_id", put("task_id", to="task/7")),
    SourceFault("schema/maximum", "/criteria/style", put("criteria", "style", to=6)),
    SourceFault("schema/minLength", "/comments", put("comments", to="B is better.")),
    SourceFault("empty-text", "/comments", put("comments", to="\u200b \u00a0" * 10)),
    SourceFault("unsupported-rubric-version", "/rubric_version", put("rubric_version", to="code-review-v0")),
    SourceFault(
        "rationale-contradicts-preference",
        "/comments",
        lambda value: value.update(choice="A", comments="Response B is clearly better. It keeps the order."),
    ),
)


def write_workbench_sample(output: Path, records: int, seed: int) -> Path:
    """Write a campaign of `records` sound comparisons, and every fault once, under `output`; its manifest's path.

    `expected.json` names, for each fault, stream, line, code and pointer into the source. Same arguments, same bytes.
    Raises RunError where `output` is not empty.
    """
    empty_folder(output)
    random = Random(seed)
    lines = [line(comparison(random, number)) for number in range(records)]
    expected: list[Record] = []
    for number, fault in enumerate(FAULTS, records):
        value = comparison(random, number)
        fault.spoil(value)
        lines.append(line(value))
        expected.append(_row(len(lines), fault.code, fault.pointer))
    again = comparison(random, records + len(FAULTS))
    lines.append(line(again))
    expected.append(_row(len(lines), "duplicate-record", ""))
    write_lines(output / "shards" / f"{_COMPARISONS}-00000.jsonl", lines)
    write_lines(output / "shards" / f"{_ANNOTATIONS}-00000.jsonl", [line(_as_pair(again))])
    write_json(output / "expected.json", expected)
    return _write_manifest(output)


def _row(number: int, code: str, pointer: str) -> Record:
    return {"stream": _COMPARISONS, "line": number, "code": code, "pointer": pointer}


def _as_pair(value: Record) -> Any:
    """The same comparison handed in as a preference pair."""
    return ADAPTERS[SOURCE].adapt(value, frozenset(LEFT_IN_SOURCE))


def _write_manifest(output: Path) -> Path:
    stream = {"kind": KIND, "versions": [KIND]}
    adapter = {"source": SOURCE, "left_in_source": list(LEFT_IN_SOURCE)}
    campaign = manifest(
        "workbench",
        "Comparisons of the A/B interface, told as preference pairs; each fault at least once.",
        rubrics=write_rubric(output),
        pins=shipped_pins([KIND, SOURCE]),
        streams={
            _COMPARISONS: {**stream, "adapter": adapter, "input": f"shards/{_COMPARISONS}-*.jsonl"},
            _ANNOTATIONS: {**stream, "input": f"shards/{_ANNOTATIONS}-*.jsonl"},
        },
        without=["tasks"],
    )
    return write_manifest(output / "campaign.json", campaign)
