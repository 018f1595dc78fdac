"""The first reading of a stream: digests, outcomes and codes of all its records, without their bytes.

An accepted record's key is the digest of the source it was told from, where the run keeps one, else its own: a record
that was translated or migrated is still the record that it was made of. An accepted record has no codes here: of its
warnings a run keeps the counts alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.committed.run import Output, Run, lines, named, open_rows
from pipeline.diff.rows import DIGEST_BYTES, OUTCOMES, CodeSets, Rows, pack
from pipeline.exits import Exit, RunError
from transforms.records import Outcome

SHA256, SOURCE_SHA256 = "assay_record_sha256", "assay_source_sha256"
_BATCH = 8192


def files_of(run: Run, stream: str) -> Iterator[tuple[Outcome, Output]]:
    """The files with a stream's records, in the order in which ordinals are counted."""
    for outcome in (Outcome.ACCEPTED, Outcome.HELD, Outcome.REJECTED):
        for output in run.outputs_of(outcome, stream):
            yield outcome, output


def read_rows(run: Run, stream: str, codes: CodeSets) -> Iterator[Rows]:
    """All records of a stream, some thousand at a time.

    Raises RunError (Exit.INTEGRITY) for a file that is not as listed, or has not as many rows.
    """
    first = listed = 0
    for outcome, output in files_of(run, stream):
        number = OUTCOMES.index(outcome)
        is_accepted = outcome is Outcome.ACCEPTED
        batches = _accepted(run, output, first) if is_accepted else _refused(run, output, number, codes, first)
        for rows in batches:
            yield rows
            first += len(rows)
        listed += output.rows or 0
        if first != listed:
            path = run.folder / output.path
            raise RunError(Exit.INTEGRITY, f"{path}: it has not the listed number of rows, {output.rows}")


def _accepted(run: Run, output: Output, first: int) -> Iterator[Rows]:
    outcome = OUTCOMES.index(Outcome.ACCEPTED)
    with open_rows(run, output) as file:
        names = file.schema_arrow.names
        key = SOURCE_SHA256 if SOURCE_SHA256 in names else SHA256
        for group in range(file.num_row_groups):
            with named(run, output):
                table = file.read_row_group(group, columns=[*{SHA256, key}], use_threads=False)
                # Beside migrated records stand those that needed no migration, which have no source.
                keys = pc.coalesce(table.column(key), table.column(SHA256))
                rows = pack(_digests(table.column(SHA256)), _digests(keys), outcome, [0] * table.num_rows, first)
            yield rows
            first += len(rows)


def _digests(column: pa.ChunkedArray) -> bytes:
    return bytes.fromhex("".join(column.to_pylist()))


def _refused(run: Run, output: Output, outcome: int, codes: CodeSets, first: int) -> Iterator[Rows]:
    digests, numbers = bytearray(), list[int]()
    for line in lines(run, output):
        with named(run, output):
            row = orjson.loads(line)
            sha256 = bytes.fromhex(row["record_sha256"])
            if len(sha256) != DIGEST_BYTES:
                raise ValueError("no digest")
            digests += sha256
            numbers.append(codes.number(finding["code"] for finding in row["findings"]))
        if len(numbers) == _BATCH:
            yield pack(bytes(digests), bytes(digests), outcome, numbers, first)
            first += len(numbers)
            digests, numbers = bytearray(), []
    if numbers:
        yield pack(bytes(digests), bytes(digests), outcome, numbers, first)
