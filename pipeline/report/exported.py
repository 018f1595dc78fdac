"""What an export says on standard output: rows and files, and what has no row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TextIO

from pipeline.exits import Exit
from pipeline.report.printable import printable
from transforms.storage.location import Location


def print_export(manifest: dict[str, Any], folder: Location, out: TextIO) -> int:
    """The summary of an export, and the exit code: 1 where it has no row."""
    for line in _lines(manifest, folder):
        print(printable(line), file=out)
    has_rows = any(stream["rows"] for stream in manifest["streams"].values())
    return Exit.OK if has_rows else Exit.BEYOND_THRESHOLDS


def _lines(manifest: dict[str, Any], folder: Location) -> Iterator[str]:
    rows = sum(stream["rows"] for stream in manifest["streams"].values())
    yield f"{folder}: {rows} rows as {manifest['format']}"
    for name, stream in manifest["streams"].items():
        dropped = "".join(f", {count} dropped ({reason})" for reason, count in stream["dropped"].items())
        yield f"  {name}: {stream['exported']} of {stream['records']} records, {stream['rows']} rows{dropped}"
    for name, kind in manifest["left_out"].items():
        yield f"  {name}: left out, holds {kind}"
    for output in manifest["outputs"]:
        if "rows" in output:
            yield f"  {output['path']}: {output['rows']} rows"
