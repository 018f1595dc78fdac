"""The operations that a migration may declare: plain data, and a pure function each that applies or undoes one.

None makes a value up: whatever stands in the result stands in the record already. An operation on a member that is not
there does nothing, for what is optional may be absent; what the target must have is its schema's to say. One whose
target is taken already fails. So every operation but `Drop` has an inverse: `undo(op, apply(op, record)) == record`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from transforms.migrations.members import ABSENT, Path, get, put, without
from transforms.records import Json


@dataclass(frozen=True, slots=True)
class Rename:
    """The member at `source` stands at `target` instead."""

    source: Path
    target: Path


@dataclass(frozen=True, slots=True)
class Drop:
    """The member at `source` is left out, for the `reason` given. It stays in the source's bytes."""

    source: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Copy:
    """The member at `source` stands at `target` as well."""

    source: Path
    target: Path


@dataclass(frozen=True, slots=True)
class Wrap:
    """The members at `sources` stand in a new object at `target`, under the last keys of their paths."""

    sources: tuple[Path, ...]
    target: Path


@dataclass(frozen=True, slots=True)
class WrapInArray:
    """The member at `source` is the only item of an array in its place."""

    source: Path


@dataclass(frozen=True, slots=True)
class Split:
    """The text at `source` stands at `targets` instead, parted by `separator` into exactly so many."""

    source: Path
    separator: str
    targets: tuple[Path, ...]


Operation = Rename | Drop | Copy | Wrap | WrapInArray | Split


@dataclass(frozen=True, slots=True)
class Failed:
    """Why an operation cannot be applied to, or undone in, a record, and at which member."""

    reason: str
    path: Path


def apply(operation: Operation, value: Json) -> Json | Failed:
    """The record after the operation; the very same value where there is nothing to do."""
    match operation:
        case Rename(source, target):
            return _move(value, source, target)
        case Drop(source, _):
            return value if get(value, source) is ABSENT else without(value, source)
        case Copy(source, target):
            return _put_new(value, target, get(value, source))
        case Wrap(sources, target):
            return _wrap(value, sources, target)
        case WrapInArray(source):
            member = get(value, source)
            return value if member is ABSENT else _put(value, source, [member])
        case Split(source, separator, targets):
            return _split(value, source, separator, targets)


def undo(operation: Operation, value: Json) -> Json | Failed:
    """The record before the operation. Raises ValueError for `Drop`, which has no inverse."""
    match operation:
        case Rename(source, target):
            return _move(value, target, source)
        case Drop():
            raise ValueError("what was dropped cannot be brought back")
        case Copy(_, target):
            return without(value, target)
        case Wrap(sources, target):
            return _unwrap(value, sources, target)
        case WrapInArray(source):
            member = get(value, source)
            if member is ABSENT:
                return value
            return _put(value, source, member[0]) if isinstance(member, list) and len(member) == 1 else _none(source)
        case Split(source, separator, targets):
            return _join(value, source, separator, targets)


def _none(path: Path) -> Failed:
    return Failed("is not what the operation leaves", path)


def _put(value: Json, path: Path, member: object) -> Json | Failed:
    changed = put(value, path, member)
    return Failed("the object that is to hold it is not there", path) if changed is None else changed


def _put_new(value: Json, path: Path, member: object) -> Json | Failed:
    """A target that is taken fails even where there is nothing to put: undoing would take what stands there."""
    if get(value, path) is not ABSENT:
        return Failed("is there already", path)
    return value if member is ABSENT else _put(value, path, member)


def _put_all(value: Json, members: Iterable[tuple[Path, object]]) -> Json | Failed:
    for path, member in members:
        placed = _put_new(value, path, member)
        if isinstance(placed, Failed):
            return placed
        value = placed
    return value


def _move(value: Json, source: Path, target: Path) -> Json | Failed:
    member = get(value, source)
    return _put_new(without(value, source) if member is not ABSENT else value, target, member)


def _wrap(value: Json, sources: tuple[Path, ...], target: Path) -> Json | Failed:
    found = {path: member for path in sources if (member := get(value, path)) is not ABSENT}
    for path in found:
        value = without(value, path)
    return _put_new(value, target, {path[-1]: member for path, member in found.items()} if found else ABSENT)


def _unwrap(value: Json, sources: tuple[Path, ...], target: Path) -> Json | Failed:
    wrapped = get(value, target)
    if wrapped is ABSENT:
        return value
    places = {path[-1]: path for path in sources}
    if not isinstance(wrapped, dict) or not wrapped.keys() <= places.keys():
        return _none(target)
    return _put_all(without(value, target), ((places[name], member) for name, member in wrapped.items()))


def _split(value: Json, source: Path, separator: str, targets: tuple[Path, ...]) -> Json | Failed:
    text = get(value, source)
    if text is ABSENT:
        taken = (path for path in targets if get(value, path) is not ABSENT)
        return next((Failed("is there already", path) for path in taken), value)
    parts = text.split(separator) if isinstance(text, str) else []
    if len(parts) != len(targets):
        wanted = f"{separator[:8]!r} must part it into {len(targets)}"
        return Failed(wanted + (f", not {len(parts)}" if parts else "; it is no text"), source)
    return _put_all(without(value, source), zip(targets, parts, strict=True))


def _join(value: Json, source: Path, separator: str, targets: tuple[Path, ...]) -> Json | Failed:
    parts = [get(value, path) for path in targets]
    if all(part is ABSENT for part in parts):
        return value
    if not all(isinstance(part, str) for part in parts):
        return _none(targets[0])
    for path in targets:
        value = without(value, path)
    return _put_new(value, source, separator.join(parts))
