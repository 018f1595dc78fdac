"""Writes the rows of an export, and beside them their lineage, in one pass over the run's records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from pipeline.committed.run import Run
from pipeline.export.books import Books
from pipeline.export.card import CARD, card
from pipeline.export.formats import FORMATS
from pipeline.export.lineage import LINEAGE, LINEAGE_SCHEMA, Lineage, Origin, batches
from pipeline.export.records import accepted_records
from pipeline.export.splits import split_key, split_of
from pipeline.export.values import Choices, ExportRow, Reason, Record
from transforms.blocks.summary import OutputFile, output_file
from transforms.kinds import KINDS
from transforms.parquet import write_parquet

UNSPLIT = "data"


def write_files(
    root: Path, run: Run, streams: Sequence[str], choices: Choices
) -> tuple[Mapping[str, Books], tuple[OutputFile, ...]]:
    """Write rows and lineage under `root`; the counts by stream, and the files, sorted by path.

    Raises RunError where the run's files are not those that its manifest lists, and OSError.
    """
    books = {stream: Books(run.kinds[stream]) for stream in streams}
    rows: Counter[str] = Counter()
    # A row of the lineage is taken when the lines that it tells of have been written.
    lineage = (row for stream in streams for row in _write_stream(root, run, stream, choices, books[stream], rows))
    count = write_parquet(root / LINEAGE, LINEAGE_SCHEMA, batches(lineage, run.sha256))
    files = [output_file(root / name, root, written) for name, written in rows.items()]
    files.append(output_file(root / LINEAGE, root, count))
    files += _write_card(root, choices, {name.partition("/")[0] for name in rows})
    return books, tuple(sorted(files, key=lambda file: file.path))


def _write_stream(
    root: Path, run: Run, stream: str, choices: Choices, books: Books, rows: Counter[str]
) -> Iterator[Lineage]:
    with ExitStack() as opened:
        files: dict[str, BinaryIO] = {}
        for origin, record in accepted_records(run, stream):
            mapped = _mapped(record, choices)
            books.count(record.value, mapped)
            if isinstance(mapped, Reason):
                yield Lineage(origin, reason=mapped)
                continue
            split = _split(record, origin, choices)
            name = f"{split or UNSPLIT}/{stream}.jsonl"
            if name not in files:
                files[name] = opened.enter_context(_create(root / name))
            for row in mapped:
                files[name].write(row.line + b"\n")
                rows[name] += 1
                yield Lineage(origin, split, file=name, line=rows[name], changes=row.changes)


def _write_card(root: Path, choices: Choices, folders: Collection[str]) -> Iterator[OutputFile]:
    columns = FORMATS[choices.format].columns
    if columns and folders:
        (root / CARD).write_bytes(card(columns, folders, choices.format).encode())
        yield output_file(root / CARD, root)


def _mapped(record: Record, choices: Choices) -> tuple[ExportRow, ...] | Reason:
    private = KINDS[record.kind].private
    if private is not None and private(record.value) and not choices.include_private:
        return Reason.PRIVATE
    return FORMATS[choices.format].mappings[record.kind](record, choices)


def _split(record: Record, origin: Origin, choices: Choices) -> str | None:
    if choices.held_out is None:
        return None
    return split_of(split_key(record.value, origin.record_sha256), choices.held_out).value


def _create(path: Path) -> BinaryIO:
    path.parent.mkdir(exist_ok=True)
    return path.open("xb")
