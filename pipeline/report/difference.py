"""A difference between two runs on standard output: bounded text, or all of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, TextIO

from pipeline.diff.rows import OUTCOMES
from pipeline.diff.values import Difference, StreamDifference
from pipeline.exits import Exit
from pipeline.report.printable import printable
from pipeline.report.text import table

_MOST_CHANGES = 20
_COUNTS = ("before", "after", "lost", "gained")


def print_difference(found: Difference, form: str, out: TextIO) -> int:
    """Print the difference; the exit code: 1 where there is one."""
    if form == "json":
        _print_json(found, out)
    else:
        for line in _lines(found):
            print(printable(line), file=out)
    return Exit.OK if found.is_empty else Exit.BEYOND_THRESHOLDS


def _print_json(found: Difference, out: TextIO) -> None:
    """One object, written as it is read: the list may have millions of rows."""
    summary = json.dumps(found.summary(), indent=2)
    out.write(summary.removesuffix("\n}") + ',\n  "changes": [')
    separator = "\n    "
    for row in _changes(found):
        out.write(separator + json.dumps(row))
        separator = ",\n    "
    out.write("\n  ]\n}\n")


def _changes(found: Difference) -> Iterator[dict[str, Any]]:
    for batch in found.changes():
        yield from batch.to_pylist()


def _lines(found: Difference) -> Iterator[str]:
    yield f"before: {found.before[0]} (manifest {found.before[1]})"
    yield f"after:  {found.after[0]} (manifest {found.after[1]})"
    if found.is_empty:
        yield "no difference"
        return
    for stream in found.streams:
        yield ""
        yield from _stream_lines(stream, found)
    total = sum(stream.changes for stream in found.streams)
    if total:
        yield ""
        yield from (_change_line(row) for row in islice(_changes(found), _MOST_CHANGES))
    if total > _MOST_CHANGES:
        yield f"… and {total - _MOST_CHANGES} more: --format json or --output lists all"


def _stream_lines(stream: StreamDifference, found: Difference) -> Iterator[str]:
    before, after = stream.kinds
    kind = before if before == after else f"{before or 'no stream'} → {after or 'no stream'}"
    if stream.is_empty:
        yield f"{stream.stream} ({kind}): no difference"
        return
    tally = stream.tally
    yield (
        f"{stream.stream} ({kind}): {tally.flipped} flipped, {tally.recoded} with the same outcome and other codes, "
        f"{tally.rewritten} with the same outcome and other bytes"
    )
    rows = [[name, *map(str, row.values())] for name, row in tally.matrix().items()]
    rows[-1].append("0")
    yield from (f"  {line}" for line in table(["before \\ after", *OUTCOMES], rows))
    if codes := tally.by_code(found.codes):
        rows = [[code, *(str(counts[name]) for name in _COUNTS)] for code, counts in codes.items()]
        yield from (f"  {line}" for line in table(["code", *_COUNTS], rows))
    for code, (one, other) in stream.warned.items():
        if one != other:
            yield f"  accepted with {code}: {one} before, {other} after"


def _change_line(row: dict[str, Any]) -> str:
    before, after = (_side(row, side) for side in ("before", "after"))
    one, other = row["before_sha256"], row["after_sha256"]
    sha256 = one or other
    rewritten = f" → {other}" if one and other and one != other else ""
    return f"{row['stream']} {sha256}{rewritten}: {before} → {after}"


def _side(row: dict[str, Any], side: str) -> str:
    codes = ", ".join(row[f"{side}_codes"])
    outcome: str = row[f"{side}_outcome"]
    return f"{outcome} ({codes})" if codes else outcome
