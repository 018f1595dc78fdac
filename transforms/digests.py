"""Canonical bytes, SHA-256, and the Merkle root over accepted records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import orjson
import rfc8785

from transforms.parsing.walk import LARGEST_INTEGER

_LEAF, _NODE = b"\x00", b"\x01"

# From here to 2^53, RFC 8785 (ECMAScript) and orjson write a fraction alike: the shortest digits, no exponent. What
# is 0.000005 to the one is 5e-6 to the other.
_LEAST_FRACTION = 1e-5
# UTF-16, by which RFC 8785 sorts keys, has the order of code points up to here.
_LAST_BEFORE_SURROGATES = "\ud7ff"


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
    output is then the same bytes, several times faster. Otherwise ValueError says that there is no such form: for
    a number that is not finite, an integer beyond ±(2^53 − 1), a lone surrogate.
    """
    if plain:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    try:
        return orjson.dumps(_for_orjson(value), option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return rfc8785.dumps(value)


def _for_orjson(value: Any) -> Any:
    """A copy that orjson writes as RFC 8785 says; parts that it would write otherwise stand in it as written."""
    kind = type(value)
    if kind is dict:
        names = "".join(value)
        if names.isascii() or max(names) <= _LAST_BEFORE_SURROGATES:
            return {name: _for_orjson(member) for name, member in value.items()}
    elif kind is list:
        return [_for_orjson(item) for item in value]
    elif kind is float:
        if value.is_integer() and abs(value) <= LARGEST_INTEGER:
            return int(value)
        if _LEAST_FRACTION <= abs(value) <= LARGEST_INTEGER:
            return value
    elif kind is str or kind is bool or value is None or (kind is int and abs(value) <= LARGEST_INTEGER):
        return value
    return orjson.Fragment(rfc8785.dumps(value))


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
