"""The accepted baselines of a committed run.

What tells baselines apart is read from their columns: it is all text, which a column holds exactly, and a run of
100,000 is read in seconds. The one that answers is then read from its own bytes, which have the digits as written,
and so are all where a campaign's own schema gives the columns another form, for instance by naming covariates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.committed.archival import read_archival
from pipeline.committed.run import Output, Run, named, open_rows, open_run, record_changed
from pipeline.exits import Exit, RunError
from transforms.baselines.derived import FINGERPRINT_FORM
from transforms.baselines.identity import identity
from transforms.baselines.instants import parse_instant
from transforms.baselines.resolution import Candidate
from transforms.digests import sha256_hex
from transforms.records import Json, Outcome, Place
from transforms.rules.baseline_counts import completed
from transforms.storage.location import Location

KIND = "mavai-baseline-1"

_PLACE = ("assay_stream", "assay_shard", "assay_line")
_IDENTITY = ("serviceContractId", "serviceName", "inputsIdentity", "covariateProfile")
_COLUMNS = (*_PLACE, *_IDENTITY, "generatedAt", "execution.terminationReason")
_ARCHIVAL = "assay_archival_bytes"
_RECORD_COLUMNS = ("assay_record_sha256", FINGERPRINT_FORM, _ARCHIVAL)

# Of a record whose generatedAt names no instant, which a campaign may allow: older than any other.
_NEVER = -(1 << 80)


@dataclass(frozen=True, slots=True)
class Published:
    """An accepted baseline: where its record stands, what resolving asks of it, and why its run ended.

    `run`, `output`, `group` and `row` say where its columns are: row `row` of row group `group`, both from 0.
    """

    place: Place
    candidate: Candidate
    reason: str
    run: Run
    output: Output
    group: int
    row: int


@dataclass(frozen=True, slots=True)
class Record:
    """A baseline's record: SHA-256 (hex) of its bytes, the form its fingerprint was verified over, and its value.

    Numbers of the value that have a fraction or an exponent are `Decimal`s, with the digits as written.
    """

    sha256: str
    fingerprint_form: str
    value: Json


def baselines(folder: Location) -> Iterator[list[Published]]:
    """The accepted baselines of the run in `folder`, a row group at a time, in the order of its files.

    Raises RunError where it is no committed run, has no stream of baselines, or where an accepted file of such a
    stream is not the one that the manifest lists.
    """
    run = open_run(folder)
    streams = {name for name, kind in run.kinds.items() if kind == KIND}
    if not streams:
        raise RunError(Exit.USAGE, f"{folder}: none of its streams holds baselines")
    for output in run.outputs:
        if output.folder == Outcome.ACCEPTED and output.stream in streams:
            yield from _row_groups(run, output)


def read_record(baseline: Published) -> Record:
    """The record itself. Raises RunError where its bytes are not those of the baseline that its columns tell of."""
    run, output = baseline.run, baseline.output
    with open_rows(run, output) as file, named(run, output):
        table = _read(file, baseline.group, _RECORD_COLUMNS)
        [row] = table.slice(baseline.row, 1).to_pylist()
        sha256, form, archival = (row[name] for name in _RECORD_COLUMNS)
        value = read_archival(archival, KIND).exact
        is_sound = sha256_hex(archival) == sha256 and identity(value) == baseline.candidate.identity
    if not is_sound:
        raise record_changed(run, output, baseline.place)
    return Record(sha256, form, value)


def _row_groups(run: Run, output: Output) -> Iterator[list[Published]]:
    with open_rows(run, output) as file:
        for group in range(file.num_row_groups):
            with named(run, output):
                values = _from_columns if _has_plain_columns(file.schema_arrow) else _from_bytes
                found = [_published(value, run, output, group, row) for row, value in enumerate(values(file, group))]
            yield found


def _read(file: pq.ParquetFile, group: int, columns: Sequence[str]) -> pa.Table:
    return file.read_row_group(group, columns=list(columns), use_threads=False)


def _has_plain_columns(schema: pa.Schema) -> bool:
    """Whether the columns that are no plain text have the form that the shipped schema gives them."""
    profile, execution = (schema.field(name).type for name in ("covariateProfile", "execution"))
    return bool(pa.types.is_map(profile) and pa.types.is_struct(execution))


def _from_columns(file: pq.ParquetFile, group: int) -> Iterator[Json]:
    """Of each record in a row group its place, its identity, its time and why its run ended, as members."""
    yield from _read(file, group, _COLUMNS).to_pylist(maps_as_pydicts="strict")


def _from_bytes(file: pq.ParquetFile, group: int) -> Iterator[Json]:
    """The same, and all the record's other members."""
    for row in _read(file, group, (*_PLACE, _ARCHIVAL)).to_pylist():
        yield {**read_archival(row[_ARCHIVAL], KIND).exact, **row}


def _published(value: Json, run: Run, output: Output, group: int, row: int) -> Published:
    instant = parse_instant(value["generatedAt"])
    candidate = Candidate(identity(value), instant if isinstance(instant, int) else _NEVER, completed(value))
    place = Place(*(value[name] for name in _PLACE))
    return Published(place, candidate, value["execution"]["terminationReason"], run, output, group, row)
