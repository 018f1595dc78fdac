"""Give a staged block its final files, with what the joins found moved to rejects or held."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa

from transforms.blocks.layout import Layout
from transforms.blocks.refusals import read_refusals, refusal
from transforms.blocks.summary import OutputFile, Settled, Staged
from transforms.digests import file_sha256, merkle_root
from transforms.kinds import KINDS
from transforms.parquet import write_parquet
from transforms.records import Finding, Line, Outcome, Place, outcome_of
from transforms.shards.blocks import AnyBlock
from transforms.shards.documents import DocumentBlock
from transforms.shards.files import read
from transforms.shards.lines import read_ranges
from transforms.terms import StreamTerms

Moved = dict[Outcome, list[tuple[int, bytes]]]
Row = tuple[int, Line]


def settle_block(
    staged: Staged, found: Iterable[tuple[int, Finding]], terms: StreamTerms, schema: pa.Schema, layout: Layout
) -> Settled:
    """Write the block's final files from its staged ones and the joins' findings.

    `found` holds (position counted from the block's first record, finding). The staged files stay, so that a
    retried bundle gives the same files again. Raises OSError.
    """
    if staged.fault:
        return Settled(staged.ordinal, staged.block, fault=staged.fault)
    findings = _by_line(staged, found)
    codes, warned = Counter(staged.codes), Counter[str]()
    for per_record in findings.values():
        own = {finding.code for finding in per_record}
        codes.update(own)
        warned.update(own if outcome_of(per_record) is Outcome.ACCEPTED else ())
    moved: Moved = {Outcome.REJECTED: [], Outcome.HELD: []}
    accepted = _settle_accepted(staged, findings, moved, terms, schema, layout)
    files = [accepted] if accepted else []
    refused: dict[str, Outcome] = {}
    outcomes = Counter({Outcome.ACCEPTED: accepted.rows if accepted else 0})
    for outcome, rows in moved.items():
        outcomes[outcome] = staged.outcomes.get(outcome, 0) + len(rows)
        if outcomes[outcome]:
            files.append(_settle_refused(staged, outcome, rows, layout, refused))
    counts = (staged.read, staged.blanks, outcomes, codes, warned)
    return Settled(staged.ordinal, staged.block, *counts, tuple(files), refused=refused)


def _by_line(staged: Staged, found: Iterable[tuple[int, Finding]]) -> dict[int, tuple[Finding, ...]]:
    """Findings per line in an order of their own, whatever order the joins gave them in."""
    grouped: dict[int, list[Finding]] = {line: list(rows) for line, rows in staged.warnings.items()}
    for line, finding in found:
        grouped.setdefault(line, []).append(finding)
    return {line: tuple(sorted(rows, key=lambda finding: finding.code)) for line, rows in grouped.items()}


def _settle_accepted(
    staged: Staged,
    findings: Mapping[int, tuple[Finding, ...]],
    moved: Moved,
    terms: StreamTerms,
    schema: pa.Schema,
    layout: Layout,
) -> OutputFile | None:
    """The accepted file, or None without accepted rows; refused rows go into `moved`, in line order."""
    touched = {line: outcome_of(rows) for line, rows in findings.items()}
    leaving = np.array(sorted(line for line, to in touched.items() if to is not Outcome.ACCEPTED), dtype=np.int64)
    if staged.staged == len(leaving):
        batches, path = _staged_batches(staged, layout), None
    else:
        batches, path = _staged_batches(staged, layout), layout.final(staged.block, Outcome.ACCEPTED)
    leaves: list[bytes] = []

    def stay() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            out = np.isin(_positions(batch, staged.block), leaving)
            if out.any():
                _move(_rows(batch.filter(pa.array(out)), staged.block), findings, moved, staged.block, terms)
                batch = batch.filter(pa.array(~out))
            leaves.extend(bytes.fromhex(digest) for digest in batch.column("assay_record_sha256").to_pylist())
            yield batch

    if path is None:
        for _ in stay():
            pass
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = write_parquet(path, schema, stay())
    return output_file(path, layout.root, rows, merkle_root(leaves))


def _staged_batches(staged: Staged, layout: Layout) -> Iterator[pa.RecordBatch]:
    # Opened as a file: given a path, pyarrow maps it, and every page read would count as memory.
    with pa.OSFile(str(layout.staged(staged.block, ".arrow"))) as file, pa.ipc.open_stream(file) as reader:
        yield from reader


def _positions(batch: pa.RecordBatch, block: AnyBlock) -> npt.NDArray[np.int64]:
    """The positions of a batch's records, counted from the block's first."""
    if isinstance(block, DocumentBlock):
        names = batch.column("assay_shard").to_pylist()
        return np.array([block.position(Place(block.stream, name, 1)) for name in names], dtype=np.int64)
    lines: npt.NDArray[np.int64] = batch.column("assay_line").to_numpy() - block.first_line
    return lines


def _rows(batch: pa.RecordBatch, block: AnyBlock) -> Iterator[Row]:
    columns = ("assay_line", "assay_byte_offset", "assay_byte_length", "assay_archival_bytes")
    lines = zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
    for position, line in zip(_positions(batch, block).tolist(), lines, strict=True):
        yield position, Line(*line)


def _move(
    rows: Iterable[Row],
    findings: Mapping[int, tuple[Finding, ...]],
    moved: Moved,
    block: AnyBlock,
    terms: StreamTerms,
) -> None:
    private = KINDS[terms.kind].private
    if terms.canonicalisation == "jcs":
        rows = _as_read(list(rows), block, terms)
    for position, line in rows:
        per_record = findings[position]
        outcome = outcome_of(per_record)
        keep_raw = terms.keep_raw_rejects and not (private and private(orjson.loads(line.data)))
        row = refusal(line, terms.name, block.shard_at(position).name, outcome, per_record, keep_raw)
        moved[outcome].append((position, row + b"\n"))


def _as_read(rows: Sequence[Row], block: AnyBlock, terms: StreamTerms) -> Iterator[Row]:
    """The rows with their bytes as they stand in the shard, where the archival bytes are another form."""
    if isinstance(block, DocumentBlock):
        for position, line in rows:
            yield position, replace(line, data=b"".join(read(block.shard_at(position))))
        return
    ranges = [(line.offset, line.length) for _, line in rows]
    data = read_ranges(block.shard, block.compressed, ranges, terms.limits)
    for (position, line), raw in zip(rows, data, strict=True):
        yield position, replace(line, data=raw)


def _settle_refused(
    staged: Staged, outcome: Outcome, rows: list[tuple[int, bytes]], layout: Layout, refused: dict[str, Outcome]
) -> OutputFile:
    """The rejects or held file: what was refused when judged and what the joins refused, in order.

    Documents are noted in `refused` by name.
    """
    block, source = staged.block, layout.staged(staged.block, f".{outcome}")
    already = read_refusals(source) if staged.outcomes.get(outcome) else iter(())
    judged = ((block.position(place), row) for place, row in already)
    path = layout.final(block, outcome)
    path.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    with path.open("wb") as file:
        for position, row in heapq.merge(judged, rows, key=lambda item: item[0]):
            file.write(row)
            count += 1
            if isinstance(block, DocumentBlock):
                refused[block.shard_at(position).name] = outcome
    return output_file(path, layout.root, count)


def output_file(path: Path, root: Path, rows: int | None = None, root_digest: str | None = None) -> OutputFile:
    """Describe a finished file under `root`."""
    return OutputFile(path.relative_to(root).as_posix(), path.stat().st_size, file_sha256(path), rows, root_digest)
