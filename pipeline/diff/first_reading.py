"""The first reading of a stream: digests, outcomes and codes of all its records, without their bytes.

An accepted record's key is the digest of the source it was told from, where the run keeps one, else its own: a record
that was translated or migrated is still the record that it was made of. Of an accepted record the codes are those of
the rubric's decision on it, which are warnings; a run keeps no others by record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import orjson
import pyarrow as pa

from pipeline.committed.run import Output, Run, lines, named, open_rows, row_groups
from pipeline.diff.rows import DIGEST_BYTES, OUTCOMES, CodeSets, Rows, pack
from transforms.records import Outcome

SHA256, SOURCE_SHA256 = "assay_record_sha256", "assay_source_sha256"
_PLACE = ("assay_shard", "assay_line")
_DECISION = ("shard", "line", "codes")
_BATCH = 8192

Decided = Mapping[tuple[str, int], int]


def files_of(run: Run, stream: str) -> Iterator[tuple[Outcome, Output]]:
    """The files with a stream's records, in the order in which ordinals are counted."""
    for outcome in (Outcome.ACCEPTED, Outcome.HELD, Outcome.REJECTED):
        for output in run.outputs_of(outcome, stream):
            yield outcome, output


def read_rows(run: Run, stream: str, codes: CodeSets) -> Iterator[Rows]:
    """All records of a stream, some thousand at a time. Raises RunError (Exit.INTEGRITY) for a file not as listed."""
    first = 0
    decisions = {output.path: output for output in run.outputs if output.folder == "decisions"}
    for outcome, output in files_of(run, stream):
        if outcome is Outcome.ACCEPTED:
            beside = decisions.get(output.path.replace(Outcome.ACCEPTED, "decisions", 1))
            batches = _accepted(run, output, _decided(run, beside, codes) if beside else {}, first)
        else:
            batches = _refused(run, output, OUTCOMES.index(outcome), codes, first)
        for rows in batches:
            yield rows
            first += len(rows)


def _accepted(run: Run, output: Output, decided: Decided, first: int) -> Iterator[Rows]:
    with open_rows(run, output) as file:
        names = file.schema_arrow.names
        key = SOURCE_SHA256 if SOURCE_SHA256 in names else SHA256
        wanted = [*dict.fromkeys((SHA256, key)), *(_PLACE if decided else ())]
        for group in range(file.num_row_groups):
            with named(run, output):
                table = file.read_row_group(group, columns=wanted, use_threads=False)
                rows = pack(_column(table, SHA256), _column(table, key), 0, _codes_of(table, decided), first)
            yield rows
            first += len(rows)


def _column(table: pa.Table, name: str) -> bytes:
    return bytes.fromhex("".join(table.column(name).to_pylist()))


def _codes_of(table: pa.Table, decided: Decided) -> list[int]:
    if not decided:
        return [0] * table.num_rows
    places = zip(*(table.column(name).to_pylist() for name in _PLACE), strict=True)
    return [decided.get(place, 0) for place in places]


def _decided(run: Run, output: Output, codes: CodeSets) -> Decided:
    """The codes of decisions by the place of their record, where there are any: a file is about one block."""
    found: dict[tuple[str, int], int] = {}
    for table in row_groups(run, output, _DECISION):
        with named(run, output):
            for shard, line, own in zip(*(table.column(name).to_pylist() for name in _DECISION), strict=True):
                if own:
                    found[shard, line] = codes.number(own)
    return found


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
