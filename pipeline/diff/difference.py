"""The difference between any two committed runs."""

from __future__ import annotations

from pathlib import Path

from pipeline.committed.run import Run
from pipeline.diff.rows import CodeSets
from pipeline.diff.streams import compare_stream
from pipeline.diff.values import Difference


def difference(before: Run, after: Run, work: Path) -> Difference:
    """What became of each record of `before` in `after`; each file's digest is checked before it is read.

    `work` is an existing folder in which records wait while they are matched, some 250 bytes for each; it is the
    caller's to remove, when the changes have been read. Memory is bounded whatever the number of records. Raises
    RunError (Exit.INTEGRITY) where a file is not the one that its run lists, and OSError.
    """
    codes = CodeSets()
    names = sorted({*before.kinds, *after.kinds})
    streams = [compare_stream((before, after), name, codes, work / str(number)) for number, name in enumerate(names)]
    return Difference((before.run_id, before.sha256), (after.run_id, after.sha256), tuple(streams), codes)
