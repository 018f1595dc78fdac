"""The input shards against what the manifest recorded of them."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pipeline.manifest import Manifest
from pipeline.origin import read_origin
from pipeline.verify.codes import INPUT_CHANGED, INPUT_MISSING, broken
from transforms.digests import file_sha256
from transforms.records import Finding
from transforms.storage import objects
from transforms.storage.location import Location, Remote, within


def check_inputs(run: Location, manifest: Manifest, base: Location | None) -> tuple[Finding, ...]:
    """Inputs that are missing or are not those read. `base` is where relative ones are, None for where they were."""
    origin = read_origin(run) if isinstance(run, Path) else None
    return tuple(_check(manifest, base or origin or Path()))


def _check(manifest: Manifest, base: Location) -> Iterator[Finding]:
    for row in manifest["inputs"]:
        location, name = within(base, row["uri"]), f"{row['stream']}/{row['shard']}"
        try:
            changed = _object_change(location, row) if isinstance(location, Remote) else _file_change(location, row)
        except OSError as error:
            yield broken(INPUT_MISSING, name, f"{location}: {error.strerror}")
            continue
        if changed:
            yield broken(INPUT_CHANGED, name, f"{location}: {changed}")


def _file_change(path: Path, row: Mapping[str, Any]) -> str | None:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        # Never opened: a pipe would wait for a writer, a device need not end.
        return "it is no regular file"
    if status.st_size != row["bytes"]:
        return f"{status.st_size} bytes, {row['bytes']} were read"
    if "sha256" in row and file_sha256(path) != row["sha256"]:
        return "its SHA-256 is not that of the shard read"
    return None


def _object_change(location: Remote, row: Mapping[str, Any]) -> str | None:
    """What the bucket states is compared before the bytes are read. An input that was a file has no generation."""
    seen = objects.status(location)
    if seen.size != row["bytes"]:
        return f"{seen.size} bytes, {row['bytes']} were read"
    if "generation" in row and str(seen.generation) != row["generation"]:
        return f"generation {seen.generation}, {row['generation']} was read"
    if "crc32c" in row and seen.crc32c != row["crc32c"]:
        return f"CRC32C {seen.crc32c}, that of the shard read was {row['crc32c']}"
    if "sha256" in row:
        digest = hashlib.sha256()
        for buffer in objects.read(location, generation=seen.generation):
            digest.update(buffer)
        if digest.hexdigest() != row["sha256"]:
            return "its SHA-256 is not that of the shard read"
    return None
