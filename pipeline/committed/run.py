"""A committed run as a value, and its files from the very bytes that its manifest lists.

`open_run` reads the manifest, `open_output` a file. Nothing of a file is given before its size and its SHA-256 were
compared with the manifest's, and whatever is given after that is compared again, part by part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.committed.folder import exists, open_file, size_of
from pipeline.committed.manifest_file import read_manifest
from pipeline.exits import Exit, RunError
from pipeline.manifest import Manifest
from pipeline.publish import MANIFEST
from pipeline.report.printable import finding_line
from transforms.parquet import open_parquet
from transforms.records import Outcome, Place
from transforms.shards.digested import ChangedWhileRead, Digested, digest_file, unchanged
from transforms.storage.location import Location

UNREADABLE = (pa.ArrowException, OSError, ValueError, LookupError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Output:
    """A file as the manifest lists it: its path within the run, its size in bytes, its SHA-256 (hex).

    `rows` are its records, None where it holds none by nature; `merkle_root` (hex) that over an accepted file's
    records, None for any other file.
    """

    path: str
    bytes: int
    sha256: str
    rows: int | None = None
    merkle_root: str | None = None

    @property
    def folder(self) -> str:
        """The first part of its path: an outcome's name, `decisions`, `campaign`; the whole of a path of one part."""
        return self.path.partition("/")[0]

    @property
    def stream(self) -> str:
        """The second part of its path, which is a stream for a file of an outcome or of decisions; "" for one part."""
        return self.path.split("/")[1] if "/" in self.path else ""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A committed run: its folder, its manifest, and the SHA-256 (hex) of the manifest's own bytes.

    `manifest` is valid by its schema, in canonical form, and SHA256SUMS says the same; `outputs` are its files in the
    manifest's order.
    """

    folder: Location
    manifest: Manifest
    sha256: str
    outputs: tuple[Output, ...]

    @property
    def run_id(self) -> str:
        """The run's id."""
        return str(self.manifest["run_id"])

    @property
    def kinds(self) -> Mapping[str, str]:
        """The kind of each stream's records, by the stream's name."""
        return MappingProxyType({name: stream["kind"] for name, stream in self.manifest["streams"].items()})

    @property
    def versions(self) -> Mapping[str, str]:
        """The versions of the product and of the libraries that decided or wrote."""
        return MappingProxyType(self.manifest["versions"])

    def outputs_of(self, outcome: Outcome, stream: str) -> tuple[Output, ...]:
        """The files of one outcome's records of a stream, in the manifest's order."""
        return tuple(output for output in self.outputs if (output.folder, output.stream) == (outcome, stream))


def open_run(folder: Location) -> Run:
    """The run in `folder`.

    Raises RunError: Exit.USAGE where there is no committed run, Exit.INTEGRITY where its manifest cannot be read, is
    not valid, or is not the one that SHA256SUMS lists.
    """
    found, findings = read_manifest(folder)
    if found is None or findings:
        is_none = found is None and not exists(folder, MANIFEST)
        more = f" (and {len(findings) - 1} more; see `assay verify {folder}`)" if len(findings) > 1 else ""
        raise RunError(Exit.USAGE if is_none else Exit.INTEGRITY, finding_line(findings[0]) + more)
    return Run(folder, found.value, found.sha256, tuple(_output(row) for row in found.value["outputs"]))


@contextmanager
def open_output(run: Run, output: Output) -> Iterator[BinaryIO]:
    """The bytes of a file of the run, seekable, from the first on, after its size and digest were checked.

    Raises RunError (Exit.INTEGRITY) where the file is not there, cannot be read, or is not the one listed. Reading the
    result raises ChangedWhileRead where the file was changed meanwhile; `named` tells of that and of what parsing says.
    """
    with _open(run, output) as file, unchanged(file, _digested(run, output, file)) as same:
        yield same


def check_output(run: Run, output: Output) -> Digested:
    """A file of the run as digested, to be read later with `unchanged`. Raises RunError as `open_output` does."""
    with _open(run, output) as file:
        return _digested(run, output, file)


@contextmanager
def open_rows(run: Run, output: Output) -> Iterator[pq.ParquetFile]:
    """A Parquet file of the run, as `open_output` opens it. Read from it with `use_threads=False`."""
    with open_output(run, output) as file, ExitStack() as opened:
        with named(run, output):
            parquet = opened.enter_context(open_parquet(file))
        yield parquet


@contextmanager
def named(run: Run, output: Output) -> Iterator[None]:
    """Turns what reading and parsing a file raise into a RunError (Exit.INTEGRITY) that names the file.

    Only for what reads: a fault of writing elsewhere would be taken for one of the run.
    """
    try:
        yield
    except ChangedWhileRead as error:
        raise _broken(run, output, "changed while it was read") from error
    except UNREADABLE as error:
        raise _broken(run, output, f"cannot be read: {type(error).__name__}") from error


def record_changed(run: Run, output: Output, place: Place) -> RunError:
    """What to raise for a record whose bytes do not have the digest beside them."""
    return _broken(run, output, f"the record of {place.shard} line {place.line} was changed")


def lines(run: Run, output: Output) -> Iterator[bytes]:
    """The lines of a file of refused records, each with its line feed. Raises RunError as `open_output` does."""
    with open_output(run, output) as file:
        while True:
            with named(run, output):
                line = file.readline()
            if not line:
                return
            yield line


def row_groups(run: Run, output: Output, columns: Sequence[str] | None = None, first: int = 0) -> Iterator[pa.Table]:
    """The row groups of a Parquet file from group `first` on, with all or these columns; one is in memory at a time.

    Raises RunError (Exit.INTEGRITY) as `open_output` does, and where the file has no such columns.
    """
    with open_rows(run, output) as file:
        for group in range(first, file.num_row_groups):
            with named(run, output):
                _require(file, columns)
                table = file.read_row_group(group, columns=columns and list(columns), use_threads=False)
            yield table
            del table  # or it would stay in memory while the next one is read


def _require(file: pq.ParquetFile, columns: Sequence[str] | None) -> None:
    """pyarrow leaves out columns that a file lacks."""
    if missing := set(columns or ()) - set(file.schema_arrow.names):
        raise KeyError(sorted(missing)[0])


def _open(run: Run, output: Output) -> BinaryIO:
    try:
        return open_file(run.folder, output.path)
    except FileNotFoundError as error:
        raise _broken(run, output, "listed, but not there") from error
    except OSError as error:
        raise _broken(run, output, f"{error.strerror}") from error


def _digested(run: Run, output: Output, file: BinaryIO) -> Digested:
    with named(run, output):
        _compare_size(run, output, file)
        digested = digest_file(file)
    if digested.sha256 != output.sha256:
        raise _broken(run, output, "its SHA-256 is not the listed one")
    return digested


def _compare_size(run: Run, output: Output, file: BinaryIO) -> None:
    size = size_of(file)
    if size != output.bytes:
        raise _broken(run, output, f"{size} bytes, listed are {output.bytes}")


def _broken(run: Run, output: Output, reason: str) -> RunError:
    return RunError(Exit.INTEGRITY, f"{run.folder / output.path}: {reason}")


def _output(row: Mapping[str, object]) -> Output:
    names = ("path", "bytes", "sha256", "rows", "merkle_root")
    return Output(**{name: row[name] for name in names if name in row})  # type: ignore[arg-type]
