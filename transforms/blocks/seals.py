"""Seals: what a block's work told and which files it left, so that a later attempt at the run need not do it again.

A seal is written last and at once. It counts only where its key is the one asked for, its own digest holds, and each
file that it names has the size and the SHA-256 that it says. Whatever else is found, the block is done anew.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from transforms.blocks.summary import OutputFile, output_file
from transforms.digests import digest, file_sha256

_SHA256_BYTES = 32


def seal(path: Path, key: str, value: Any, files: Sequence[OutputFile]) -> None:
    """Write a seal under `key` for work that gave `value` and left `files`. Raises OSError."""
    body = pickle.dumps((key, [(file.path, file.bytes, file.sha256) for file in files], value))
    # Two attempts may seal at once: each has a draft of its own, and both say the same.
    draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
    draft.write_bytes(digest(body) + body)
    draft.replace(path)


def unseal(path: Path, key: str, root: Path) -> Any | None:
    """The value sealed under `key`, None where there is none or a file below `root` is not as it was sealed.

    Raises OSError where a file is there and cannot be read.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    body = data[_SHA256_BYTES:]
    if digest(body) != data[:_SHA256_BYTES]:
        return None
    try:
        sealed_key, files, value = _Unpickler(io.BytesIO(body)).load()
    except Exception:  # as pickle's documentation says: a seal of another release, or of nobody, may raise any
        return None
    sound = sealed_key == key and all(_is_whole(root / name, size, sha256) for name, size, sha256 in files)
    return value if sound else None


def described(paths: Iterable[Path], root: Path) -> list[OutputFile]:
    """The files among `paths` that exist, as a seal names them."""
    return [output_file(path, root) for path in paths if path.exists()]


def _is_whole(path: Path, size: int, sha256: str) -> bool:
    try:
        return path.stat().st_size == size and file_sha256(path) == sha256
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
