"""A campaign that judges the code of preferences, its tasks' tests, and committed runs of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from golden_campaigns import STREAM, by_plain_functions, merged, write_campaign
from small_records import pair

from pipeline.evaluate.configuration import Identity
from pipeline.evaluate.suites import load_suite, suites_document
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Json

NOTHING: Mapping[str, Any] = MappingProxyType({})
NAME, SECONDS = "sandbox-1", 20
TEST = "import solution\n\ndef test_it():\n    assert solution.double(2) == {}\n"
GOOD, BAD = "def double(number):\n    return 2 * number\n", "def double(number):\n    return 0\n"


def answer(code: str) -> str:
    """An answer in Markdown with that code."""
    return f"So:\n\n```python\n{code}```\n"


def record(task: str, code: str, **changes: Any) -> Json:
    """A preference for the first answer, which has the code."""
    return pair(**{"task_id": task, "response_a": answer(code), "response_b": "No idea.", **changes})


def shard(*records: Json) -> bytes:
    return b"".join(canonical_json(value) + b"\n" for value in records)


def write_tests(folder: Path, tasks: Iterable[str], wanted: int = 4) -> Path:
    """A folder with one test for each task."""
    for task in tasks:
        (folder / task).mkdir(parents=True)
        (folder / task / "test_it.py").write_text(TEST.format(wanted), encoding="utf-8")
    return folder


def code_campaign(folder: Path, tests: Path, identity: Identity, patch: Mapping[str, Any] = NOTHING) -> Path:
    """The manifest of a campaign that pins these tests and this executor, with a merge patch."""
    suites = json.dumps(suites_document(tests, "sponsor")).encode()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "suites.json").write_bytes(suites)
    manifest = {
        "streams": {STREAM: {"acceptance": {"code": {"language": "python", "version": "3.11"}}}},
        "without": ["reviews", "tasks"],
        "evidence": {
            "executors": {
                NAME: {
                    "version": identity.version,
                    "configuration_sha256": identity.configuration_sha256,
                    "interpreter": identity.interpreter,
                    "timeout_seconds": SECONDS,
                }
            },
            "test_suites": {"path": "suites.json", "sha256": sha256_hex(suites)},
        },
    }
    return write_campaign(folder, "*.jsonl", merged(manifest, dict(patch)), {})


def run_without_rubrics(folder: Path, shards: Mapping[str, bytes], patch: Mapping[str, Any] = NOTHING) -> Path:
    """A run in which sound records are accepted, and those of one task that repeat each other held; its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in shards.items():
        (folder / name).write_bytes(data)
    return by_plain_functions(write_campaign(folder, "*.jsonl", dict(patch), {}), folder / "out").folder


def pinned_digest(tests: Path, task: str) -> str:
    return load_suite(tests / task).sha256
