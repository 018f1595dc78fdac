"""Accepted records on a binary stream: lines of JSON, or one Arrow IPC stream."""

from __future__ import annotations

from typing import BinaryIO

import orjson
import pyarrow as pa

from pipeline.committed.archival import is_line
from pipeline.exits import Exit, RunError
from pipeline.load.loader import Loader


def write_lines(loader: Loader, out: BinaryIO) -> None:
    """The archival bytes of each record as a line of its own.

    Bytes that are no line of JSON, which are those of a document (YAML, or JSON on several lines), are written as the
    text of the one member `document` of an object, as a stream of baselines has them.
    """
    for archival in loader.archival():
        out.write(archival if is_line(archival) else orjson.dumps({"document": archival.decode()}))
        out.write(b"\n")
    out.flush()


def write_arrow(loader: Loader, out: BinaryIO) -> None:
    """The rows as an Arrow IPC stream, a batch for a row group. Raises RunError where they are of several streams."""
    schema = loader.schema()
    # Not in a `with`: that would end the stream properly after an error too.
    writer = pa.ipc.new_stream(out, schema)
    for batch in loader.batches():
        if not batch.rows.schema.equals(schema):
            raise RunError(Exit.INTEGRITY, f"{loader.run.folder}: files of {batch.stream} have different columns")
        writer.write_batch(batch.rows)
    writer.close()
    out.flush()
