"""What the files hold against what the manifest says they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.committed.folder import Entry, open_file
from pipeline.manifest import Manifest
from pipeline.publish import MANIFEST
from pipeline.verify.codes import BOOKS_DIFFER, FILE_CHANGED, MERKLE_MISMATCH, RECORD_CHANGED, broken
from pipeline.verify.identities import Counts, check_identified, check_index
from transforms.blocks.refusals import kept_bytes
from transforms.digests import merkle_root, sha256_hex
from transforms.identities.table import FOLDER
from transforms.parquet import open_parquet
from transforms.records import Finding, Outcome
from transforms.shards.digested import digest_file, unchanged
from transforms.storage.location import Location

Row = dict[str, Any]
# Beside records that were made from other bytes.
_SOURCE = ("assay_shard", "assay_line", "assay_source_sha256", "assay_source_bytes")
_COLUMNS = ("assay_stream", "assay_shard", "assay_line", "assay_record_sha256", "assay_archival_bytes")


@dataclass(slots=True)
class _Seen:
    """Counts found in the files: records by (stream, shard, outcome), and refused records by (stream, code).

    Accepted records of the streams `adapted` stand beside the source that they were made from.
    `identities` has the rows of each identity index, by its path, by (stream, shard).
    """

    adapted: frozenset[str] = frozenset()
    records: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)
    identities: dict[str, Counts] = field(default_factory=dict)


def check_contents(run: Location, present: Iterable[Entry], manifest: Manifest) -> tuple[Finding, ...]:
    """Every file's size and digest, every record's digest, every Merkle root, every count.

    What is not among the files `present` is passed over: the listing tells of it.
    """
    seen = _Seen(frozenset(name for name, stream in manifest["streams"].items() if "adapter" in stream))
    found: list[Finding] = []
    files = {entry.name for entry in present if entry.is_file}
    for row in manifest["outputs"]:
        if row["path"] not in files:
            continue
        try:
            with open_file(run, row["path"]) as file:
                found += _check_file(file, row, seen)
        except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            found.append(broken(FILE_CHANGED, row["path"], f"cannot be read: {type(error).__name__}"))
    found += _check_root(manifest)
    found += _check_documents(manifest)
    found += check_identified(manifest, seen.records, seen.identities)
    found += _check_books(manifest, seen)
    return tuple(found)


def _check_file(file: BinaryIO, row: Row, seen: _Seen) -> Iterator[Finding]:
    digested = digest_file(file)
    if digested.size != row["bytes"]:
        yield broken(FILE_CHANGED, row["path"], f"{digested.size} bytes, listed are {row['bytes']}")
    elif digested.sha256 != row["sha256"]:
        yield broken(FILE_CHANGED, row["path"], "its SHA-256 is not the listed one")
    folder = row["path"].split("/", 1)[0]
    with unchanged(file, digested) as same:
        if folder == Outcome.ACCEPTED:
            yield from _check_accepted(same, row, seen)
        elif folder in (Outcome.REJECTED, Outcome.HELD):
            yield from _check_refused(same, row, seen)
        elif folder == FOLDER:
            yield from check_index(same, row, seen.identities.setdefault(row["path"], Counts()))


def _check_accepted(file: BinaryIO, row: Row, seen: _Seen) -> Iterator[Finding]:
    leaves: list[bytes] = []
    with open_parquet(file) as parquet:
        for batch in parquet.iter_batches(batch_size=1024, columns=list(_COLUMNS), use_threads=False):
            columns = (batch.column(name).to_pylist() for name in _COLUMNS)
            for stream, shard, line, digest, archival in zip(*columns, strict=True):
                seen.records[stream, shard, Outcome.ACCEPTED] += 1
                leaves.append(bytes.fromhex(digest))
                if sha256_hex(archival) != digest:
                    yield broken(RECORD_CHANGED, row["path"], f"the record of {shard} line {line}")
        if row["path"].split("/")[1] in seen.adapted or set(_SOURCE) <= set(parquet.schema_arrow.names):
            yield from _check_sources(parquet, row["path"])
    if len(leaves) != row.get("rows"):
        yield broken(BOOKS_DIFFER, row["path"], f"{len(leaves)} rows, listed are {row.get('rows')}")
    if merkle_root(leaves) != row.get("merkle_root"):
        yield broken(MERKLE_MISMATCH, row["path"], "the root over its records is not the listed one")


def _check_sources(parquet: pq.ParquetFile, path: str) -> Iterator[Finding]:
    """The bytes that records were made from, against their digests."""
    for batch in parquet.iter_batches(batch_size=1024, columns=list(_SOURCE), use_threads=False):
        for shard, line, digest, source in zip(*(batch.column(name).to_pylist() for name in _SOURCE), strict=True):
            if source is not None and sha256_hex(source) != digest:
                yield broken(RECORD_CHANGED, path, f"the source of {shard} line {line}")


def _check_refused(file: BinaryIO, row: Row, seen: _Seen) -> Iterator[Finding]:
    count, folder = 0, row["path"].split("/", 1)[0]
    for data in file:
        count += 1
        refused = orjson.loads(data)
        if refused["outcome"] != folder:
            yield broken(BOOKS_DIFFER, row["path"], f"line {count} is of a record that is not {folder}")
        seen.records[refused["stream"], refused["shard"], refused["outcome"]] += 1
        for code in {finding["code"] for finding in refused["findings"]}:
            seen.codes[refused["stream"], code] += 1
        yield from _check_raw(refused, row["path"])
    if count != row.get("rows"):
        yield broken(BOOKS_DIFFER, row["path"], f"{count} lines, listed are {row.get('rows')}")


def _check_raw(refused: Row, path: str) -> Iterator[Finding]:
    """The kept bytes against their digest, where all of them were kept."""
    data = None if refused.get("raw_truncated") else kept_bytes(refused)
    if data is not None and sha256_hex(data) != refused["record_sha256"]:
        yield broken(RECORD_CHANGED, path, f"the record of {refused['shard']} line {refused['line']}")


def _check_root(manifest: Manifest) -> Iterator[Finding]:
    roots = [bytes.fromhex(row["merkle_root"]) for row in manifest["outputs"] if "merkle_root" in row]
    if merkle_root(roots) != manifest["merkle_root"]:
        yield broken(MERKLE_MISMATCH, MANIFEST, "merkle_root is not that of the accepted files")


def _check_documents(manifest: Manifest) -> Iterator[Finding]:
    listed = {row["path"]: row["sha256"] for row in manifest["outputs"]}
    for document in manifest["documents"]:
        if listed.get(document["path"]) != document["sha256"]:
            yield broken(FILE_CHANGED, document["path"], "is not the document that the run was judged by")


def _check_books(manifest: Manifest, seen: _Seen) -> Iterator[Finding]:
    for row in manifest["inputs"]:
        books, name = row["records"], f"{row['stream']}/{row['shard']}"
        if books["read"] != books["accepted"] + books["rejected"] + books["held"]:
            yield broken(BOOKS_DIFFER, MANIFEST, f"{name}: read ≠ accepted + rejected + held")
        for outcome in (member.value for member in Outcome):
            counted = seen.records.pop((row["stream"], row["shard"], outcome), 0)
            if counted != books[outcome]:
                yield broken(BOOKS_DIFFER, MANIFEST, f"{name}: {counted} {outcome} in files, listed {books[outcome]}")
    yield from _check_sources_read(manifest)
    # Sorted as text: in a forged file these may be of any type.
    for stream, shard, outcome in sorted(seen.records, key=str):
        yield broken(BOOKS_DIFFER, MANIFEST, f"{outcome} records of {stream}/{shard}, which is no input")
    for name, stream in manifest["streams"].items():
        yield from _check_stream(name, stream, manifest, seen)


def _check_sources_read(manifest: Manifest) -> Iterator[Finding]:
    """What was read of each earlier run is what its files had."""
    for source in manifest.get("sources", ()):
        prefix = source["run_id"] + "/"
        for stream, counts in source["streams"].items():
            own = [row for row in manifest["inputs"] if row["stream"] == stream and row["shard"].startswith(prefix)]
            read = sum(row["records"]["read"] + row["blank_lines"] for row in own)
            if read != counts["read"]:
                message = f"{read} records of {stream} from {source['run_id']} in inputs, listed {counts['read']}"
                yield broken(BOOKS_DIFFER, MANIFEST, message)


def _check_stream(name: str, stream: Row, manifest: Manifest, seen: _Seen) -> Iterator[Finding]:
    for key, total in stream["records"].items():
        if total != sum(row["records"][key] for row in manifest["inputs"] if row["stream"] == name):
            yield broken(BOOKS_DIFFER, MANIFEST, f"{name}: {key} is not the sum over its shards")
    counted = {code: count for (of, code), count in seen.codes.items() if of == name}
    for code in sorted({*counted, *stream["codes"]}, key=str):
        # Records that were only warned are accepted and leave no line of reasons.
        listed = stream["codes"].get(code, 0) - stream["warned"].get(code, 0)
        if counted.get(code, 0) != listed:
            message = f"{name}: {counted.get(code, 0)} refused records with {code} in files, listed {listed}"
            yield broken(BOOKS_DIFFER, MANIFEST, message)
