"""Canonical bytes, SHA-256, and the Merkle root over accepted records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
import rfc8785

_LEAF, _NODE = b"\x00", b"\x01"


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of `data` as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def digest(*parts: bytes) -> bytes:
    """The SHA-256 (32 bytes) of the parts, one after the other."""
    return hashlib.sha256(b"".join(parts)).digest()


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def canonical_json(value: Any, *, plain: bool = False) -> bytes:
    """The RFC 8785 form of a parsed JSON value.

    `plain` promises that the value holds no float and that all its keys are ASCII; orjson's sorted
    output is then the same bytes, some thirty times faster.
    """
    if plain:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return rfc8785.dumps(value)


def merkle_root(leaves: Iterable[bytes]) -> str:
    """The Merkle tree hash of RFC 6962 section 2.1 over `leaves`, in hexadecimal.

    Pairing each level and carrying an odd last node upward gives that section's tree. No leaves give
    the SHA-256 of nothing.
    """
    sha256 = hashlib.sha256
    level = [sha256(_LEAF + leaf).digest() for leaf in leaves]
    if not level:
        return sha256(b"").hexdigest()
    while len(level) > 1:
        above = [sha256(_NODE + left + right).digest() for left, right in zip(level[::2], level[1::2], strict=False)]
        level = above + level[2 * len(above) :]
    return level[0].hex()
