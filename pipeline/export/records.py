"""The accepted records of a run, each from the archival bytes that its digest is over."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.committed.archival import read_archival
from pipeline.committed.run import Run
from pipeline.exits import Exit, RunError
from pipeline.export.lineage import Origin
from pipeline.export.values import Record
from pipeline.load.loader import load
from pipeline.load.rows import ARCHIVAL, PLACE, SHA256

_COLUMNS = (*PLACE, SHA256, ARCHIVAL)


def accepted_records(run: Run, stream: str) -> Iterator[tuple[Origin, Record]]:
    """The accepted records of a stream in the order of the run's files; a row group of them is in memory at a time.

    Raises RunError (Exit.INTEGRITY) where a file is not the one that the manifest lists, or a record's bytes are not
    those of its digest.
    """
    kind = run.kinds[stream]
    for batch in load(run, stream, records=True).batches(_COLUMNS):
        columns = (batch.rows.column(name).to_pylist() for name in _COLUMNS)
        for *origin, archival in zip(*columns, strict=True):
            of = Origin(*origin)
            yield of, _record(run, of, kind, archival)


def _record(run: Run, origin: Origin, kind: str, archival: bytes) -> Record:
    try:
        return Record(kind, read_archival(archival, kind).value, archival)
    except ValueError as error:
        place = f"{origin.stream}/{origin.shard} line {origin.line}"
        raise RunError(Exit.INTEGRITY, f"{run.folder}: the accepted bytes of {place} are no record") from error
