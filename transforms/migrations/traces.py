"""Where members come from and where they go, told from the operations alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transforms.migrations.members import Path
from transforms.migrations.operations import Copy, Drop, Operation, Rename, Split, Wrap, WrapInArray


def moves(operation: Operation) -> Iterator[tuple[Path, Path]]:
    """(from, to) of each member that an operation puts somewhere; what lies inside goes along."""
    match operation:
        case Rename(source, target) | Copy(source, target):
            yield source, target
        case Wrap(sources, target):
            yield from ((source, (*target, source[-1])) for source in sources)
        case WrapInArray(source):
            yield source, (*source, "0")
        case Split(source, _, targets):
            yield from ((source, target) for target in targets)
        case Drop():
            return


def leaving(operation: Operation) -> tuple[Path, ...]:
    """The members that an operation takes from their place."""
    match operation:
        case Rename(source, _) | Drop(source, _) | Split(source, _, _) | WrapInArray(source):
            return (source,)
        case Wrap(sources, _):
            return sources
        case Copy():
            return ()


def touched(operation: Operation) -> Iterator[Path]:
    """All members that an operation reads or writes."""
    yield from leaving(operation)
    for source, target in moves(operation):
        yield source
        yield target


def origin(operations: Sequence[Operation], path: Path) -> Path:
    """The member of the source that the member at `path` of the result is told from."""
    for operation in reversed(operations):
        for source, target in moves(operation):
            if path[: len(target)] == target:
                path = source if isinstance(operation, Split) else source + path[len(target) :]
                break
    return path


def destination(operations: Sequence[Operation], path: Path) -> Path | None:
    """Where the member at `path` of the source stands in the result; None where it is left out or taken apart."""
    for operation in operations:
        if isinstance(operation, Copy):
            continue
        for source, target in () if isinstance(operation, Split) else moves(operation):
            if path[: len(source)] == source:
                path = target + path[len(source) :]
                break
        else:
            if any(path[: len(source)] == source for source in leaving(operation)):
                return None
    return path
