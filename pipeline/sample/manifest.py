"""What all synthetic campaigns share: an empty folder, how files are written, a rubric, and the manifest around it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import schemas
from pipeline.exits import Exit, RunError
from pipeline.pin import dump_campaign
from pipeline.pinned import SHIPPED
from transforms.digests import sha256_hex
from transforms.terms import KIB

Criteria = tuple[tuple[str, float, float], ...]
CODE_REVIEW = "code-review-v1"
CODE_CRITERIA: Criteria = (
    ("correctness", 0.45, 4),
    ("instruction_adherence", 0.25, 4),
    ("reasoning_evidence", 0.2, 3),
    ("readability", 0.1, 3),
)
CODE_POLICY = (3, 2, "adjudicate")


def empty_folder(output: Path, folders: Iterable[str] = ("shards",)) -> None:
    """Make `output` with folders for its shards. Raises RunError where it exists and is not an empty folder."""
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise RunError(Exit.USAGE, f"{output} is not an empty folder")
    for folder in folders:
        (output / folder).mkdir(parents=True)


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write a shard of JSON lines."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def write_json(path: Path, value: Any, indent: int = 1) -> None:
    """Write a document for people to read."""
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")


def write_pinned(output: Path, name: str, document: Any, indent: int = 1) -> dict[str, Any]:
    """Write a document under `output` and give its pin."""
    write_json(output / name, document, indent)
    return {"path": name, "sha256": sha256_hex((output / name).read_bytes())}


def write_manifest(path: Path, campaign: dict[str, Any]) -> Path:
    """Write a campaign's manifest and give its path."""
    path.write_bytes(dump_campaign(campaign))
    return path


def rubric(
    version: str,
    criteria: Criteria,
    accepted: float,
    policy: tuple[int, int, str],
    gates: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """`criteria` are (id, weight, minimum); `policy` is (reviews, accepting votes, what disagreement does)."""
    reviews, votes, action = policy
    value = {
        "rubric_version": version,
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": [{"id": name, "weight": weight, "minimum_score": least} for name, weight, least in criteria],
        "weighted_acceptance_score": accepted,
    }
    if gates:
        value["hard_gates"] = gates
    return value | {
        "review_policy": {
            "independent_reviews": reviews,
            "minimum_accept_votes": votes,
            "disagreement_action": action,
        }
    }


def write_rubric(output: Path) -> dict[str, Any]:
    """Write the rubric under `output` and give its pin, as the member `rubrics` of a manifest."""
    (output / "rubrics").mkdir()
    document = rubric(CODE_REVIEW, CODE_CRITERIA, 4.0, CODE_POLICY)
    return {CODE_REVIEW: write_pinned(output, f"rubrics/{CODE_REVIEW}.json", document, indent=2)}


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
