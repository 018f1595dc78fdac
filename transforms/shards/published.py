"""The files that an earlier run published, read as shards: accepted Parquet, and JSON lines of refused records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

import orjson
import pyarrow as pa

from transforms.blocks.refusals import kept_bytes
from transforms.digests import sha256_hex
from transforms.parquet import open_parquet
from transforms.records import Line, Origin, Place, Shard, Syntax
from transforms.shards.digested import digest_file, unchanged
from transforms.shards.discover import output_stem
from transforms.shards.documents import syntax_of
from transforms.shards.faults import UnreadableShard
from transforms.shards.files import open_shard
from transforms.shards.lines import oversized
from transforms.terms import Limits

_BATCH_ROWS = 256
_UNREADABLE = (pa.ArrowException, ValueError, LookupError, TypeError, AttributeError)
_ROW = ("assay_shard", "assay_line", "assay_record_sha256", "assay_archival_bytes")
_ORIGIN = ("assay_origin_run", "assay_origin_shard", "assay_origin_line")
_SOURCE = ("assay_source_sha256", "assay_source_bytes")
_SOURCE_VERSION = "assay_source_version"


@dataclass(frozen=True, slots=True)
class PublishedBlock:
    """A file of one outcome's records of the run `run` (its id), judged again as a whole; a row is a record.

    `sha256` (hex) is the one that the run's manifest lists, `rows` the records. `accepted` says that it is Parquet.
    `documents` says that the records were files, so that an origin's name tells their syntax, and `canonical` that the
    archival bytes are JSON whatever the name. With `told` a record that an adapter made is read from the bytes of its
    source; so is one that was migrated from one of the versions `migrates`. `version` is that of all records of a kind
    that declares none. `judged` is what its accepted records are, see `Line.is_judged`.
    """

    shard: Shard
    run: str
    sha256: str
    rows: int
    accepted: bool
    documents: bool = False
    canonical: bool = False
    told: bool = False
    migrates: frozenset[str] = frozenset()
    version: str | None = None
    judged: bool = False

    @property
    def stream(self) -> str:
        """The stream of the shard."""
        return self.shard.stream

    @property
    def stem(self) -> str:
        """What the names of the block's files begin with."""
        return f"{output_stem(self.shard.name)}-b00000"

    @property
    def size(self) -> int:
        """The file's bytes."""
        return self.shard.size

    @property
    def first_line(self) -> int:
        """The number of its first record."""
        return 1

    def place(self, position: int) -> Place:
        """Where the record stands that is counted `position` from the file's first."""
        return Place(self.stream, self.shard.name, 1 + position)

    def position(self, place: Place) -> int:
        """The reverse of `place`."""
        return place.line - 1

    def shard_at(self, _position: int) -> Shard:
        """The shard of a record."""
        return self.shard

    def syntax(self, origin: Origin) -> Syntax:
        """The notation of a record's bytes as they were first read."""
        return (syntax_of(origin.shard) if self.documents else None) or Syntax.JSON


def read_published(
    block: PublishedBlock, limits: Limits, on_bytes: Callable[[int], None] | None = None
) -> Iterator[Line]:
    """Yield the records of a file in order.

    The file's digest is compared before the first row, each record's as it is read. A record over
    `limits.max_record_bytes` is `oversized`, and so is one of which the run did not keep all bytes. `on_bytes` is
    called now and then with about the number of the file's bytes read so far. Raises UnreadableShard where the file
    cannot be read or is not the one that the run published.
    """
    count = 0
    with open_shard(block.shard) as file:
        digested = digest_file(file)
        if digested.sha256 != block.sha256:
            raise UnreadableShard(f"{block.shard.name}: its SHA-256 is not the listed one")
        with unchanged(file, digested) as same:
            for line in _checked(block, same):
                count += 1
                if on_bytes and (count % _BATCH_ROWS == 0 or count == block.rows):
                    on_bytes(block.shard.size * count // max(block.rows, 1))
                yield _bounded(line, limits)
    if count != block.rows:
        raise UnreadableShard(f"{block.shard.name}: {count} records, listed are {block.rows}")


def _checked(block: PublishedBlock, file: BinaryIO) -> Iterator[Line]:
    rows = _accepted(block, file) if block.accepted else _refused(block, file)
    try:
        for line in rows:
            if line.sha256 and not line.oversized and sha256_hex(line.data) != line.sha256:
                raise UnreadableShard(f"{block.shard.name}: the record of line {line.number} was changed")
            yield line
    except _UNREADABLE as error:
        raise UnreadableShard(f"{block.shard.name}: cannot be read: {type(error).__name__}") from error


def _bounded(line: Line, limits: Limits) -> Line:
    if line.oversized or line.length <= limits.max_record_bytes:
        return line
    return replace(oversized(line.data, line.number, 0), origin=line.origin, version=line.version)


def _accepted(block: PublishedBlock, file: BinaryIO) -> Iterator[Line]:
    number = 0
    with open_parquet(file) as parquet:
        present = set(parquet.schema_arrow.names)
        columns = [*_ROW, *(name for name in (*_ORIGIN, *_SOURCE, _SOURCE_VERSION) if name in present)]
        for batch in parquet.iter_batches(_BATCH_ROWS, columns=columns, use_threads=False):
            for row in batch.to_pylist():
                number += 1
                yield _accepted_line(block, number, row)


def _accepted_line(block: PublishedBlock, number: int, row: dict[str, Any]) -> Line:
    origin = Origin(block.run, row["assay_shard"], row["assay_line"])
    if row.get("assay_origin_run") is not None:
        origin = Origin(*(row[name] for name in _ORIGIN))
    source = row.get(_SOURCE_VERSION)
    if row.get("assay_source_bytes") is not None and (source in block.migrates if source else block.told):
        sha256, data = (row[name] for name in _SOURCE)
        version = source if block.version else None
        return Line(number, 0, len(data), data, False, sha256, block.syntax(origin), origin, version)
    data = row["assay_archival_bytes"]
    syntax = Syntax.JSON if block.canonical else block.syntax(origin)
    sha256 = row["assay_record_sha256"]
    return Line(number, 0, len(data), data, False, sha256, syntax, origin, block.version, block.judged)


def _refused(block: PublishedBlock, file: BinaryIO) -> Iterator[Line]:
    for number, text in enumerate(file, 1):
        row = orjson.loads(text)
        origin = Origin(**row["origin"]) if "origin" in row else Origin(block.run, row["shard"], row["line"])
        kept = kept_bytes(row)
        is_whole, data = kept is not None and not row.get("raw_truncated"), kept or b""
        length = len(data) if is_whole else row["byte_length"]
        syntax, version = block.syntax(origin), row.get("read_as", block.version)
        yield Line(number, 0, length, data, not is_whole, row["record_sha256"], syntax, origin, version)
