"""The second reading: content and identity of those records whose digest alone did not settle the matter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa

from pipeline.committed.archival import read_archival, read_as, reader_of
from pipeline.committed.run import Output, Run, lines, named, open_rows
from pipeline.diff.first_reading import files_of
from pipeline.diff.identity import identity_of
from pipeline.diff.rows import DIGEST_BYTES, Digests
from transforms.blocks.refusals import kept_bytes
from transforms.digests import canonical_json, digest
from transforms.reading import Read
from transforms.records import Json, Outcome, Syntax
from transforms.shards.documents import syntax_of

_ARCHIVAL = "assay_archival_bytes"

Wanted = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Known:
    """By ordinal the digests of content (RFC 8785) and identity, shape (records, 32); zeros where there is none.

    Both lie in files: only what is looked at is in memory.
    """

    contents: Digests
    identities: Digests


def read_known(run: Run, stream: str, wanted: Wanted, folder: Path) -> Known:
    """What is known of the wanted records (by ordinal), kept in new files under `folder`.

    Raises RunError (Exit.INTEGRITY) for a file not as listed, and OSError.
    """
    folder.mkdir(parents=True)
    known = Known(*(_on_disk(folder / name, len(wanted)) for name in ("contents", "identities")))
    kind = run.kinds[stream]
    for ordinal, read in _records(run, stream, wanted):
        with_content = _content(read)
        if with_content is not None:
            known.contents[ordinal] = np.frombuffer(with_content, np.uint8)
        identity = identity_of(kind, read.value, read.plain)
        if identity is not None:
            known.identities[ordinal] = np.frombuffer(identity, np.uint8)
    return known


def _on_disk(path: Path, rows: int) -> Digests:
    # A file of no bytes cannot be mapped.
    return np.memmap(path, np.uint8, "w+", shape=(max(rows, 1), DIGEST_BYTES))


def _content(read: Read) -> bytes | None:
    try:
        return digest(canonical_json(read.value, plain=read.plain))
    except ValueError:
        return None


def _records(run: Run, stream: str, wanted: Wanted) -> Iterator[tuple[int, Read]]:
    first = 0
    is_adapted = "adapter" in run.manifest["streams"][stream]
    for outcome, output in files_of(run, stream):
        rows = output.rows or 0
        chosen = wanted[first : first + rows]
        if not chosen.any():
            pass
        elif outcome is Outcome.ACCEPTED:
            yield from _accepted(run, output, run.kinds[stream], chosen, first)
        elif not is_adapted:  # whose refused files hold lines of the source
            yield from _refused(run, output, run.kinds[stream], chosen, first)
        first += rows


def _accepted(run: Run, output: Output, kind: str, chosen: Wanted, first: int) -> Iterator[tuple[int, Read]]:
    with open_rows(run, output) as file:
        begin = 0
        for group in range(file.num_row_groups):
            own = np.flatnonzero(chosen[begin : begin + file.metadata.row_group(group).num_rows])
            if len(own):
                with named(run, output):
                    table = file.read_row_group(group, columns=[_ARCHIVAL], use_threads=False)
                    data = table.column(_ARCHIVAL).take(pa.array(own)).to_pylist()
                for index, archival in zip(own.tolist(), data, strict=True):
                    with named(run, output):
                        read = read_archival(archival, kind)
                    yield first + begin + index, read
            begin += file.metadata.row_group(group).num_rows


def _refused(run: Run, output: Output, kind: str, chosen: Wanted, first: int) -> Iterator[tuple[int, Read]]:
    for index, line in enumerate(lines(run, output)):
        if chosen[index]:
            with named(run, output):
                read = _read_refused(orjson.loads(line), kind)
            if read is not None:
                yield first + index, read


def _read_refused(row: Json, kind: str) -> Read | None:
    """The record of a refused row; None where its bytes are not kept, not whole, or no record."""
    data = None if row.get("raw_truncated") else kept_bytes(row)
    return None if data is None else read_as(data, syntax_of(row["shard"]) or Syntax.JSON, reader_of(kind))
