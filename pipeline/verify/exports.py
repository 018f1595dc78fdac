"""An export against its own manifest: every file, every line, and the lineage that tells of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import pyarrow as pa

from pipeline.committed.folder import entries, exists, open_file
from pipeline.committed.manifest_file import read_manifest
from pipeline.export.card import CARD
from pipeline.export.lineage import DROPPED, LINEAGE, LINEAGE_SCHEMA
from pipeline.export.manifest import EXPORT
from pipeline.manifest import Manifest
from pipeline.publish import MANIFEST
from pipeline.verify.codes import BOOKS_DIFFER, FILE_CHANGED, RECORD_CHANGED, broken
from pipeline.verify.listing import check_listing
from transforms.digests import sha256_hex
from transforms.parquet import open_parquet
from transforms.records import Finding
from transforms.shards.digested import digest_file, unchanged
from transforms.storage.location import Location

Row = dict[str, Any]
_UNREADABLE = (pa.ArrowException, OSError, ValueError, KeyError, TypeError, AttributeError)
_ARCHIVAL = "jsonl"


def is_export(folder: Location) -> bool:
    """Whether the folder has the manifest of an export, and none of a run."""
    return exists(folder, EXPORT.name) and not exists(folder, MANIFEST)


def verify_export(folder: Location) -> tuple[Finding, ...]:
    """All that is wrong with the export in `folder`; a finding's pointer is the path of a file in it.

    Raises OSError where a folder of it cannot be listed.
    """
    found, findings = read_manifest(folder, EXPORT)
    if found is None:
        return findings
    present = tuple(entries(folder))
    wrong = [*findings, *check_listing(present, found.value, EXPORT.name)]
    files = {entry.name for entry in present if entry.is_file}
    with ExitStack() as opened:
        readable: dict[str, BinaryIO] = {}
        for row in found.value["outputs"]:
            if row["path"] in files:
                wrong += _open(folder, row, readable, opened)
        if len(readable) == len(found.value["outputs"]):
            try:
                wrong += _check_lineage(readable, found.value)
            except _UNREADABLE as error:
                wrong.append(broken(FILE_CHANGED, LINEAGE, f"cannot be read: {type(error).__name__}"))
    return tuple(wrong)


def _open(folder: Location, row: Row, readable: dict[str, BinaryIO], opened: ExitStack) -> Iterator[Finding]:
    """Open the file of a row of the manifest, and add it to those that can be read where it is the one listed."""
    path = row["path"]
    try:
        file = opened.enter_context(open_file(folder, path))
        digested = digest_file(file)
    except OSError as error:
        yield broken(FILE_CHANGED, path, f"cannot be read: {type(error).__name__}")
        return
    if digested.size != row["bytes"]:
        yield broken(FILE_CHANGED, path, f"{digested.size} bytes, listed are {row['bytes']}")
    elif digested.sha256 != row["sha256"]:
        yield broken(FILE_CHANGED, path, "its SHA-256 is not the listed one")
    else:
        readable[path] = opened.enter_context(unchanged(file, digested))


@dataclass(slots=True)
class _Seen:
    """Counts found in the lineage, by stream: records, those with rows, rows, and records without rows by reason."""

    records: Counter[str] = field(default_factory=Counter)
    exported: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    last: tuple[Any, ...] = ()

    def count(self, row: Row) -> None:
        stream, record = row["stream"], (row["stream"], row["shard"], row["line"])
        is_another = record != self.last
        self.last = record
        self.records[stream] += is_another
        if row["outcome"] == DROPPED:
            self.dropped[stream, row["reason"]] += 1
            return
        self.exported[stream] += is_another
        self.rows[stream] += 1
        self.lines[row["export_file"]] += 1


def _check_lineage(files: dict[str, BinaryIO], manifest: Manifest) -> Iterator[Finding]:
    seen = _Seen()
    with open_parquet(files[LINEAGE]) as parquet:
        if not parquet.schema_arrow.equals(LINEAGE_SCHEMA):
            yield broken(FILE_CHANGED, LINEAGE, "has other columns than a lineage has")
            return
        for group in range(parquet.num_row_groups):
            for row in parquet.read_row_group(group, use_threads=False).to_pylist():
                seen.count(row)
                yield from _check_row(row, files, seen, manifest)
    yield from _check_ends(files, seen, manifest)
    yield from _check_streams(seen, manifest)


def _check_row(row: Row, files: dict[str, BinaryIO], seen: _Seen, manifest: Manifest) -> Iterator[Finding]:
    """One row of the lineage against the next line of the file that it names."""
    place = f"the record of {row['stream']}/{row['shard']} line {row['line']}"
    if row["run_manifest_sha256"] != manifest["run"]["manifest_sha256"]:
        yield broken(BOOKS_DIFFER, LINEAGE, f"{place} is said to be of another run")
    if row["outcome"] == DROPPED:
        return
    name = row["export_file"]
    if name not in files or name == LINEAGE or row["export_line"] != seen.lines[name]:
        yield broken(BOOKS_DIFFER, LINEAGE, f"{place} is said to stand where it does not")
        return
    line = files[name].readline().removesuffix(b"\n")
    is_verbatim = manifest["format"] == _ARCHIVAL and not row["normalised_fields"]
    if is_verbatim and sha256_hex(line) != row["record_sha256"]:
        yield broken(RECORD_CHANGED, name, place)


def _check_ends(files: dict[str, BinaryIO], seen: _Seen, manifest: Manifest) -> Iterator[Finding]:
    rows = Counter({**seen.lines, LINEAGE: seen.rows.total() + seen.dropped.total()})
    for output in manifest["outputs"]:
        path = output["path"]
        if "rows" not in output and path == CARD:
            continue
        if path != LINEAGE and files[path].readline():
            yield broken(BOOKS_DIFFER, path, "has lines that the lineage does not tell of")
        if rows[path] != output.get("rows"):
            yield broken(BOOKS_DIFFER, path, f"{rows[path]} rows by the lineage, listed are {output.get('rows')}")


def _check_streams(seen: _Seen, manifest: Manifest) -> Iterator[Finding]:
    for name in sorted({*seen.records, *manifest["streams"]}):
        listed = manifest["streams"].get(name, {})
        counted = {
            "records": seen.records[name],
            "exported": seen.exported[name],
            "rows": seen.rows[name],
            "dropped": {reason: count for (stream, reason), count in seen.dropped.items() if stream == name},
        }
        for key, count in counted.items():
            if listed.get(key) != count:
                yield broken(BOOKS_DIFFER, EXPORT.name, f"{name}: {key} is not what the lineage counts")
