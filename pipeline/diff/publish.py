"""Writes a difference as files: its counts, the list of changed records, and their digests."""

from __future__ import annotations

import shutil
from pathlib import Path

from pipeline.committed.enclosing import refuse_within_run
from pipeline.creation import create
from pipeline.diff.changes import CHANGE_SCHEMA
from pipeline.diff.values import Difference
from pipeline.exits import Exit, RunError
from pipeline.publish import SUMS
from transforms.blocks.summary import OutputFile, output_file
from transforms.digests import canonical_json, sha256_hex
from transforms.parquet import write_parquet

SUMMARY, FLIPPED = "diff.json", "flipped.parquet"


def summary_bytes(difference: Difference) -> bytes:
    """`diff.json`: RFC 8785, and a final line feed."""
    return canonical_json(difference.summary()) + b"\n"


def write_flipped(difference: Difference, root: Path) -> OutputFile:
    """Write `flipped.parquet` under the folder `root`. The same runs give the same bytes. Raises OSError."""
    rows = write_parquet(root / FLIPPED, CHANGE_SCHEMA, difference.changes())
    return output_file(root / FLIPPED, root, rows)


def refuse_destination(destination: Path) -> None:
    """Raises RunError (Exit.USAGE) where the folder exists already or lies within a run."""
    if destination.is_symlink() or destination.exists():
        raise RunError(Exit.USAGE, f"{destination} exists already; give a new folder, or remove it first")
    refuse_within_run(destination)


def publish_difference(difference: Difference, destination: Path) -> None:
    """Write both files and SHA256SUMS to a new folder, `diff.json` last; after an error nothing is left.

    Raises RunError (Exit.USAGE) where the folder exists already, and OSError.
    """
    try:
        destination.mkdir(parents=True)
    except FileExistsError as error:
        raise RunError(Exit.USAGE, f"{destination} exists already") from error
    try:
        data = summary_bytes(difference)
        rows = [(SUMMARY, sha256_hex(data)), (FLIPPED, write_flipped(difference, destination).sha256)]
        (destination / SUMS).write_bytes("".join(f"{sha256}  {name}\n" for name, sha256 in sorted(rows)).encode())
        create(destination / SUMMARY, data)
    except BaseException:
        shutil.rmtree(destination, ignore_errors=True)
        raise
