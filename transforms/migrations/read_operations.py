"""Operations as a campaign manifest declares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from transforms.migrations.members import path_of
from transforms.migrations.operations import Copy, Drop, Operation, Rename, Split, Wrap, WrapInArray
from transforms.records import Json

_READERS: Mapping[str, Callable[[Json], Operation]] = {
    "rename": lambda row: Rename(path_of(row["from"]), path_of(row["to"])),
    "drop": lambda row: Drop(path_of(row["from"]), row["reason"]),
    "copy": lambda row: Copy(path_of(row["from"]), path_of(row["to"])),
    "wrap": lambda row: Wrap(tuple(map(path_of, row["from"])), path_of(row["to"])),
    "wrap-in-array": lambda row: WrapInArray(path_of(row["from"])),
    "split": lambda row: Split(path_of(row["from"]), row["separator"], tuple(map(path_of, row["to"]))),
}


def read_operations(rows: Iterable[Json]) -> tuple[Operation, ...]:
    """The operations of a manifest that is valid by its schema."""
    return tuple(_READERS[row["op"]](row) for row in rows)
