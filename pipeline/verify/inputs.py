"""The input shards against what the manifest recorded of them."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from pipeline.manifest import Manifest
from pipeline.origin import read_origin
from pipeline.verify.codes import INPUT_CHANGED, INPUT_MISSING, broken
from transforms.digests import file_sha256
from transforms.records import Finding


def check_inputs(run: Path, manifest: Manifest, base: Path | None) -> tuple[Finding, ...]:
    """Inputs that are missing or are not those read."""
    return tuple(_check(manifest, base or read_origin(run) or Path()))


def _check(manifest: Manifest, base: Path) -> Iterator[Finding]:
    for row in manifest["inputs"]:
        path, name = base / row["uri"], f"{row['stream']}/{row['shard']}"
        try:
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):
                # Never opened: a pipe would wait for a writer, a device need not end.
                yield broken(INPUT_CHANGED, name, f"{path}: it is no regular file")
            elif status.st_size != row["bytes"]:
                yield broken(INPUT_CHANGED, name, f"{path}: {status.st_size} bytes, {row['bytes']} were read")
            elif "sha256" in row and file_sha256(path) != row["sha256"]:
                yield broken(INPUT_CHANGED, name, f"{path}: its SHA-256 is not that of the shard read")
        except OSError as error:
            yield broken(INPUT_MISSING, name, f"{path}: {error.strerror}")
