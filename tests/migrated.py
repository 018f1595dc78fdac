"""A campaign whose records may be of an older version of the pairwise kind, with migrations to the one it lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from golden_campaigns import STREAM, merged, write_campaign
from small_campaign import record

import schemas
from pipeline.sample.pairwise import Record, line
from transforms.digests import sha256_hex

V1, V2 = "pairwise-v1", "pairwise-v2"
RATINGS = ("factuality", "reasoning", "instruction_adherence", "style")
OPERATIONS: tuple[dict[str, Any], ...] = (
    {"op": "wrap", "from": [f"/{name}" for name in RATINGS], "to": "/ratings"},
    {"op": "rename", "from": "/chosen", "to": "/preference"},
    {"op": "rename", "from": "/comment", "to": "/rationale"},
    {"op": "split", "from": "/pair", "separator": "\n=====\n", "to": ["/response_a", "/response_b"]},
    {"op": "drop", "from": "/tool", "reason": "the interface's name says nothing of the pair"},
)
JUDGEMENTS = ["/chosen", *(f"/{name}" for name in RATINGS)]
MIGRATION: Mapping[str, Any] = {
    "kind": V2,
    "from": V1,
    "to": V2,
    "operations": list(OPERATIONS),
    "judgements": JUDGEMENTS,
}


def old_schema() -> dict[str, Any]:
    """pairwise-v1: flat ratings, other names, both responses in one text, and the interface's name."""
    schema = deepcopy(schemas.load_schema("records", V2))
    schema["$id"] = "urn:test:pairwise-v1"
    members = schema["properties"]
    members["schema_version"]["const"] = V1
    ratings = members.pop("ratings")
    members |= {name: ratings["properties"][name] for name in RATINGS}
    members["chosen"], members["comment"] = members.pop("preference"), members.pop("rationale")
    members.pop("response_b")
    members["pair"], members["tool"] = members.pop("response_a"), {"type": "string", "maxLength": 64}
    schema["required"] = sorted(members.keys() - {"tool"})
    return {key: value for key, value in schema.items() if key not in ("if", "then", "else", "allOf")}


def old(new: Record, **changes: Any) -> Record:
    """What a pairwise-v2 record was as pairwise-v1."""
    value = deepcopy(new)
    value |= value.pop("ratings")
    value["chosen"], value["comment"] = value.pop("preference"), value.pop("rationale")
    value["pair"] = value.pop("response_a") + "\n=====\n" + value.pop("response_b")
    return {**value, "schema_version": V1, "tool": "desk", **changes}


def write_migrating(folder: Path, migrations: Sequence[Mapping[str, Any]] = (MIGRATION,), **members: Any) -> Path:
    """A campaign of pairwise-v2 records under `folder`, reading shards/*.jsonl, with fixtures for the older schema."""
    document = json.dumps(old_schema()).encode()
    fixtures = folder / "v1"
    for side in ("accept", "reject"):
        (fixtures / side).mkdir(parents=True, exist_ok=True)
    (folder / "v1.json").write_bytes(document)
    (fixtures / "accept" / "plain.json").write_bytes(line(old(record(0))))
    (fixtures / "reject" / "no-choice.json").write_bytes(line(old(record(0), chosen="neither of them")))
    (fixtures / "reject" / "index.json").write_text('{"no-choice.json": ["schema/enum"]}', encoding="utf-8")
    pins = {
        V1: {"path": "v1.json", "sha256": sha256_hex(document), "fixtures": "v1"},
        V2: {"fixtures": str(schemas.schema_path("records", V2).parent)},
    }
    (folder / "shards").mkdir(exist_ok=True)
    patch = merged({"schemas": pins, "migrations": list(migrations)}, members)
    return write_campaign(folder, "shards/*.jsonl", patch, {})


def write_shard(folder: Path, values: Iterable[Record], name: str = "a.jsonl") -> list[bytes]:
    """A shard of the campaign, and its lines."""
    lines = [line(value) for value in values]
    (folder / "shards").mkdir(parents=True, exist_ok=True)
    (folder / "shards" / name).write_bytes(b"\n".join(lines) + b"\n")
    return lines


__all__ = ["MIGRATION", "STREAM", "old", "old_schema", "write_migrating", "write_shard"]
