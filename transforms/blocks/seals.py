"""Seals: what a block's work told and which files it left, so that a later attempt at the run need not do it again.

A seal is written last and at once. It counts only where its key is the one asked for, its own digest holds, and each
file that it names has the size and the SHA-256 that it says; of a file in a bucket, the size and the CRC32C that the
bucket states. Whatever else is found, the block is done anew.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from transforms.blocks.layout import Layout
from transforms.blocks.summary import OutputFile
from transforms.digests import digest, file_sha256
from transforms.storage import objects
from transforms.storage.location import Location, Remote
from transforms.terms import GIB

STAGED, SETTLED = ".staged", ".settled"
"""What the names of seals end with."""
_SHA256_BYTES = 32


def seal(path: Path, key: str, value: Any, files: Sequence[OutputFile], layout: Layout) -> None:
    """Write a seal under `key` for work that gave `value` and left `files`. Raises OSError."""
    body = pickle.dumps((key, [(file.path, file.bytes, file.sha256, file.crc32c) for file in files], value))
    _write(layout.place(path), digest(body) + body)


def unseal(path: Path, key: str, layout: Layout) -> Any | None:
    """The value sealed under `key`, None where there is none or a file of the run is not as it was sealed.

    Raises OSError where a file is there and cannot be read.
    """
    try:
        data = _read(layout.place(path))
    except FileNotFoundError:
        return None
    body = data[_SHA256_BYTES:]
    if digest(body) != data[:_SHA256_BYTES]:
        return None
    try:
        sealed_key, files, value = _Unpickler(io.BytesIO(body)).load()
    except Exception:  # as pickle's documentation says: a seal of another release, or of nobody, may raise any
        return None
    sound = sealed_key == key and all(_is_whole(layout.place(layout.root / name), *sums) for name, *sums in files)
    return value if sound else None


def has_seals(layout: Layout) -> bool:
    """Whether any block of the run is judged and sealed. Raises OSError."""
    if layout.sealing is None:
        return False
    if layout.elsewhere:
        return any(one.key.endswith(STAGED) for one, _ in objects.listing(layout.elsewhere))
    return any(layout.staging.rglob(f"*{STAGED}"))


def _write(place: Location, data: bytes) -> None:
    """Two attempts may seal at once: each has a draft of its own, and both say the same."""
    if isinstance(place, Remote):
        with suppress(FileExistsError):
            objects.put(place, data)
        return
    draft = place.with_name(f"{place.name}.{os.getpid()}-{threading.get_ident()}")
    draft.write_bytes(data)
    draft.replace(place)


def _read(place: Location) -> bytes:
    return objects.read_whole(place, GIB) if isinstance(place, Remote) else place.read_bytes()


def _is_whole(place: Location, size: int, sha256: str, crc32c: str | None) -> bool:
    try:
        if isinstance(place, Remote):
            seen = objects.status(place)
            return (seen.size, seen.crc32c) == (size, crc32c)
        return place.stat().st_size == size and file_sha256(place) == sha256
    except FileNotFoundError:
        return False


class _Unpickler(pickle.Unpickler):
    """Loads plain values of this package and nothing else: a folder of outputs may be written by others."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "Counter"):
            return Counter
        found = getattr(sys.modules.get(module), name, None) if module.startswith("transforms.") else None
        if isinstance(found, type) and (is_dataclass(found) or issubclass(found, Enum)):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")
