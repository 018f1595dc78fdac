"""The index of a run that was published without one, made from its verified accepted records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from pipeline.committed.archival import read_archival
from pipeline.committed.run import Output, Run, named, record_changed, row_groups
from pipeline.history.files import CheckedFile
from transforms.digests import canonical_json, digest, sha256_hex
from transforms.identities.blocks import Part, write_part
from transforms.identities.merge import write_index
from transforms.identities.table import index_path
from transforms.joins.grouping import ClaimBook, row_type
from transforms.joins.join import Entry, Join
from transforms.kinds import KINDS
from transforms.records import Outcome, Place
from transforms.shards.digested import digest_file

_COLUMNS = ("assay_shard", "assay_line", "assay_record_sha256", "assay_schema_version", "assay_archival_bytes")


def make_index(run: Run, kind: str, joins: Sequence[Join], folder: Path) -> Iterator[tuple[Join, CheckedFile, int]]:
    """Write the index of each join under `folder`, and give it with its number of rows.

    One accepted file's claims are in memory at a time. Raises RunError (Exit.INTEGRITY) where an accepted file is not
    the one listed or holds no records of the kind, and OSError where the folder cannot be written.
    """
    parts: dict[str, list[Part]] = {join.name: [] for join in joins}
    streams = sorted(name for name, of in run.kinds.items() if of == kind)
    outputs = [(stream, output) for stream in streams for output in run.outputs_of(Outcome.ACCEPTED, stream)]
    for number, (stream, output) in enumerate(outputs):
        if not output.rows:
            continue
        book, places = _claims(run, output, stream, kind, joins)
        shards = tuple(place.shard for place in places)
        is_one_shard = len(set(shards)) == 1
        for join, data in book.whole():
            path = folder / f"{number}.{join.name}"
            path.parent.mkdir(parents=True, exist_ok=True)
            rows = np.frombuffer(data, dtype=row_type(join)).copy()
            if is_one_shard:
                first = places[0].line
                rows["line"] = np.array([place.line - first for place in places], dtype=np.uint32)[rows["line"]]
            write_part(path, rows)
            part = Part(path, stream, shards[:1], places[0].line) if is_one_shard else Part(path, stream, shards)
            parts[join.name].append(part)
    for join in joins:
        yield _merged(join, parts[join.name], folder, index_path(kind, join))


def _merged(join: Join, parts: list[Part], folder: Path, path: str) -> tuple[Join, CheckedFile, int]:
    """The index, from parts in any order: names of files do not sort as names of shards do."""
    parts.sort(key=lambda part: (part.stream, part.shards[0], part.first_line))
    rows = write_index(folder / path, join, parts)
    for part in parts:
        part.path.unlink()
    with (folder / path).open("rb") as file:
        return join, CheckedFile(folder, path, digest_file(file)), rows


def _claims(run: Run, output: Output, stream: str, kind: str, joins: Sequence[Join]) -> tuple[ClaimBook, list[Place]]:
    """What the records of an accepted file claim, "lines" counting them, and where each stands."""
    book, places = ClaimBook(joins), list[Place]()
    for table in row_groups(run, output, _COLUMNS):
        for shard, line, sha256, version, data in zip(
            *(table.column(name).to_pylist() for name in _COLUMNS), strict=True
        ):
            place = Place(stream, shard, line)
            if sha256_hex(data) != sha256:
                raise record_changed(run, output, place)
            with named(run, output):
                book.enter(_entry(data, kind, version), len(places))
            places.append(place)
    return book, places


def _entry(data: bytes, kind: str, version: str) -> Entry:
    """The record as joins see it, as far as those without a fact look. Raises ValueError where it is none."""
    read = read_archival(data, kind)
    return Entry(
        kind=kind,
        version=version,
        rubric=None,
        content=digest(canonical_json(read.value, plain=read.plain)),
        archival=digest(data),
        value=read.value,
        subject=subject(read.value, read.plain) if (subject := KINDS[kind].subject) else None,
    )
