"""A run of every kind that trains, small enough that its exports are read by eye."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from golden_campaigns import KIND, STREAM, by_plain_functions, write_campaign
from small_records import citation, derivation, pair, qa, step, talk, trace

from pipeline.sample.manifest import shipped_pins

DOCUMENT = {"document_id": "doc-1", "sha256": "0" * 64}
PATCH = "Neither; say that the moon does it."
_LICENCE = {"properties": {"licence": {"type": "string"}}}
_OTHERS = {
    "answers": "grounded-qa-v1",
    "derivations": "math-derivation-v1",
    "talks": "agent-trace-v2",
    "traces": "agent-trace-v1",
}


def _pair(number: int, **changes: Any) -> dict[str, Any]:
    texts = {"response_a": f"Left {number}: é\u2028", "response_b": f"Right {number}."}
    return pair(**{"task_id": f"pair-{number}", **texts, **changes})


def records() -> dict[str, list[dict[str, Any]]]:
    """The records of each stream. Of the pairs the fifth is rejected and the sixth held; the third answer is held."""
    return {
        STREAM: [
            _pair(1, licence="CC-BY-4.0"),
            _pair(2, preference="B", licence="CC0-1.0"),
            _pair(3, preference="tie"),
            _pair(4, preference="neither", golden_patch=PATCH),
            _pair(5, ratings={}),
            _pair(6, rationale="Response B is clearly better. It says it shortly."),
            _pair(7, licence="CC-BY-4.0"),
            _pair(8, preference="B"),
        ],
        "answers": [
            qa(citation(DOCUMENT, 0, 4, "Tide"), task_id="qa-1"),
            qa(task_id="qa-2", question="where?"),
            qa(task_id="qa-3", domain="clinical_qa", question="who?"),
        ],
        "derivations": [derivation(task_id="math-1", assumptions=["Let x be 2."])],
        "talks": [talk((step(1, "doc-1"), [DOCUMENT]), task_id="talk-1")],
        "traces": [trace(step(1, "doc-1"), task_id="trace-1")],
    }


def write_run(folder: Path) -> Path:
    """The campaign under `folder`, its run under `folder`/out, and the run's folder."""
    streams = {}
    for stream, values in records().items():
        for part, some in enumerate((values[: len(values) // 2], values[len(values) // 2 :])):
            shard = folder / "shards" / stream / f"{part}.jsonl"
            shard.parent.mkdir(parents=True, exist_ok=True)
            shard.write_text("".join(json.dumps(value) + "\n" for value in some), encoding="utf-8")
        kind = _OTHERS.get(stream, KIND)
        streams[stream] = {"kind": kind, "versions": [kind], "input": f"shards/{stream}/*.jsonl"}
    campaign = {
        "streams": streams,
        "schemas": shipped_pins(_OTHERS.values()),
        "without": ["documents", "executions", "tasks"],
    }
    path = write_campaign(folder, f"shards/{STREAM}/*.jsonl", campaign, _LICENCE)
    return by_plain_functions(path, folder / "out").folder
