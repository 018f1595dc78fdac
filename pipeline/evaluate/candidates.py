"""The records of a committed run whose code waits for tests: the accepted and the held ones, with the code of each."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson
import pyarrow as pa

from pipeline.campaign import Campaign
from pipeline.evaluate.program import Program, programs
from pipeline.exits import Exit, RunError
from pipeline.manifest import Manifest
from pipeline.report.printable import finding_line
from pipeline.verify.listing import read_manifest
from transforms.acceptance.code.extract import PYTHON, extract
from transforms.acceptance.values import CodeTerms
from transforms.digests import canonical_json, file_sha256, sha256_hex
from transforms.parquet import open_parquet
from transforms.reading import Read, read_record
from transforms.records import Json, Line, Outcome, Place, Syntax
from transforms.terms import Limits

KIND = "pairwise-v2"

_COLUMNS = ("assay_stream", "assay_shard", "assay_line", "assay_record_sha256", "assay_archival_bytes")
_UNREADABLE = (pa.ArrowException, OSError, ValueError, LookupError, TypeError, AttributeError)
# The deepest that a campaign may allow.
_MAX_DEPTH = 128


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record: its place, its task, the SHA-256 (hex) of its archival bytes, and its programs.

    There is a program for each text of the record that is judged; none where these hold no code, or where the run did
    not keep the record's bytes.
    """

    place: Place
    task_id: str
    record_sha256: str
    programs: tuple[Program, ...]


def code_streams(campaign: Campaign) -> dict[str, CodeTerms]:
    """The campaign's streams whose records' code is judged, with their terms. Raises RunError where there are none."""
    found = {}
    for name, stream in campaign.streams.items():
        acceptance = stream.terms.acceptance
        if stream.terms.kind == KIND and acceptance and acceptance.code and acceptance.code.language == PYTHON:
            found[name] = acceptance.code
    if not found:
        raise RunError(Exit.USAGE, f"the campaign judges no {PYTHON} code of any stream of {KIND}")
    return found


def candidates(run: Path, campaign: Campaign, streams: Mapping[str, CodeTerms]) -> Iterator[Candidate]:
    """The accepted and the held records of the streams, in the order of the run's files.

    Raises RunError where it is no committed run of a campaign of that id, or where a file is not the one that its
    manifest lists.
    """
    for outcome, file in _files(run, _manifest(run, campaign), streams):
        try:
            yield from _of_accepted(file, streams) if outcome is Outcome.ACCEPTED else _of_held(file, campaign, streams)
        except _UNREADABLE as error:
            raise RunError(Exit.INTEGRITY, f"{file}: cannot be read: {type(error).__name__}") from error


def _manifest(run: Path, campaign: Campaign) -> Manifest:
    manifest, findings = read_manifest(run)
    if manifest is None or findings:
        more = f" (and {len(findings) - 1} more; see `assay verify {run}`)" if len(findings) > 1 else ""
        raise RunError(Exit.INTEGRITY, finding_line(findings[0]) + more)
    judged = manifest["campaign"]
    for member, wanted in (("id", campaign.id), ("canonicalisation", campaign.canonicalisation)):
        if judged[member] != wanted:
            raise RunError(Exit.USAGE, f"{run}: the run's campaign has {member} {judged[member]!r}, not {wanted!r}")
    return manifest


def _files(run: Path, manifest: Manifest, streams: Mapping[str, CodeTerms]) -> Iterator[tuple[Outcome, Path]]:
    for row in manifest["outputs"]:
        outcome, _, rest = row["path"].partition("/")
        stream = rest.partition("/")[0]
        if outcome not in (Outcome.ACCEPTED, Outcome.HELD) or stream not in streams:
            continue
        file = run / row["path"]
        if not file.is_file():
            raise RunError(Exit.INTEGRITY, f"{file}: listed, but not there")
        if file_sha256(file) != row["sha256"]:
            raise RunError(Exit.INTEGRITY, f"{file}: its SHA-256 is not the listed one")
        yield Outcome(outcome), file


def _of_accepted(path: Path, streams: Mapping[str, CodeTerms]) -> Iterator[Candidate]:
    with open_parquet(path) as file:
        for group in range(file.num_row_groups):
            for row in file.read_row_group(group, columns=list(_COLUMNS), use_threads=False).to_pylist():
                stream, shard, line, sha256, archival = (row[name] for name in _COLUMNS)
                if sha256_hex(archival) != sha256:
                    raise RunError(Exit.INTEGRITY, f"{path}: the record of {shard} line {line} was changed")
                yield _candidate(Place(stream, shard, line), _read(archival), sha256, streams)


def _of_held(path: Path, campaign: Campaign, streams: Mapping[str, CodeTerms]) -> Iterator[Candidate]:
    for line in path.read_bytes().splitlines():
        row = orjson.loads(line)
        place = Place(row["stream"], row["shard"], row["line"])
        if "raw" not in row and "raw_base64" not in row:
            yield Candidate(place, "", row["record_sha256"], ())
            continue
        data = row["raw"].encode() if "raw" in row else base64.b64decode(row["raw_base64"])
        if sha256_hex(data) != row["record_sha256"]:
            raise RunError(Exit.INTEGRITY, f"{path}: the record of {place.shard} line {place.line} was changed")
        read = _read(data)
        archival = canonical_json(read.value, plain=read.plain) if campaign.canonicalisation == "jcs" else data
        yield _candidate(place, read, sha256_hex(archival), streams)


def _read(data: bytes) -> Read:
    """The record of these bytes: JSON, or else YAML. Raises ValueError where they are neither."""
    limits = Limits(max_record_bytes=len(data), max_depth=_MAX_DEPTH)
    for syntax in (Syntax.JSON, Syntax.YAML):
        read = read_record(Line(1, 0, len(data), data, syntax=syntax), limits)
        if isinstance(read, Read):
            return read
    raise ValueError("the bytes are no record")


def _candidate(place: Place, read: Read, sha256: str, streams: Mapping[str, CodeTerms]) -> Candidate:
    value: Json = read.value
    return Candidate(place, value["task_id"], sha256, programs(extract(value, streams[place.stream]).snippets))
