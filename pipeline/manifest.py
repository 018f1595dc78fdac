"""The digest manifest: built from what a run read, judged by, and wrote. No clock, no host, no output path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pipeline.campaign import Campaign
from pipeline.exits import Exit, RunError
from pipeline.plan import Plan
from pipeline.versions import pinned_versions
from transforms.acceptance.code.complexity import analyser
from transforms.acceptance.code.linter import linter
from transforms.acceptance.summary import Summary, published_summary
from transforms.acceptance.values import CodeTerms, EvidencePolicy
from transforms.adapters.table import ADAPTERS
from transforms.blocks.summary import Books, OutputFile, Settled
from transforms.digests import canonical_json, merkle_root
from transforms.records import Outcome, Shard, ShardFault
from transforms.shards.plan import EMPTY_SHARD, Inspection
from transforms.terms import StreamTerms

Key = tuple[str, str]
Manifest = dict[str, Any]


def build_manifest(
    run_id: str,
    campaign: Campaign,
    plan: Plan,
    settled: Sequence[Settled],
    outputs: Iterable[OutputFile],
    history: Sequence[dict[str, Any]] = (),
) -> Manifest:
    """The manifest as a JSON value; `history` describes the earlier runs that this one was judged against.

    Raises RunError where the books of a shard do not balance.
    """
    _refuse_lost_blocks(plan, settled)
    by_shard = _by_shard(settled)
    faults = {(shard.stream, shard.name): fault for shard, fault in shard_faults(plan, settled)}
    inputs = [_input(inspection, by_shard, faults) for inspection in plan.inspections]
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
        **_earlier_runs(plan, history),
        "streams": {name: _stream(name, campaign, settled, inputs) for name in sorted(campaign.streams)},
        "versions": pinned_versions(),
        "warnings": list(_warnings(inputs, by_shard)),
    }


def with_output(manifest: Manifest, file: OutputFile) -> Manifest:
    """The manifest with one more file, which holds no records."""
    return manifest | {"outputs": sorted([*manifest["outputs"], _output(file)], key=lambda row: row["path"])}


def _earlier_runs(plan: Plan, history: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Those that records come from, and those that they are judged against, where there are any."""
    sources = {"mode": "revalidate", "sources": [asdict(source) for source in plan.sources]} if plan.sources else {}
    return sources | ({"history": list(history)} if history else {})


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as it is published: RFC 8785, and a final line feed."""
    return canonical_json(manifest) + b"\n"


def shard_faults(plan: Plan, settled: Iterable[Settled]) -> list[tuple[Shard, ShardFault]]:
    """Every unusable shard with its fault, whether planning or reading found it."""
    return [*plan.faults(), *((block.block.shard_at(0), block.fault) for block in settled if block.fault)]


def _refuse_lost_blocks(plan: Plan, settled: Sequence[Settled]) -> None:
    planned, came = len(plan.blocks), sorted(block.ordinal for block in settled)
    if came != list(range(planned)):
        raise RunError(
            Exit.INTERNAL, f"{planned} blocks planned, {len(came)} came back, {len(set(came))} different ones"
        )


def _by_shard(settled: Iterable[Settled]) -> dict[Key, Books]:
    """The books of each shard, over all its blocks."""
    books: dict[Key, Books] = {}
    for block in settled:
        for part in () if block.fault else block.books():
            key = (block.block.stream, part.shard)
            books[key] = books[key] + part if key in books else part
    return books


def _records(books: Books) -> dict[str, int]:
    return {"read": books.read, **{outcome.value: books.outcomes.get(outcome, 0) for outcome in Outcome}}


def _input(inspection: Inspection, by_shard: Mapping[Key, Books], faults: Mapping[Key, ShardFault]) -> dict[str, Any]:
    shard = inspection.shard
    key = (shard.stream, shard.name)
    books = by_shard.get(key, Books(shard.name))
    row: dict[str, Any] = {
        "stream": shard.stream,
        "shard": shard.name,
        "uri": shard.uri,
        "bytes": inspection.size,
        "records": _records(books),
        "blank_lines": books.skipped,
    }
    if shard.generation is not None:
        # A string, as in the service's own JSON: it need not be a safe integer.
        row["generation"], row["crc32c"] = str(shard.generation), shard.crc32c
    if inspection.sha256 is not None:
        row["sha256"] = inspection.sha256
    if key in faults:
        row["fault"] = {"code": faults[key].code, "message": faults[key].message}
    else:
        _balance(inspection, row)
    return row


def _balance(inspection: Inspection, row: Mapping[str, Any]) -> None:
    books, name = row["records"], f"{row['stream']}/{row['shard']}"
    if books["read"] != books["accepted"] + books["rejected"] + books["held"]:
        raise RunError(Exit.INTERNAL, f"{name}: the books do not balance: {books}")
    lines = books["read"] + row["blank_lines"]
    if inspection.lines is not None and inspection.lines != lines:
        raise RunError(Exit.INTERNAL, f"{name}: {inspection.lines} lines planned, {lines} read")


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
    codes, warned, summary = Counter[str](), Counter[str](), Summary()
    for block in settled:
        if block.block.stream == name:
            codes.update(block.codes)
            warned.update(block.warned)
            summary += block.summary
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
        **_adapter(terms, campaign),
        **_migrations(terms, campaign),
        **_acceptance(terms, summary),
    }


def _adapter(terms: StreamTerms, campaign: Campaign) -> dict[str, Any]:
    if terms.adapter is None:
        return {}
    source = terms.adapter.source
    version, pinned = ADAPTERS[source].version, _schema_sha256(source, campaign)
    return {"adapter": {"source": source, "version": version, "schema_sha256": pinned}}


def _migrations(terms: StreamTerms, campaign: Campaign) -> dict[str, Any]:
    rows = [
        {"from": step.source, "to": step.target, "schema_sha256": _schema_sha256(step.source, campaign)}
        for step in terms.migrations.values()
    ]
    return {"migrations": rows} if rows else {}


def _schema_sha256(version: str, campaign: Campaign) -> str:
    return next(doc.sha256 for doc in campaign.documents if (doc.role, doc.version) == ("schema", version))


def _acceptance(terms: StreamTerms, summary: Summary) -> dict[str, Any]:
    policy = terms.acceptance.evidence_policy if terms.acceptance else EvidencePolicy.CITED
    found = published_summary(terms.kind, summary, policy)
    if terms.acceptance and terms.acceptance.code:
        found["code"] = _tools(terms.acceptance.code)
    return {"acceptance": found} if found else {}


def _tools(code: CodeTerms) -> dict[str, Any]:
    """What measures and lints code, as the rubric's gates understand their numbers."""
    tools = {"analyser": dict(analyser())}
    return tools | ({"linter": dict(linter(code.linter_rules))} if code.linter_rules else {})


def _warnings(inputs: Iterable[Mapping[str, Any]], by_shard: Mapping[Key, Books]) -> Iterable[dict[str, str]]:
    for row in inputs:
        place = {"stream": row["stream"], "shard": row["shard"]}
        books = by_shard.get((row["stream"], row["shard"]), Books(row["shard"]))
        if "fault" in row:
            yield {**row["fault"], **place}
        elif books.read == books.blank:
            yield {"code": EMPTY_SHARD.code, "message": "the shard holds no records", **place}
