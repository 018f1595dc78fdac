"""The accepted records of a run, or a part of them, in the order of its manifest.

A row's position is its number, from 0, among all accepted rows of the chosen streams, in the manifest's order of
files and each file's order of rows. A shard of `count` has the positions from `total * index // count` to
`total * (index + 1) // count`: shards are disjoint, complete, and differ by one row at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from pipeline.committed.archival import read_archival
from pipeline.committed.run import Output, Run, named, open_rows, open_run
from pipeline.exits import Exit, RunError
from pipeline.load.rows import ARCHIVAL, PLACE, SHA256, Batch, Record, parts, read_part
from transforms.records import Outcome, Place
from transforms.storage.location import Location, locate

_COLUMNS = (*PLACE, SHA256, ARCHIVAL)


@dataclass(frozen=True, slots=True)
class Loader:
    """Accepted rows of a run: those of `outputs`, its accepted files, at the positions `begin` to `end` (without it).

    Each method reads anew and holds one row group in memory. A file's digest is checked before its first row is given;
    with `check_records` each record's as well. All raise RunError (Exit.INTEGRITY) for what is not as published.
    """

    run: Run
    outputs: tuple[Output, ...]
    begin: int
    end: int
    check_records: bool = False

    def __len__(self) -> int:
        return self.end - self.begin

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[Batch]:
        """Typed rows, a row group at a time: all columns, or these in this order.

        A row group through which `begin` or `end` goes is cut there. Raises RunError (Exit.USAGE) for a column that
        a stream does not have.
        """
        for part in parts(self.outputs, self.begin, self.end):
            yield from read_part(self.run, part, columns, self.check_records)

    def archival(self) -> Iterator[bytes]:
        """The archival bytes of each record."""
        for batch in self.batches((ARCHIVAL,)):
            yield from batch.rows.column(ARCHIVAL).to_pylist()

    def records(self) -> Iterator[Record]:
        """Each record with the value of its archival bytes, parsed as strictly as when it was judged."""
        kinds = self.run.kinds
        for part in parts(self.outputs, self.begin, self.end):
            for batch in read_part(self.run, part, _COLUMNS, self.check_records):
                columns = (batch.rows.column(name).to_pylist() for name in _COLUMNS)
                for number, (*place, sha256, archival) in enumerate(zip(*columns, strict=True)):
                    with named(self.run, part.output):
                        value = read_archival(archival, kinds[part.output.stream]).value
                    yield Record(Place(*place), batch.position + number, sha256, value)

    def schema(self) -> pa.Schema:
        """The columns of the rows. Raises RunError (Exit.USAGE) where they are of several streams."""
        if len({output.stream for output in self.outputs}) != 1:
            raise RunError(Exit.USAGE, f"{self.run.folder}: streams have different columns: choose one")
        first = next((part.output for part in parts(self.outputs, self.begin, self.end)), self.outputs[0])
        with open_rows(self.run, first) as file:
            return file.schema_arrow


def load(
    run: Location | str | Run,
    streams: str | Sequence[str] | None = None,
    *,
    shard: tuple[int, int] = (0, 1),
    start: int | None = None,
    limit: int | None = None,
    records: bool = False,
) -> Loader:
    """The accepted records of a committed run: of all its streams, of one, or of several.

    `shard` is (index from 0, count) for jobs that share the work. `start` is the position to go on from, the `next` of
    the last item that was taken: what follows is what an uninterrupted read of the same streams and shard would give.
    `limit` is the most rows to give. `records` asks for the digest of each record to be checked, not only each file's.

    Raises RunError: Exit.USAGE where there is no committed run, no such stream, shard or position; Exit.INTEGRITY
    where the manifest is not as published.
    """
    opened = run if isinstance(run, Run) else open_run(_location(run))
    outputs = _outputs(opened, [streams] if isinstance(streams, str) else streams)
    index, count = shard
    if not 0 <= index < count:
        raise RunError(Exit.USAGE, f"no shard {index} of {count}: the first is 0, the last {count - 1}")
    total = sum(output.rows or 0 for output in outputs)
    first, end = total * index // count, total * (index + 1) // count
    begin = first if start is None else start
    if not first <= begin <= end:
        raise RunError(Exit.USAGE, f"position {begin} is not in shard {index} of {count}: {first} to {end}")
    if limit is not None and limit < 0:
        raise RunError(Exit.USAGE, f"a limit of {limit} rows")
    return Loader(opened, outputs, begin, end if limit is None else min(end, begin + limit), records)


def _location(run: Location | str) -> Location:
    try:
        return locate(run) if isinstance(run, str) else run
    except ValueError as error:
        raise RunError(Exit.USAGE, str(error)) from error


def _outputs(run: Run, streams: Sequence[str] | None) -> tuple[Output, ...]:
    chosen = set(run.kinds if streams is None else streams)
    if unknown := sorted(chosen - set(run.kinds)):
        raise RunError(Exit.USAGE, f"{run.folder}: has no stream {unknown[0]!r}: {', '.join(sorted(run.kinds))}")
    return tuple(output for output in run.outputs if output.folder == Outcome.ACCEPTED and output.stream in chosen)
