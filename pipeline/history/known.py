"""The runs given as history: opened, their indexes checked, and the rest made from their accepted records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.committed.run import Run, check_output, named, open_run
from pipeline.exits import Exit, RunError
from pipeline.history.files import CheckedFile, index_in
from pipeline.history.made import make_index
from transforms.identities.read import Index
from transforms.identities.table import FOLDER, identity_joins, index_path
from transforms.joins.join import Join
from transforms.records import EarlierRun
from transforms.storage.location import Location
from transforms.terms import StreamTerms

# SHA-256 releases the interpreter lock.
_THREADS = 4

Family = tuple[str, Join]
Earlier = Mapping[tuple[str, str], tuple[Index, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """An index of an earlier run: what it is of, its path, SHA-256 (hex) and number of rows."""

    family: Family
    path: str
    sha256: str
    rows: int
    index: Index


@dataclass(frozen=True, slots=True, eq=False)
class KnownRun:
    """An earlier run with its checked indexes; `missing` are those that it has not, though it has such records."""

    folder: Location
    run: EarlierRun
    checked: tuple[Checked, ...]
    missing: tuple[Family, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """All runs given as history, in the order (run id, digest of the manifest), whatever order they were given in."""

    runs: tuple[KnownRun, ...] = ()

    @property
    def digests(self) -> list[str]:
        """The SHA-256 (hex) of each run's manifest."""
        return [known.run.manifest_sha256 for known in self.runs]

    @property
    def indexes(self) -> Earlier:
        """The indexes by kind and name of the join, in the order of the runs."""
        found: dict[tuple[str, str], tuple[Index, ...]] = {}
        for known in self.runs:
            for one in known.checked:
                key = one.family[0], one.family[1].name
                found[key] = (*found.get(key, ()), one.index)
        return found

    def described(self) -> list[dict[str, Any]]:
        """What a manifest says of each run and of the indexes that were used."""
        return [
            {
                "run_id": known.run.run_id,
                "manifest_sha256": known.run.manifest_sha256,
                "identities": [
                    {"path": one.path, "rows": one.rows, "sha256": one.sha256}
                    for one in sorted(known.checked, key=lambda one: one.path)
                ],
            }
            for known in self.runs
        ]


def open_history(folders: Sequence[Location], terms: Iterable[StreamTerms]) -> History:
    """The runs in `folders`, with the indexes that records of these streams are held against.

    Raises RunError: Exit.USAGE where there is no committed run or one is given twice, Exit.INTEGRITY where a manifest
    or an index is not what it was.
    """
    families = [(kind, join) for kind in sorted({one.kind for one in terms}) for join in identity_joins(kind)]
    with ThreadPoolExecutor(_THREADS) as pool:
        found = list(pool.map(lambda folder: _known(folder, families), folders))
    runs = sorted(found, key=lambda known: (known.run.run_id, known.run.manifest_sha256))
    for known, other in pairwise(runs):
        if known.run == other.run:
            message = f"--history {other.folder}: the run {other.run.run_id} is given twice"
            raise RunError(Exit.USAGE, message)
    return History(tuple(runs))


def complete(history: History, folder: Path) -> History:
    """The history with the indexes made that runs of earlier releases lack; they are written under `folder`.

    Raises RunError as `open_history` does.
    """
    return History(tuple(_completed(known, folder / str(at)) for at, known in enumerate(history.runs)))


def _known(folder: Location, families: Sequence[Family]) -> KnownRun:
    run = open_run(folder)
    own = [family for family in families if family[0] in run.kinds.values()]
    checked = tuple(_checked(run, own))
    has = {one.family for one in checked}
    missing = tuple(family for family in own if family not in has)
    return KnownRun(folder, EarlierRun(run.run_id, run.sha256), checked, missing)


def _checked(run: Run, families: Iterable[Family]) -> Iterator[Checked]:
    outputs = {output.path: output for output in run.outputs if output.folder == FOLDER}
    for kind, join in families:
        output = outputs.get(index_path(kind, join))
        if output is None:
            continue
        file = CheckedFile(run.folder, output.path, check_output(run, output))
        with named(run, output):
            index = index_in(file, join, EarlierRun(run.run_id, run.sha256))
        yield Checked((kind, join), output.path, output.sha256, output.rows or 0, index)


def _completed(known: KnownRun, folder: Path) -> KnownRun:
    if not known.missing:
        return known
    run = open_run(known.folder)
    if run.sha256 != known.run.manifest_sha256:
        raise RunError(Exit.INTEGRITY, f"{known.folder}: its manifest changed while it was read")
    made: list[Checked] = []
    for kind, families in groupby(known.missing, key=lambda family: family[0]):
        joins = [join for _, join in families]
        for join, file, rows in make_index(run, kind, joins, folder):
            try:
                index = index_in(file, join, known.run)
            except (pa.ArrowException, ValueError) as error:
                raise RunError(Exit.INTERNAL, f"{file.name}: {error}") from error
            made.append(Checked((kind, join), file.path, file.digested.sha256, rows, index))
    return KnownRun(known.folder, known.run, (*known.checked, *made))
