"""From a stream's file pattern to its shards, and from a shard's name to a safe stem for output files."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from transforms.records import Shard
from transforms.shards.faults import UnreadableShard

_STEM_LENGTH = 100
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
# Plain lower-case stems that do not begin with a sign; the rest are told apart by a digest.
_SAFE_STEM = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_DIGEST_SUFFIX = re.compile(r"-[0-9a-f]{8}$")


def match(stream: str, pattern: str, base: Path) -> tuple[Shard, ...]:
    """Return the shards of `stream` that `pattern` names, sorted by name; none where nothing matches.

    `pattern` is absolute or relative to `base`. A file of exactly that name is taken literally, and so
    are the leading folders that exist under their literal names; the rest is a glob, where `**` spans
    folders and hidden files match only a pattern that begins with a dot. A file reached twice, through
    links, counts once. A name is the POSIX path below the pattern's literal folders, so that it does not
    tell where they lie; the uri is the path relative to `base` for files inside it, else absolute.

    Raises ValueError for a file name that is not UTF-8, and UnreadableShard for a match that cannot be
    inspected, such as a link to nothing: leaving it out would lose its records.
    """
    by_real_path: dict[Path, Shard] = {}
    try:
        for shard in sorted(_shards(stream, pattern, base.absolute()), key=lambda shard: (shard.name, shard.path)):
            by_real_path.setdefault(Path(shard.path).resolve(), shard)
    except OSError as error:
        raise UnreadableShard(f"{error.filename}: {error.strerror}") from error
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


def _shards(stream: str, pattern: str, base: Path) -> Iterator[Shard]:
    folder, rest = _literal_folder(base, pattern)
    literal = folder / rest
    # Path.glob would match hidden files.
    names = glob.glob(rest, root_dir=folder, recursive=True)  # noqa: PTH207
    for path in [literal] if literal.is_file() else [folder / name for name in names]:
        status = path.stat()
        if stat.S_ISREG(status.st_mode):
            plain = _checked(path)
            yield Shard(
                stream,
                _within(plain, folder) or plain.name,
                _within(plain, base) or str(plain),
                str(path),
                status.st_size,
            )


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
