"""What all synthetic campaigns share: an empty folder, a rubric, and the manifest around streams and pins."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import schemas
from pipeline.exits import Exit, RunError
from pipeline.pinned import SHIPPED
from transforms.digests import sha256_hex
from transforms.terms import KIB

_RUBRIC = "code-review-v1"


def empty_folder(output: Path, folders: Iterable[str] = ("shards",)) -> None:
    """Make `output` with folders for its shards. Raises RunError where it exists and is not an empty folder."""
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise RunError(Exit.USAGE, f"{output} is not an empty folder")
    for folder in folders:
        (output / folder).mkdir(parents=True)


def write_rubric(output: Path) -> dict[str, Any]:
    """Write the rubric under `output` and give its pin, as the member `rubrics` of a manifest."""
    criteria = (("correctness", 0.45, 4), ("instruction_adherence", 0.25, 4), ("reasoning_evidence", 0.2, 3))
    rows = [*criteria, ("readability", 0.1, 3)]
    rubric = {
        "rubric_version": _RUBRIC,
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": [{"id": name, "weight": weight, "minimum_score": least} for name, weight, least in rows],
        "weighted_acceptance_score": 4.0,
        "review_policy": {"independent_reviews": 3, "minimum_accept_votes": 2, "disagreement_action": "adjudicate"},
    }
    data = (json.dumps(rubric, indent=2) + "\n").encode()
    path = output / "rubrics" / f"{_RUBRIC}.json"
    path.parent.mkdir()
    path.write_bytes(data)
    return {_RUBRIC: {"path": f"rubrics/{_RUBRIC}.json", "sha256": sha256_hex(data)}}


def shipped_pins(kinds: Iterable[str]) -> dict[str, Any]:
    """The pins of schemas that ship with the product, as the member `schemas` of a manifest."""
    return {
        kind: {"path": f"{SHIPPED}{kind}", "sha256": sha256_hex(schemas.schema_path("records", kind).read_bytes())}
        for kind in kinds
    }


def manifest(
    name: str,
    description: str,
    *,
    rubrics: dict[str, Any],
    pins: dict[str, Any],
    streams: dict[str, Any],
    without: list[str],
) -> dict[str, Any]:
    """A campaign manifest; limits are small, so that small records can be beyond them."""
    engine = "jsonschema-rs"
    return {
        "campaign_version": "campaign-v1",
        "id": name,
        "description": description,
        "dialect": "https://json-schema.org/draft/2020-12/schema",
        "validator": {"engine": engine, "version": metadata.version(engine), "formats": "assert"},
        "canonicalisation": "raw",
        "limits": {
            "max_record_bytes": 64 * KIB,
            "max_conversation_characters": 24_000,
            "max_conversation_bytes": 48_000,
        },
        "schemas": pins,
        "rubrics": rubrics,
        "streams": streams,
        "without": without,
        "rejects": {"payload": "raw"},
        "on_corrupt_shard": "fail",
    }
