"""Writes a difference as files: its counts, the list of changed records, and their digests."""

from __future__ import annotations

from pathlib import Path

from pipeline.creation import create
from pipeline.diff.changes import CHANGE_SCHEMA
from pipeline.diff.values import Difference
from pipeline.new_folder import new_folder
from pipeline.publish import SUMS
from transforms.blocks.summary import OutputFile, output_file
from transforms.digests import canonical_json, sha256_hex
from transforms.parquet import write_parquet
from transforms.storage.location import Location

SUMMARY, FLIPPED = "diff.json", "flipped.parquet"


def summary_bytes(difference: Difference) -> bytes:
    """`diff.json`: RFC 8785, and a final line feed."""
    return canonical_json(difference.summary()) + b"\n"


def write_flipped(difference: Difference, root: Path) -> OutputFile:
    """Write `flipped.parquet` under the folder `root`. The same runs give the same bytes. Raises OSError."""
    rows = write_parquet(root / FLIPPED, CHANGE_SCHEMA, difference.changes())
    return output_file(root / FLIPPED, root, rows)


def publish_difference(difference: Difference, destination: Location) -> None:
    """Write both files and SHA256SUMS to a new folder, `diff.json` last; after an error nothing is left.

    Raises RunError (Exit.USAGE) where the folder exists already, and OSError.
    """
    with new_folder(destination, SUMMARY) as root:
        data = summary_bytes(difference)
        rows = [(SUMMARY, sha256_hex(data)), (FLIPPED, write_flipped(difference, root).sha256)]
        (root / SUMS).write_bytes("".join(f"{sha256}  {name}\n" for name, sha256 in sorted(rows)).encode())
        create(root / SUMMARY, data)
