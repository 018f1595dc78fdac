"""The digest manifest: built from what a run read, judged by, and wrote. No clock, no host, no output path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pipeline.campaign import Campaign
from pipeline.exits import Exit, RunError
from pipeline.plan import Plan
from pipeline.versions import pinned_versions
from transforms.blocks.summary import OutputFile, Settled
from transforms.digests import canonical_json, merkle_root
from transforms.records import Outcome, Shard, ShardFault
from transforms.shards.lines import BLANK_RECORD
from transforms.shards.plan import EMPTY_SHARD, Inspection

Key = tuple[str, str]
Manifest = dict[str, Any]


def build_manifest(
    run_id: str, campaign: Campaign, plan: Plan, settled: Sequence[Settled], outputs: Iterable[OutputFile]
) -> Manifest:
    """The manifest as a JSON value. Raises RunError where the books of a shard do not balance."""
    by_shard: dict[Key, list[Settled]] = {}
    for block in settled:
        by_shard.setdefault((block.block.shard.stream, block.block.shard.name), []).append(block)
    inputs = [_input(inspection, by_shard) for inspection in plan.inspections]
    files = sorted(outputs, key=lambda file: file.path)
    roots = (bytes.fromhex(file.merkle_root) for file in files if file.merkle_root)
    return {
        "manifest_version": "digest-manifest-v1",
        "run_id": run_id,
        "campaign": {
            "id": campaign.id,
            "canonicalisation": campaign.canonicalisation,
            "dialect": campaign.dialect,
            "validator": dict(campaign.validator),
        },
        "documents": [
            {"role": doc.role, "version": doc.version, "path": doc.path, "sha256": doc.sha256}
            for doc in campaign.documents
        ],
        "inputs": inputs,
        "merkle_root": merkle_root(roots),
        "outputs": [_output(file) for file in files],
        "rejects": {"payload": campaign.payload},
        "streams": {name: _stream(name, campaign, settled, inputs) for name in sorted(campaign.streams)},
        "versions": pinned_versions(),
        "warnings": list(_warnings(inputs, settled)),
    }


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as it is published: RFC 8785, and a final line feed."""
    return canonical_json(manifest) + b"\n"


def shard_faults(plan: Plan, settled: Iterable[Settled]) -> list[tuple[Shard, ShardFault]]:
    """Every unusable shard with its fault, whether planning or reading found it."""
    return [*plan.faults(), *((block.block.shard, block.fault) for block in settled if block.fault)]


def _books(outcomes: Mapping[Outcome, int], read: int) -> dict[str, int]:
    return {
        "read": read,
        "accepted": outcomes.get(Outcome.ACCEPTED, 0),
        "rejected": outcomes.get(Outcome.REJECTED, 0),
        "held": outcomes.get(Outcome.HELD, 0),
    }


def _input(inspection: Inspection, by_shard: Mapping[Key, list[Settled]]) -> dict[str, Any]:
    shard = inspection.shard
    blocks = by_shard.get((shard.stream, shard.name), [])
    outcomes: Counter[Outcome] = Counter()
    for block in blocks:
        outcomes.update(block.outcomes)
    books = _books(outcomes, sum(block.read for block in blocks))
    blanks = sum(block.blanks for block in blocks)
    faults = [*inspection.faults, *(block.fault for block in blocks if block.fault)]
    row: dict[str, Any] = {
        "stream": shard.stream,
        "shard": shard.name,
        "uri": shard.uri,
        "bytes": inspection.size,
        "records": books,
        "blank_lines": blanks,
    }
    if inspection.sha256 is not None:
        row["sha256"] = inspection.sha256
    if faults:
        row["fault"] = {"code": faults[0].code, "message": faults[0].message}
    else:
        _balance(inspection, books, blanks, [block.block.index for block in blocks])
    return row


def _balance(inspection: Inspection, books: Mapping[str, int], blanks: int, came: Sequence[int]) -> None:
    name = f"{inspection.shard.stream}/{inspection.shard.name}"
    if sorted(came) != list(range(len(inspection.blocks))):
        raise RunError(Exit.INTERNAL, f"{name}: {len(inspection.blocks)} blocks planned, {sorted(came)} came back")
    if books["read"] != books["accepted"] + books["rejected"] + books["held"]:
        raise RunError(Exit.INTERNAL, f"{name}: the books do not balance: {dict(books)}")
    if inspection.lines is not None and inspection.lines != books["read"] + blanks:
        raise RunError(Exit.INTERNAL, f"{name}: {inspection.lines} lines planned, {books['read'] + blanks} read")


def _output(file: OutputFile) -> dict[str, Any]:
    row: dict[str, Any] = {"path": file.path, "bytes": file.bytes, "sha256": file.sha256}
    if file.rows is not None:
        row["rows"] = file.rows
    if file.merkle_root:
        row["merkle_root"] = file.merkle_root
    return row


def _stream(
    name: str, campaign: Campaign, settled: Iterable[Settled], inputs: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    codes, warned = Counter[str](), Counter[str]()
    for block in settled:
        if block.block.shard.stream == name:
            codes.update(block.codes)
            warned.update(block.warned)
    own = [row for row in inputs if row["stream"] == name]
    books = {key: sum(row["records"][key] for row in own) for key in ("read", "accepted", "rejected", "held")}
    terms = campaign.streams[name].terms
    return {
        "kind": terms.kind,
        "versions": sorted(terms.schemas),
        "records": books,
        "blank_lines": sum(row["blank_lines"] for row in own),
        "codes": dict(sorted(codes.items())),
        "warned": dict(sorted(warned.items())),
    }


def _warnings(inputs: Iterable[Mapping[str, Any]], settled: Iterable[Settled]) -> Iterable[dict[str, str]]:
    blanks: Counter[Key] = Counter()
    for block in settled:
        blanks[block.block.shard.stream, block.block.shard.name] += block.codes.get(BLANK_RECORD.code, 0)
    for row in inputs:
        place = {"stream": row["stream"], "shard": row["shard"]}
        if "fault" in row:
            yield {**row["fault"], **place}
        elif row["records"]["read"] == blanks[row["stream"], row["shard"]]:
            yield {"code": EMPTY_SHARD.code, "message": "the shard holds no records", **place}
