"""The structural walk: what the fast JSON reader does not check, in one pass over the parsed value.

It says only whether a value is sound. What is wrong, and where, is for `json_reference` to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

# RFC 7493, section 2.2: the integers that every reader keeps exactly.
LARGEST_INTEGER = (1 << 53) - 1
SMALLEST_INTEGER = -LARGEST_INTEGER


def walk(value: dict[str, Any] | list[Any], max_depth: int) -> bool | None:
    """Say whether a parsed object or array is sound, and if so whether it is plain.

    None: not sound, that is an integer beyond ±(2^53 − 1), a number that is not finite, or nesting
    deeper than `max_depth` (`value` itself is at depth 1). True: sound and plain, with no float
    anywhere and every key ASCII. False: sound, not plain.
    """
    keys: list[str] = []
    floats: list[float] = []
    level: list[Any] | None = [value]
    while level:
        if max_depth == 0:
            return None
        max_depth -= 1
        level = _children(level, keys, floats)
    if level is None or not all(map(isfinite, floats)):
        return None
    return not floats and "".join(keys).isascii()


def _children(level: list[Any], keys: list[str], floats: list[float]) -> list[Any] | None:
    """Gather the containers inside those of one level, adding to `keys` and `floats`; None on a bad integer."""
    deeper: list[Any] = []
    for container in level:
        values: Iterable[Any] = container
        if type(container) is dict:
            keys += container
            values = container.values()
        for value in values:
            # Exact types, the commonest first: most values are strings, and this is the hottest loop of parsing.
            kind = type(value)
            if kind is str:
                continue
            if kind is int:
                if not SMALLEST_INTEGER <= value <= LARGEST_INTEGER:
                    return None
            elif kind is dict or kind is list:
                deeper.append(value)
            elif kind is float:
                floats.append(value)
    return deeper
