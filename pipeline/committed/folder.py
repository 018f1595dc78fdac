"""The files of a run by name: the one place that knows that a run is a folder, here or in a bucket.

A name is a path within the run with `/` between its parts, as the manifest lists it. Whatever leaves the run, or may
never end, is refused: links anywhere below the run's folder, pipes, devices. The run's own folder may be a link. An
object is fetched whole into a file without a name when it is opened, and checked by its CRC32C.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from errno import EINVAL, ELOOP, ENOTDIR
from typing import BinaryIO, cast

from transforms.storage import objects
from transforms.storage.location import Location, Remote

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Without waiting for somebody to write into a pipe.
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Entry:
    """Something in a run, by its name: a file, a folder, or neither, which is a link, a pipe, a device."""

    name: str
    is_file: bool
    is_folder: bool


def open_file(folder: Location, name: str) -> BinaryIO:
    """The regular file of that name, to be read from its first byte on.

    Raises FileNotFoundError where there is none, and OSError where it cannot be opened, is no regular file, is a
    link, or stands beneath one.
    """
    *above, last = name.split("/")
    if {"", ".", ".."} & {*above, last} or "\0" in name:
        raise OSError(EINVAL, "is no path within a run", name)
    if isinstance(folder, Remote):
        return _fetched(folder / name)
    with ExitStack() as opened:
        at = os.open(folder, _FOLDER)
        opened.callback(os.close, at)
        for part in above:
            at = _open(at, part, _FOLDER, name)
            opened.callback(os.close, at)
        return _regular(_open(at, last, _FILE, name), name)


def entries(folder: Location) -> Iterator[Entry]:
    """Everything in a run but the run's folder itself, sorted by name within each folder; links are not followed.

    A bucket has files alone. Raises OSError where a folder cannot be listed.
    """
    if isinstance(folder, Remote):
        found = objects.listing(folder)
        yield from (Entry(one.key.removeprefix(folder.prefix), is_file=True, is_folder=False) for one, _ in found)
        return
    waiting = [""]
    while waiting:
        prefix = waiting.pop()
        with os.scandir(folder / prefix) as scanned:
            rows = sorted(scanned, key=lambda row: row.name)
        for row in rows:
            name = prefix + row.name
            is_folder = row.is_dir(follow_symlinks=False)
            yield Entry(name, row.is_file(follow_symlinks=False), is_folder)
            if is_folder:
                waiting.append(name + "/")


def exists(folder: Location, name: str) -> bool:
    """Whether there is anything of that name, be it only a link to nowhere."""
    if isinstance(folder, Remote):
        return objects.exists(folder / name)
    return os.path.lexists(folder / name)


def size_of(file: BinaryIO) -> int:
    """The size in bytes of a file that `open_file` opened."""
    return os.fstat(file.fileno()).st_size


def _fetched(location: Remote) -> BinaryIO:
    file = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115
    try:
        objects.fetch(location, file)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    return file


def _open(folder: int, part: str, flags: int, name: str) -> int:
    try:
        return os.open(part, flags | os.O_NOFOLLOW, dir_fd=folder)
    except OSError as error:
        # That of a link to a folder; a plain file in the place of a folder has no link's target to read.
        is_link = error.errno == ELOOP or (error.errno == ENOTDIR and _is_link(folder, part))
        raise OSError(error.errno, "is a link, or beneath one" if is_link else error.strerror, name) from error


def _is_link(folder: int, part: str) -> bool:
    return stat.S_ISLNK(os.stat(part, dir_fd=folder, follow_symlinks=False).st_mode)


def _regular(file: int, name: str) -> BinaryIO:
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(EINVAL, "is no regular file", name)
    return os.fdopen(file, "rb")
