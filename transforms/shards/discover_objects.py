"""From a stream's gs:// patterns to its shards: what `discover.match` does in folders, done on the keys of objects."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from os.path import commonpath

from transforms.records import Shard
from transforms.shards.faults import UnreadableShard
from transforms.storage.location import Remote
from transforms.storage.objects import Status, listing

_ANY_DEPTH = "**"

_Found = tuple[Remote, Status]


def match_objects(stream: str, patterns: Sequence[Remote]) -> tuple[Shard, ...]:
    """Return the shards of `stream` that its patterns name, at least one each, sorted by name; rules as for files.

    An object reached by two patterns counts once. Its uri is its URL, and it bears the generation and the CRC32C that
    the bucket stated. Raises UnreadableShard for a pattern that matches no object, or a bucket that cannot be listed.
    """
    places = [_literal_folder(pattern) for pattern in patterns]
    root = commonpath([f"{folder.bucket}/{folder.key}".rstrip("/") for folder, _ in places]) if places else ""
    found: dict[Remote, Status] = {}
    for pattern, (folder, rest) in zip(patterns, places, strict=True):
        try:
            matched = list(_matching(folder, rest))
        except OSError as error:
            raise UnreadableShard(f"cannot look for shards: {error.filename}: {error.strerror}") from error
        if not matched:
            raise UnreadableShard(f"no object matches {pattern}")
        found.update(matched)
    shards = (_shard(stream, location, seen, root) for location, seen in found.items())
    return tuple(sorted(shards, key=lambda shard: (shard.name, shard.path)))


def _matching(folder: Remote, rest: str) -> Iterator[_Found]:
    """The objects that the rest of a pattern matches below its literal folder; one of exactly that key comes alone."""
    literal = folder / rest
    exact = [one for one in listing(folder, literal.key) if one[0] == literal]
    if exact:
        yield from exact
        return
    parts = [part for part in rest.split("/") if part]
    if parts and parts[-1] == _ANY_DEPTH:
        parts.append("*")
    for location, seen in listing(folder):
        if _fits(location.key.removeprefix(folder.prefix).split("/"), parts):
            yield location, seen


def _fits(names: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether the parts of a key fit those of a pattern; a name that begins with a dot only a part that does so."""
    if not parts:
        return not names
    part, rest = parts[0], parts[1:]
    if part == _ANY_DEPTH:
        return _fits(names, rest) or (len(names) > 1 and not names[0].startswith(".") and _fits(names[1:], parts))
    if not names or (names[0].startswith(".") and not part.startswith(".")):
        return False
    return fnmatchcase(names[0], part) and _fits(names[1:], rest)


def _shard(stream: str, location: Remote, seen: Status, root: str) -> Shard:
    name = f"{location.bucket}/{location.key}".removeprefix(f"{root}/" if root else "")
    return Shard(stream, name, str(location), str(location), seen.size, seen.generation, seen.crc32c)


def _literal_folder(pattern: Remote) -> tuple[Remote, str]:
    """Split a pattern into its leading folders without wildcards, or that stand there as written, and the rest."""
    folder, parts = Remote(pattern.bucket), [part for part in pattern.key.split("/") if part]
    while len(parts) > 1 and (not glob.has_magic(parts[0]) or _is_folder(folder / parts[0])):
        folder /= parts.pop(0)
    return folder, "/".join(parts)


def _is_folder(folder: Remote) -> bool:
    return next(iter(listing(folder)), None) is not None
