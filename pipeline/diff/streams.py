"""Two runs' records of one stream, matched in turn by digest, by content and by identity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pipeline.committed.run import Run
from pipeline.diff.first_reading import read_rows
from pipeline.diff.matching import in_order, match
from pipeline.diff.rows import CodeSets, Digests, Matched, Rows, keyed, lone
from pipeline.diff.second_reading import Known, Wanted, read_known
from pipeline.diff.spool import Spool, append, new_spool, parts_for
from pipeline.diff.tally import Tally
from pipeline.diff.values import StreamDifference

_SIDES = ("before", "after")


@dataclass(slots=True)
class _Side:
    """One run's records of a stream: `wanted` marks those to read again, `spool` holds those that are left."""

    run: Run | None
    stream: str
    folder: Path
    parts: int
    spool: Spool = field(init=False)
    unmatched: Spool = field(init=False)
    wanted: Wanted = field(init=False)
    known: Known | None = None

    def read(self, codes: CodeSets) -> None:
        """Read all records into the spool."""
        self.spool = new_spool(self.folder / "digests", self.parts)
        self.unmatched = new_spool(self.folder / "unmatched", self.parts)
        count = 0
        for rows in read_rows(self.run, self.stream, codes) if self.run else ():
            self.spool.add(rows)
            count += len(rows)
        self.wanted = np.zeros(count, np.bool_)

    def read_again(self) -> None:
        """Learn content and identity of the wanted records."""
        if self.run and self.wanted.any():
            self.known = read_known(self.run, self.stream, self.wanted, self.folder / "known")

    def rekey(self, name: str, digests_of: Callable[[Known], Digests]) -> None:
        """Give the records that are left another key; those without one are unmatched."""
        left, self.spool = self.spool, new_spool(self.folder / name, self.parts)
        for part in range(self.parts):
            rows = left.take(part)
            if not len(rows):
                continue
            assert self.known is not None, "what is left is read again"
            digests = digests_of(self.known)[rows["ordinal"]]
            has_key = digests.any(axis=1)
            self.spool.add(keyed(rows[has_key], digests[has_key]))
            self.give_up(rows[~has_key])

    def give_up(self, rows: Rows) -> None:
        """Count rows as records that the other run does not have, by their own digest."""
        self.unmatched.add(keyed(rows, rows["sha256"]))


def compare_stream(runs: tuple[Run, Run], stream: str, codes: CodeSets, work: Path) -> StreamDifference:
    """The difference in one stream, which at least one run has; `work` is a folder that does not exist yet.

    Raises RunError (Exit.INTEGRITY) for a file that is not the one listed, and OSError.
    """
    own = [run if stream in run.kinds else None for run in runs]
    parts = parts_for(max(run.manifest["streams"][stream]["records"]["read"] for run in own if run))
    sides = [_Side(run, stream, work / name, parts) for run, name in zip(own, _SIDES, strict=True)]
    tally, changed = Tally(), work / "changed"
    for side in sides:
        side.read(codes)
    _match(sides, Matched.DIGEST, tally, changed)
    for side in sides:
        side.read_again()
    for by, digests_of in ((Matched.CONTENT, _contents), (Matched.IDENTITY, _identities)):
        for side in sides:
            side.rekey(by.name.lower(), digests_of)
        _match(sides, by, tally, changed)
    _leave(sides, tally, changed)
    kinds = tuple(run.kinds[stream] if run else None for run in own)
    identities = tuple(side.known and side.known.identities for side in sides)
    return StreamDifference(stream, kinds, tally, _warned(own, stream), changed, identities)  # type: ignore[arg-type]


def _contents(known: Known) -> Digests:
    return known.contents


def _identities(known: Known) -> Digests:
    return known.identities


def _match(sides: list[_Side], by: Matched, tally: Tally, changed: Path) -> None:
    """Match the records in the spools, and leave in new ones those that found none."""
    spools = [side.spool for side in sides]
    for side in sides:
        side.spool = new_spool(side.folder / f"after-{by.name.lower()}", side.parts)
    for part in range(sides[0].parts):
        before, after = (spool.take(part) for spool in spools)
        pairs, *left = match(before, after, by)
        listed = tally.count(pairs)
        append(changed, listed)
        for side, name, rows in zip(sides, _SIDES, left, strict=True):
            side.spool.add(rows)
            side.wanted[rows["ordinal"]] = True
            side.wanted[listed[name]["ordinal"]] = True


def _leave(sides: list[_Side], tally: Tally, changed: Path) -> None:
    """Count and list the records that only one run has."""
    for side in sides:
        for part in range(side.parts):
            side.give_up(side.spool.take(part))
    for part in range(sides[0].parts):
        for side, name in zip(sides, _SIDES, strict=True):
            append(changed, tally.count(lone(in_order(side.unmatched.take(part)), name)))


def _warned(runs: list[Run | None], stream: str) -> dict[str, tuple[int, int]]:
    before, after = (run.manifest["streams"][stream]["warned"] if run else {} for run in runs)
    return {code: (before.get(code, 0), after.get(code, 0)) for code in sorted({*before, *after})}
