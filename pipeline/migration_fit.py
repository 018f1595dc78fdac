"""Can declared operations lead from one schema to the other, and do judgements come of judgements alone?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.kind_fit import followed, misfits_between
from transforms.columns.subschemas import Subschema
from transforms.migrations.judgements import judgement_at
from transforms.migrations.members import Path, pointer_of
from transforms.migrations.operations import Copy, Operation, Rename, Split, Wrap
from transforms.migrations.traces import destination, leaving, moves, origin


@dataclass(frozen=True, slots=True)
class Declared:
    """A migration as it is checked: the schemas at both ends, and which members of the source are judgements.

    `field` is the member in which records of the kind declare their version, None where there is none.
    """

    kind: str
    field: str | None
    source: Subschema
    target: Subschema
    operations: tuple[Operation, ...]
    judgements: tuple[Path, ...]


def misdeclared(declared: Declared) -> Iterator[tuple[int | None, str]]:
    """(number of an operation from 0, or None for the whole, what is wrong with it)."""
    for path in declared.judgements:
        if find(declared.source, path) is None:
            yield None, f"judgements: the source has no {pointer_of(path)}"
    for index, operation in enumerate(declared.operations):
        for message in _misplaced(declared, index, operation):
            yield index, message
    yield from ((None, message) for message in _unfilled(declared, declared.target, ()))
    yield from ((None, message) for message in _left_over(declared))


def find(schema: Subschema, path: Path) -> Subschema | None:
    """The schema of the member that is named at `path`, with references followed; None where none is named."""
    for key in path:
        schema = followed(schema)
        document = schema.schema if isinstance(schema.schema, dict) else {}
        if key in document.get("properties", {}):
            schema = schema.at(document["properties"][key])
        elif key == "0" and "items" in document:
            schema = schema.at(document["items"])
        else:
            return None
    return followed(schema)


def _misplaced(declared: Declared, index: int, operation: Operation) -> Iterator[str]:
    before, after = declared.operations[:index], declared.operations[index + 1 :]
    yield from _not_there(declared, before, operation)
    yield from _no_room(declared, before, operation)
    for source, target in moves(operation):
        final = destination(after, target)
        if final is None:
            continue
        if find(declared.target, final) is None or final[0] == declared.field:
            yield f"the target has no member {pointer_of(final)} to set"
        elif message := _misjudged(declared, operation, origin(before, source), final):
            yield message


def _not_there(declared: Declared, before: Sequence[Operation], operation: Operation) -> Iterator[str]:
    for path in dict.fromkeys((*leaving(operation), *(source for source, _ in moves(operation)))):
        if declared.field is not None and path[0] == declared.field:
            yield f"{pointer_of(path)} is the version, which the migration itself replaces"
        elif not _stands(declared, before, path):
            yield f"there is no {pointer_of(path)} to take it from"


def _no_room(declared: Declared, before: Sequence[Operation], operation: Operation) -> Iterator[str]:
    for target in _new(operation):
        if target not in leaving(operation) and _stands(declared, before, target):
            yield f"{pointer_of(target)} is taken already"
        elif target[:-1] and not _stands(declared, before, target[:-1]):
            yield f"there is no {pointer_of(target[:-1])} to hold {pointer_of(target)}: wrap members into one first"


def _new(operation: Operation) -> tuple[Path, ...]:
    """The places that an operation fills, where nothing may stand."""
    match operation:
        case Rename(_, target) | Copy(_, target) | Wrap(_, target):
            return (target,)
        case Split(_, _, targets):
            return targets
        case _:
            return ()


def _stands(declared: Declared, before: Sequence[Operation], path: Path) -> bool:
    """Whether a member may stand at `path` when an operation comes: of the source, or put there."""
    if _made(before, path):
        return True
    first = origin(before, path)
    is_named = find(declared.source, first) is not None
    copied = any(
        path[: len(target)] == target
        for operation in before
        if isinstance(operation, Copy | Split)
        for _, target in moves(operation)
    )
    return is_named and (copied or destination(before, first) == path)


def _made(operations: Sequence[Operation], path: Path) -> bool:
    """Whether an operation makes the object at `path`."""
    return any(
        isinstance(operation, Wrap) and destination(operations[index + 1 :], operation.target) == path
        for index, operation in enumerate(operations)
    )


def _misjudged(declared: Declared, operation: Operation, first: Path, final: Path) -> str | None:
    """Why what stands at `first` in the source may not become the judgement at `final`; None where it may."""
    judgement = judgement_at(declared.kind, final)
    if judgement is None:
        return None
    here = pointer_of(final)
    if not isinstance(operation, Rename | Wrap):
        return f"{here} is a judgement, which can only be renamed or wrapped"
    if not any(first[: len(path)] == path for path in declared.judgements):
        return f"{here} is a judgement, and `judgements` does not say that {pointer_of(first)} is one"
    if first != final and judgement_at(declared.kind, first) not in (None, judgement):
        return f"{pointer_of(first)} is another judgement than {here}"
    source, target = find(declared.source, first), find(declared.target, final)
    if source and target and (misfit := next(misfits_between(source, target), None)):
        return f"{pointer_of(first)} is no judgement like {here}: {misfit}"
    return None


def _unfilled(declared: Declared, target: Subschema, path: Path) -> Iterator[str]:
    """Members that the target requires and that nothing gives."""
    document: Any = followed(target).schema
    for name in document.get("required", ()) if isinstance(document, dict) else ():
        here = (*path, name)
        if here == (declared.field,):
            continue
        if not _stands(declared, declared.operations, here):
            yield f"nothing gives {pointer_of(here)}, which the target requires"
        elif (inner := find(declared.target, here)) is not None:
            yield from _unfilled(declared, inner, here)


def _left_over(declared: Declared) -> Iterator[str]:
    """Members that the source names and a closed target does not."""
    source, target = followed(declared.source).schema, followed(declared.target).schema
    if not isinstance(source, dict) or target.get("additionalProperties") is not False:
        return
    for name in source.get("properties", {}):
        final = destination(declared.operations, (name,))
        if final is not None and name != declared.field and find(declared.target, final) is None:
            yield f"the target has no {pointer_of(final)}: rename it, or drop it with a reason"
