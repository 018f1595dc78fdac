"""A task's tests: the files of its folder, and the digest that the campaign pins."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.evaluate.discovery import Undiscoverable, discover
from pipeline.exits import Exit, RunError
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Json
from transforms.terms import MIB

_CACHE = "__pycache__"
_MOST_FILES, _MOST_BYTES = 256, 16 * MIB
_MOST_ID = 64
# What file systems allow.
_MOST_NAME_BYTES = 255


@dataclass(frozen=True, slots=True)
class LoadedSuite:
    """The files of a suite by their path (POSIX, relative), its digest (hex), and the names of its tests."""

    files: dict[str, bytes]
    sha256: str
    tests: tuple[str, ...]


def load_suite(folder: Path) -> LoadedSuite:
    """The suite in that folder, read once: what is hashed is what runs.

    Its digest is SHA-256 over the RFC 8785 form of [[path, SHA-256], …], sorted by path (by code points). Folders
    named `__pycache__` are no part of it. Raises RunError where it has links or other files that are no regular ones,
    too many or too large ones, or no tests.
    """
    files = dict(sorted(_files(folder)))
    if not files:
        raise RunError(Exit.USAGE, f"{folder}: holds no tests")
    pairs = [[path, sha256_hex(data)] for path, data in files.items()]
    try:
        tests = discover(files)
    except Undiscoverable as error:
        raise RunError(Exit.USAGE, f"{folder}: {error}") from error
    return LoadedSuite(files, sha256_hex(canonical_json(pairs)), tests)


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    if folder.is_symlink() or not folder.is_dir():
        raise RunError(Exit.USAGE, f"{folder}: is no folder of tests")
    count = size = 0
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        status = path.lstat()
        if _CACHE in name.parts or stat.S_ISDIR(status.st_mode):
            continue
        count, size = count + 1, size + status.st_size
        if not stat.S_ISREG(status.st_mode) or not name.as_posix().isprintable():
            raise RunError(Exit.USAGE, f"{path}: no regular file, or no printable name")
        if count > _MOST_FILES or size > _MOST_BYTES:
            raise RunError(Exit.USAGE, f"{folder}: more than {_MOST_FILES} files, or than {_MOST_BYTES} bytes")
        yield name.as_posix(), path.read_bytes()


def suite_folder(tests: Path, task_id: str) -> Path:
    """Where the tests of a task stand. Raises RunError for an id that names no folder of its own."""
    size = len(task_id.encode(errors="surrogatepass"))
    if task_id in ("", ".", "..") or "/" in task_id or "\0" in task_id or size > _MOST_NAME_BYTES:
        raise RunError(Exit.USAGE, f"task {task_id!r}: names no folder that its tests could stand in")
    return tests / task_id


def suites_document(tests: Path, origin: str) -> Json:
    """A test-suites-v1 document of all suites below a folder, by the folders' names.

    Raises RunError where one of them is none, or has a name that is no task's id.
    """
    if not tests.is_dir():
        raise RunError(Exit.USAGE, f"{tests}: is no folder")
    folders = sorted(path for path in tests.iterdir() if path.is_dir() and path.name != _CACHE)
    if not folders:
        raise RunError(Exit.USAGE, f"{tests}: holds no folder, one for each task")
    if odd := [path for path in folders if len(path.name) > _MOST_ID or not path.name.isprintable()]:
        raise RunError(Exit.USAGE, f"{odd[0]}: a task's id has at most {_MOST_ID} characters, all of them printable")
    suites = {path.name: {"sha256": load_suite(path).sha256, "origin": origin} for path in folders}
    return {"suites_version": "test-suites-v1", "suites": suites}
