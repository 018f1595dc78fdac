"""From a stream's file patterns to its shards, and from a shard's name to a safe stem for output files."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Sequence
from errno import EINVAL
from pathlib import Path

from transforms.records import Shard
from transforms.shards.faults import UnreadableShard
from transforms.shards.patterns import matching
from transforms.storage.location import Location, Remote

_STEM_LENGTH = 100
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
# Plain lower-case stems that do not begin with a sign; the rest are told apart by a digest.
_SAFE_STEM = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_DIGEST_SUFFIX = re.compile(r"-[0-9a-f]{8}$")


def match(stream: str, patterns: Sequence[str], base: Path) -> tuple[Shard, ...]:
    """Return the shards of `stream` that its patterns name, at least one pattern, sorted by name.

    A pattern is absolute or relative to `base`. A file of exactly that name is taken literally, and so
    are the leading folders that exist under their literal names; the rest is a glob, where `**` spans
    folders and hidden files match only a pattern that begins with a dot. A file reached twice, by two patterns
    or through links, counts once, under the first of its names. A name is the POSIX path below the folder that the
    literal folders of all patterns have in common, so that it does not tell where they lie; the uri is the path
    relative to `base` for files inside it, else absolute.

    Raises ValueError for a file name that is not UTF-8, and UnreadableShard for a pattern that matches no file, and for
    a match or a folder that cannot be inspected, such as a link to nothing, or that is neither a regular file nor a
    folder, such as a pipe: leaving it out would lose its records.
    """
    places = [_literal_folder(base.absolute(), pattern) for pattern in patterns]
    folders = {os.path.normpath(folder) for folder, _ in places}
    root = Path(os.path.commonpath(folders) if len(folders) > 1 else folders.pop())
    found: list[Shard] = []
    for pattern, (folder, rest) in zip(patterns, places, strict=True):
        try:
            shards = [_shard(stream, path, status, root, base.absolute()) for path, status in _files(folder, rest)]
        except OSError as error:
            raise UnreadableShard(f"cannot look for shards: {error.filename}: {error.strerror}") from error
        if not shards:
            raise UnreadableShard(f"no file matches {pattern}")
        found += shards
    by_real_path: dict[Path, Shard] = {}
    for shard in sorted(found, key=lambda shard: (shard.name, shard.path)):
        by_real_path.setdefault(Path(shard.path).resolve(), shard)
    return tuple(by_real_path.values())


def output_stem(name: str) -> str:
    """Return the stem that output files of the shard `name` bear: at most 109 of `A-Za-z0-9._-`.

    Names that are safe as they are stay readable. Any other name (a folder in it, upper case, over 100
    characters, a leading sign) gets the first 32 bits of its SHA-256, so that distinct names keep
    distinct stems on file systems that ignore case too. The end of a long name is kept, where shards
    have their number. A stem never begins with a dot or an underscore, which Parquet readers skip.
    """
    if _SAFE_STEM.fullmatch(name) and not _DIGEST_SUFFIX.search(name):
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    stem = _UNSAFE.sub("_", name)[-_STEM_LENGTH:].lstrip("._-")
    return f"{stem or 'shard'}-{digest}"


def _files(folder: Path, rest: str) -> Iterator[tuple[Path, os.stat_result]]:
    """The regular files that the rest of a pattern matches below its literal folder."""
    literal = folder / rest
    for path in [literal] if literal.is_file() else matching(folder, rest):
        status = path.stat()
        if stat.S_ISREG(status.st_mode):
            yield path, status
        elif not stat.S_ISDIR(status.st_mode):
            raise OSError(EINVAL, "is no regular file", str(path))


def _shard(stream: str, path: Path, status: os.stat_result, root: Path, base: Path) -> Shard:
    plain = _checked(path)
    name = _within(plain, root) or plain.name
    return Shard(stream, name, uri_of(plain, base), str(path), status.st_size)


def uri_of(path: Location, base: Location) -> str:
    """Where a file or folder is: relative to `base` where it lies below it, else absolute. An object has its URL."""
    if isinstance(path, Remote):
        return str(path)
    if isinstance(base, Remote):
        return os.path.normpath(path.absolute())
    plain = Path(os.path.normpath(path.absolute()))
    return _within(plain, base.absolute()) or str(plain)


def _literal_folder(base: Path, pattern: str) -> tuple[Path, str]:
    """Split a pattern into the longest leading folder that exists as written, and what is left to match."""
    path = Path(pattern)
    folder = Path(path.anchor) if path.is_absolute() else base
    parts = list(path.parts[1:] if path.is_absolute() else path.parts)
    while len(parts) > 1 and (folder / parts[0]).is_dir():
        folder /= parts.pop(0)
    return folder, "/".join(parts)


def _checked(path: Path) -> Path:
    plain = Path(os.path.normpath(path))
    try:
        str(plain).encode()
    except UnicodeEncodeError:
        raise ValueError(f"the file name {str(plain)!a} is not valid UTF-8: rename the file") from None
    return plain


def _within(plain: Path, root: Path) -> str | None:
    """The POSIX path of a file relative to `root`, or None where it lies outside."""
    normal = os.path.normpath(root)
    return plain.relative_to(normal).as_posix() if plain.is_relative_to(normal) else None
