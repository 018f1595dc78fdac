"""From the archival bytes of an accepted record back to its value."""

from __future__ import annotations

from collections.abc import Callable

from transforms.kinds import KINDS
from transforms.parsing import json_strict
from transforms.reading import Read, read_record
from transforms.records import Finding, Line, Syntax
from transforms.terms import Limits

Reader = Callable[[Line, Limits], Read | Finding | tuple[Finding, ...]]

# The deepest that a campaign may allow.
_MAX_DEPTH = 128


def read_archival(data: bytes, kind: str) -> Read:
    """The record of these bytes, as strictly as records of that kind are read: JSON, or else YAML.

    A kind of another release is read as its value and nothing else. Raises ValueError where the bytes are neither.
    """
    return read_strictly(data, reader_of(kind))


def reader_of(kind: str) -> Reader:
    """How records of a kind are read; of one of another release, the value and nothing else."""
    return KINDS[kind].read if kind in KINDS else read_record


def read_strictly(data: bytes, read: Reader) -> Read:
    """The record that `read` makes of these bytes: JSON, or else YAML. Raises ValueError where they are neither."""
    for syntax in (Syntax.JSON, Syntax.YAML):
        found = read_as(data, syntax, read)
        if found:
            return found
    raise ValueError("the bytes are no record")


def read_as(data: bytes, syntax: Syntax, read: Reader) -> Read | None:
    """The record that `read` makes of bytes in that notation, None where it makes none."""
    limits = Limits(max_record_bytes=len(data), max_depth=_MAX_DEPTH)
    found = read(Line(1, 0, len(data), data, syntax=syntax), limits)
    return found if isinstance(found, Read) else None


def is_line(data: bytes) -> bool:
    """Whether the archival bytes are JSON on one line, which documents may not be."""
    if b"\n" in data:
        return False
    try:
        json_strict.read(data)
    except ValueError:
        return False
    return True
