"""A sound campaign, and what can be done to its folder so that it is none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from golden_campaigns import GOLDEN, KIND, RUBRIC, merged, write_campaign

import schemas
from transforms.digests import sha256_hex

SCHEMA = schemas.load_schema("records", KIND)
FIXTURES = schemas.schema_path("records", KIND).parent
LOCAL = json.loads((GOLDEN / "reports" / "26-unresolvable-local-ref.schema.json").read_bytes())
REMOTE = json.loads((GOLDEN / "reports" / "26-remote-ref.schema.json").read_bytes())

Spoil = Callable[[Path], None]
Found = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CampaignFault:
    """What is done to the campaign's folder, and what is found.

    `early` says whether `assay run` finds it too; fixtures are judged by `assay check` alone.
    """

    name: str
    spoil: Spoil
    found: Found
    early: bool = True


def write_sound(folder: Path) -> Path:
    """A campaign that passes, with its own schema, fixtures and rubric; the path of its manifest."""
    shutil.copytree(FIXTURES, folder, dirs_exist_ok=True)
    (folder / "shards").mkdir()
    (folder / "shards" / "a.jsonl").write_bytes((GOLDEN / "reports" / "06-crlf.jsonl").read_bytes())
    return write_campaign(folder, "shards/*.jsonl", {}, {})


def with_manifest(patch: Any) -> Spoil:
    """A merge patch of the manifest."""

    def spoil(folder: Path) -> None:
        path = folder / "campaign.json"
        path.write_text(json.dumps(merged(json.loads(path.read_bytes()), patch)), encoding="utf-8")

    return spoil


def both(first: Spoil, second: Spoil) -> Spoil:
    def spoil(folder: Path) -> None:
        first(folder)
        second(folder)

    return spoil


def without_member(member: str) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "campaign.json"
        manifest = json.loads(path.read_bytes())
        del manifest[member]
        path.write_text(json.dumps(manifest), encoding="utf-8")

    return spoil


def replaced_member(member: str, value: Any) -> Spoil:
    return both(without_member(member), with_manifest({member: value}))


def replaced(old: bytes, new: bytes) -> Spoil:
    """Another text in the manifest's bytes."""

    def spoil(folder: Path) -> None:
        path = folder / "campaign.json"
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new, 1))

    return spoil


def written(name: str, data: bytes) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return spoil


def with_document(name: str, member: str, version: str, document: Any) -> Spoil:
    """Another document, pinned as it is; bytes are written as they are."""

    def spoil(folder: Path) -> None:
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        (folder / name).write_bytes(data)
        with_manifest({member: {version: {"sha256": sha256_hex(data)}}})(folder)

    return spoil


def with_schema(document: Any) -> Spoil:
    """Another schema document, pinned as it is; bytes are written as they are."""
    return with_document("schema.json", "schemas", KIND, document)


def with_patched_schema(patch: Any) -> Spoil:
    return with_schema(merged(SCHEMA, patch))


def with_rubric(patch: Any) -> Spoil:
    def spoil(folder: Path) -> None:
        sound = json.loads((folder / "rubric.json").read_bytes())
        with_document("rubric.json", "rubrics", RUBRIC, merged(sound, patch))(folder)

    return spoil


def with_index(change: Callable[[dict[str, Any]], Any]) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "reject" / "index.json"
        index = json.loads(path.read_bytes())
        change(index)
        path.write_text(json.dumps(index), encoding="utf-8")

    return spoil


def unlinked(name: str) -> Spoil:
    return lambda folder: (folder / name).unlink()


def removed(name: str) -> Spoil:
    return lambda folder: shutil.rmtree(folder / name)
