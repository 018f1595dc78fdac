"""Committed runs made up record by record, without a campaign: any outcome, any codes, any size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.manifest import manifest_bytes
from pipeline.publish import MANIFEST, SUMS, checksums
from transforms.blocks.refusals import refusal
from transforms.blocks.summary import OutputFile, output_file
from transforms.columns.provenance import PROVENANCE_SCHEMA, SOURCE_FIELDS, Provenance, provenance_columns
from transforms.digests import merkle_root, sha256_hex
from transforms.records import Finding, Line, Outcome

NO_DIGEST = "0" * 64


@dataclass(frozen=True)
class Told:
    """A record and what a run says of it; `source` is what it was told from, `kept` whether refusals keep its bytes."""

    data: bytes
    outcome: Outcome = Outcome.ACCEPTED
    codes: tuple[str, ...] = ()
    source: bytes | None = None
    kept: bool = True

    @property
    def sha256(self) -> str:
        is_translated = self.source is not None and self.outcome is Outcome.ACCEPTED
        return sha256_hex(self.data if is_translated or self.source is None else self.source)


Shards = Iterable[Iterable[Told]]


def write_synthetic_run(
    root: Path, streams: Mapping[str, tuple[str, Shards]], *, changes: Mapping[str, Any] | None = None
) -> Path:
    """A run with these shards in each stream of a kind; `changes` are members of the manifest's streams."""
    files: list[OutputFile] = []
    counted = {}
    for stream, (kind, shards) in streams.items():
        books: Counter[str] = Counter()
        for number, shard in enumerate(shards):
            files += _write_shard(root, stream, f"{number:04}.jsonl", shard, books)
        records = {"read": books.total(), **{outcome.value: books[outcome] for outcome in Outcome}}
        plain = {"kind": kind, "versions": [kind], "records": records, "blank_lines": 0, "codes": {}, "warned": {}}
        counted[stream] = plain | (changes or {})
    validator = {"engine": "jsonschema-rs", "version": "0", "formats": "annotate"}
    manifest = {
        "manifest_version": "digest-manifest-v1",
        "run_id": root.name,
        "campaign": {"id": "synthetic", "canonicalisation": "raw", "dialect": "none", "validator": validator},
        "documents": [
            {"role": "campaign", "version": "campaign-v1", "path": "campaign/campaign.json", "sha256": NO_DIGEST}
        ],
        "inputs": [],
        "merkle_root": NO_DIGEST,
        "outputs": sorted(map(_listed, files), key=lambda row: str(row["path"])),
        "rejects": {"payload": "raw"},
        "streams": counted,
        "versions": {},
        "warnings": [],
    }
    root.mkdir(parents=True, exist_ok=True)
    data = manifest_bytes(manifest)
    (root / MANIFEST).write_bytes(data)
    (root / SUMS).write_bytes(checksums(manifest, data))
    return root


def _listed(file: OutputFile) -> dict[str, Any]:
    row = {"path": file.path, "bytes": file.bytes, "sha256": file.sha256, "rows": file.rows}
    return row | ({"merkle_root": file.merkle_root} if file.merkle_root else {})


def _write_shard(
    root: Path, stream: str, shard: str, records: Iterable[Told], books: Counter[str]
) -> Iterable[OutputFile]:
    accepted: list[tuple[int, Told]] = []
    refused: dict[Outcome, list[bytes]] = {Outcome.HELD: [], Outcome.REJECTED: []}
    for number, told in enumerate(records, 1):
        books[told.outcome] += 1
        if told.outcome is Outcome.ACCEPTED:
            accepted.append((number, told))
            continue
        data = told.data if told.source is None else told.source
        findings = [Finding(code, "told so") for code in told.codes]
        line = Line(number, 0, len(data), data)
        refused[told.outcome].append(refusal(line, stream, shard, told.outcome, findings, told.kept) + b"\n")
    yield from _write_accepted(root, stream, shard, accepted)
    for outcome, lines in refused.items():
        if lines:
            path = root / outcome / stream / f"{shard}-b00000.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"".join(lines))
            yield output_file(path, root, len(lines))


def _write_accepted(root: Path, stream: str, shard: str, rows: list[tuple[int, Told]]) -> Iterable[OutputFile]:
    if not rows:
        return
    origins = [
        Provenance(stream, shard, line, 0, len(told.data), "v", None, told.sha256, told.data) for line, told in rows
    ]
    arrays, fields = provenance_columns(origins), list(PROVENANCE_SCHEMA)
    if any(told.source is not None for _, told in rows):
        sources = [told.source or told.data for _, told in rows]
        arrays += [pa.array(sources), pa.array(map(sha256_hex, sources))]
        fields += SOURCE_FIELDS
    path = root / Outcome.ACCEPTED / stream / f"{shard}-b00000.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), path, row_group_size=4096)
    yield output_file(path, root, len(rows), merkle_root([]))
