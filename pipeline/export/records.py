"""The accepted records of a run, each from the archival bytes that its digest is over."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.committed.run import Output, Run, named, row_groups
from pipeline.exits import Exit, RunError
from pipeline.export.lineage import Origin
from pipeline.export.values import Record
from transforms.digests import sha256_hex
from transforms.kinds import KINDS
from transforms.reading import Read
from transforms.records import Line, Outcome, Syntax
from transforms.terms import Limits

_COLUMNS = ("assay_shard", "assay_line", "assay_record_sha256", "assay_archival_bytes")
# The deepest that a campaign may allow.
_MAX_DEPTH = 128


def accepted_records(run: Run, stream: str) -> Iterator[tuple[Origin, Record]]:
    """The accepted records of a stream in the order of the run's files; a row group of them is in memory at a time.

    Raises RunError (Exit.INTEGRITY) where a file is not the one that the manifest lists, or a record's bytes are not
    those of its digest.
    """
    kind = run.kinds[stream]
    for output in run.outputs_of(Outcome.ACCEPTED, stream):
        for table in row_groups(run, output, _COLUMNS):
            for row in table.to_pylist():
                yield _record(
                    run, output, Origin(stream, *(row[name] for name in _COLUMNS[:3])), kind, row[_COLUMNS[3]]
                )


def _record(run: Run, output: Output, origin: Origin, kind: str, archival: bytes) -> tuple[Origin, Record]:
    with named(run, output):
        is_sound = sha256_hex(archival) == origin.record_sha256
        record = read(kind, archival)
    if not is_sound:
        place = f"{run.folder / output.path}: the record of {origin.shard} line {origin.line}"
        raise RunError(Exit.INTEGRITY, f"{place} was changed")
    return origin, record


def read(kind: str, archival: bytes) -> Record:
    """The record of `archival`: JSON, or else YAML. Raises ValueError where they are neither.

    A carriage return ends a line to some readers, so that only a last one may stand in a line.
    """
    limits = Limits(max_record_bytes=len(archival), max_depth=_MAX_DEPTH)
    for syntax in (Syntax.JSON, Syntax.YAML):
        found = KINDS[kind].read(Line(1, 0, len(archival), archival, syntax=syntax), limits)
        if isinstance(found, Read):
            body = archival.removesuffix(b"\r")
            is_line = syntax is Syntax.JSON and b"\n" not in body and b"\r" not in body
            return Record(kind, found.value, archival, is_line)
    raise ValueError("the bytes are no record")
