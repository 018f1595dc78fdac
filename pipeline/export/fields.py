"""Which fields of a record a row does not have."""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import cache
from typing import Any

from pipeline.export.values import Changes

Pairs = tuple[tuple[str, str], ...]


def changes(value: Any, renamed: Pairs, normalised: Pairs) -> Changes:
    """The changes of a row that has of `value` what is renamed or normalised, each with all that is below it."""
    carried = frozenset(field for field, _ in (*renamed, *normalised))
    return Changes(tuple(dict.fromkeys(_left(value, carried, _above(carried), ""))), renamed, normalised)


@cache
def _above(fields: frozenset[str]) -> frozenset[str]:
    """The fields that have one of these below them; "" is the record itself."""
    return frozenset(field[:end] for field in fields for end, sign in enumerate(field) if sign == "/")


def _left(value: Any, carried: Set[str], above: Set[str], pointer: str) -> Iterator[str]:
    if pointer in carried:
        return
    if pointer not in above:
        yield pointer
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _left(member, carried, above, f"{pointer}/{_escaped(name)}")
    elif isinstance(value, list):
        for item in value:
            yield from _left(item, carried, above, f"{pointer}/*")


def _escaped(name: str) -> str:
    """A member's name as RFC 6901 writes it."""
    return name.replace("~", "~0").replace("/", "~1")
