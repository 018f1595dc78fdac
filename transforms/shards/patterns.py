"""The paths below a folder that a glob pattern matches, each folder looked into once however many links lead there."""

from __future__ import annotations

import errno
import glob
import os
import stat
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

_ANY_DEPTH = "**"
# A link to nowhere, one that leads to itself, a link through a file: no folders.
_NOWHERE = frozenset((errno.ENOENT, errno.ELOOP, errno.ENOTDIR))

# Device and inode of a folder, and how many parts of the pattern are behind.
_State = tuple[int, int, int]


def matching(folder: Path, pattern: str) -> Iterator[Path]:
    """Yield what `pattern` matches below `folder`: `*`, `?` and `[…]` within a name, `**` for any depth of folders.

    A name that begins with a dot is matched only by a part that does so. Links are followed; but a folder is not
    entered again for the same rest of the pattern, so that links in a circle come to an end. The order is fixed: of
    the ways to a folder, the first by name is taken. Raises OSError for a folder that cannot be looked into.
    """
    parts = [part for part in pattern.split("/") if part]
    if parts and parts[-1] == _ANY_DEPTH:
        parts.append("*")
    entered: set[_State] = set()
    waiting = [(folder, 0)] if parts else []
    while waiting:
        here, behind = waiting.pop()
        identity = _folder_identity(here)
        if identity is None or (state := (*identity, behind)) in entered:
            continue
        entered.add(state)
        if behind == len(parts) - 1:
            yield from (here / name for name in _names(here, parts[behind]))
        else:
            waiting += reversed(list(_next(here, parts[behind], behind)))


def _next(here: Path, part: str, behind: int) -> Iterator[tuple[Path, int]]:
    """The folders that one part leads to, with the parts behind each: `**` spans none, or one and goes on."""
    if part == _ANY_DEPTH:
        yield here, behind + 1
        yield from ((here / name, behind) for name in _names(here, "*", folders=True))
    else:
        yield from ((here / name, behind + 1) for name in _names(here, part, folders=True))


def _names(here: Path, part: str, *, folders: bool = False) -> list[str]:
    """The names in a folder that one part of a pattern matches, sorted; with `folders` those of folders and links."""
    if not glob.has_magic(part):
        return [part] if os.path.lexists(here / part) else []
    with os.scandir(here) as entries:
        names = [
            entry.name
            for entry in entries
            if fnmatchcase(entry.name, part) and (not folders or entry.is_symlink() or entry.is_dir())
        ]
    shown = names if part.startswith(".") else (name for name in names if not name.startswith("."))
    return sorted(shown, key=lambda name: f"{name}/")


def _folder_identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of a folder; None for anything else."""
    try:
        status = path.stat()
    except OSError as error:
        if error.errno in _NOWHERE:
            return None
        raise
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None
