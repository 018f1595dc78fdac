"""Members of a record by JSON Pointer (RFC 6901), through objects only. Values are never changed in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transforms.records import Json

Path = tuple[str, ...]


class _Absent:
    """There is no such member; null is a value like others."""


ABSENT = _Absent()


def path_of(pointer: str) -> Path:
    """The keys that a JSON Pointer leads through."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:])


def pointer_of(path: Sequence[str]) -> str:
    """The reverse of `path_of`."""
    return "".join("/" + key.replace("~", "~0").replace("/", "~1") for key in path)


def get(value: Any, path: Path) -> Any:
    """The member at `path`, or ABSENT."""
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return ABSENT
        value = value[key]
    return value


def put(value: Json, path: Path, member: Any) -> Json | None:
    """The record with `member` at `path`; None where the object that is to hold it is not there."""
    key, *rest = path
    if not rest:
        return {**value, key: member}
    inner = value.get(key)
    if not isinstance(inner, dict):
        return None
    changed = put(inner, tuple(rest), member)
    return None if changed is None else {**value, key: changed}


def without(value: Json, path: Path) -> Json:
    """The record without the member at `path`, if it is there."""
    key, *rest = path
    if key not in value:
        return value
    if not rest:
        return {name: member for name, member in value.items() if name != key}
    inner = value[key]
    return {**value, key: without(inner, tuple(rest))} if isinstance(inner, dict) else value
