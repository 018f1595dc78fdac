"""Give a staged block its final files, with what the joins found moved to rejects or held."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from transforms.acceptance.safety import count_safety
from transforms.acceptance.summary import Summary
from transforms.blocks.decisions import decide_block
from transforms.blocks.layout import Layout
from transforms.blocks.refusals import read_refusals, refusal
from transforms.blocks.summary import OutputFile, Settled, Staged, output_file
from transforms.columns.provenance import ORIGIN_FIELDS
from transforms.digests import canonical_json, merkle_root
from transforms.identities.blocks import keep_claims
from transforms.joins.domains import DOMAIN_MISMATCH
from transforms.joins.join import Attached, Judged
from transforms.kinds import KINDS
from transforms.parquet import write_parquet
from transforms.reading import Read
from transforms.records import Finding, Json, Line, Origin, Outcome, Place, Syntax, outcome_of
from transforms.shards.blocks import AnyBlock
from transforms.shards.documents import DocumentBlock, syntax_of
from transforms.shards.faults import UnreadableShard
from transforms.shards.files import read as read_file
from transforms.shards.lines import read_ranges
from transforms.shards.published import PublishedBlock, read_published
from transforms.terms import StreamTerms

Moved = dict[Outcome, list[tuple[int, bytes]]]
Row = tuple[int, Line]


def settle_block(
    staged: Staged, judged: Iterable[tuple[int, Judged]], terms: StreamTerms, schema: pa.Schema, layout: Layout
) -> Settled:
    """Write the block's final files from its staged ones and what the joins said of its records.

    `judged` holds (position counted from the block's first record, finding or evidence). The staged files stay, so
    that a retried bundle gives the same files again. Raises OSError.
    """
    if staged.fault:
        return Settled(staged.ordinal, staged.block, fault=staged.fault)
    findings, attached = _by_position(staged, judged)
    rows = (row for batch in _staged_batches(staged, layout) for row in _rows(batch, staged.block, terms))
    decisions, summary = decide_block(staged.block, rows, findings, attached, terms, layout)
    if terms.kind == "safety-annotation-v1":
        accepted_values = _accepted_values(staged, findings, terms, layout)
        summary += Summary(safety=count_safety(accepted_values, terms.evidence.classifier_labels))
    codes, warned = Counter(staged.codes), Counter[str]()
    for per_record in findings.values():
        own = {finding.code for finding in per_record}
        codes.update(own)
        warned.update(own if outcome_of(per_record) is Outcome.ACCEPTED else ())
    moved: Moved = {Outcome.REJECTED: [], Outcome.HELD: []}
    accepted = _settle_accepted(staged, findings, moved, terms, schema, layout)
    files = [file for file in (accepted, decisions) if file]
    refused: dict[str, Outcome] = {}
    outcomes = Counter({Outcome.ACCEPTED: accepted.rows if accepted else 0})
    for outcome, leaving in moved.items():
        outcomes[outcome] = staged.outcomes.get(outcome, 0) + len(leaving)
        if outcomes[outcome]:
            files.append(_settle_refused(staged, outcome, leaving, layout, refused))
    counts = (staged.read, staged.blanks, outcomes, codes, warned)
    return Settled(staged.ordinal, staged.block, *counts, tuple(files), refused=refused, summary=summary)


def _by_position(
    staged: Staged, judged: Iterable[tuple[int, Judged]]
) -> tuple[dict[int, tuple[Finding, ...]], dict[int, list[Attached]]]:
    """Findings and evidence per record, findings in an order of their own, whatever order the joins gave them in."""
    grouped: dict[int, list[Finding]] = {position: list(rows) for position, rows in staged.warnings.items()}
    attached: dict[int, list[Attached]] = {}
    for position, one in judged:
        if isinstance(one, Attached):
            attached.setdefault(position, []).append(one)
        else:
            grouped.setdefault(position, []).append(one)
    findings = {position: tuple(sorted(rows, key=lambda row: row.code)) for position, rows in grouped.items()}
    return findings, attached


def _accepted_values(
    staged: Staged, findings: Mapping[int, tuple[Finding, ...]], terms: StreamTerms, layout: Layout
) -> Iterator[Json]:
    for batch in _staged_batches(staged, layout):
        for position, line in _rows(batch, staged.block, terms):
            read = KINDS[terms.kind].read(line, terms.limits)
            if isinstance(read, Read) and outcome_of(findings.get(position, ())) is Outcome.ACCEPTED:
                yield read.value


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
    keep_claims(staged.block, leaving, terms, layout)
    if staged.staged == len(leaving):
        batches, path = _staged_batches(staged, layout), None
    else:
        batches, path = _staged_batches(staged, layout), layout.final(staged.block, Outcome.ACCEPTED)
    leaves: list[bytes] = []

    def stay() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            out = np.isin(_positions(batch, staged.block), leaving)
            if out.any():
                _move(batch.filter(pa.array(out)), findings, moved, staged.block, terms)
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


def _rows(batch: pa.RecordBatch, block: AnyBlock, terms: StreamTerms) -> Iterator[Row]:
    """The records of a batch by position, as lines that hold their archival bytes."""
    columns = ("assay_line", "assay_byte_offset", "assay_byte_length", "assay_archival_bytes")
    lines = zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
    places = zip(_positions(batch, block).tolist(), _origins(batch, terms), strict=True)
    for (position, origin), (number, offset, length, data) in zip(places, lines, strict=True):
        own = Syntax.JSON if _is_canonical(block, terms) else _syntax(block, position, origin)
        yield position, Line(number, offset, length, data, syntax=own, origin=origin)


def _origins(batch: pa.RecordBatch, terms: StreamTerms) -> Iterator[Origin | None]:
    if not terms.revalidated:
        return iter([None] * batch.num_rows)
    columns = (batch.column(field.name).to_pylist() for field in ORIGIN_FIELDS)
    return (None if row[0] is None else Origin(*row) for row in zip(*columns, strict=True))


def _is_canonical(block: AnyBlock, terms: StreamTerms) -> bool:
    """Whether the archival bytes are JSON whatever the records' own names say."""
    return terms.canonicalisation == "jcs" or (isinstance(block, PublishedBlock) and block.accepted and block.canonical)


def _syntax(block: AnyBlock, position: int, origin: Origin | None) -> Syntax:
    """The notation of a record's bytes as they were read."""
    if isinstance(block, PublishedBlock):
        return block.syntax(origin) if origin else Syntax.JSON
    name = block.shard_at(position).name
    return (isinstance(block, DocumentBlock) and syntax_of(name)) or Syntax.JSON


def _move(
    batch: pa.RecordBatch,
    findings: Mapping[int, tuple[Finding, ...]],
    moved: Moved,
    block: AnyBlock,
    terms: StreamTerms,
) -> None:
    rows = _rows(batch, block, terms)
    if terms.adapter or terms.migrations:
        rows = iter(_sources(batch, rows, block, terms))
    elif terms.canonicalisation == "jcs":
        rows = _as_read(list(rows), block, terms)
    for position, line in rows:
        per_record = findings[position]
        outcome = outcome_of(per_record)
        is_private = _is_private(line, terms) or any(one.code == DOMAIN_MISMATCH.code for one in per_record)
        keep_raw = terms.keep_raw_rejects and not is_private
        row = refusal(line, terms.name, block.shard_at(position).name, outcome, per_record, keep_raw)
        moved[outcome].append((position, row + b"\n"))


def _sources(batch: pa.RecordBatch, rows: Iterable[Row], block: AnyBlock, terms: StreamTerms) -> Sequence[Row]:
    """The rows with the bytes that an adapter or a migration made them from; others as they were read."""
    sources = batch.column("assay_source_bytes").to_pylist()
    # Where records declare their version, their bytes say it.
    says = KINDS[terms.kind].version_field is not None or not terms.migrations
    versions = [None] * len(sources) if says else batch.column("assay_source_version").to_pylist()
    rows = list(rows)
    made = [
        (position, replace(line, data=data, syntax=_syntax(block, position, line.origin), version=version))
        for (position, line), data, version in zip(rows, sources, versions, strict=True)
        if data is not None
    ]
    others = [row for row, data in zip(rows, sources, strict=True) if data is None]
    if others and terms.canonicalisation == "jcs":
        others = list(_as_read(others, block, terms))
    return sorted((*made, *others), key=lambda row: row[0])


def _is_private(line: Line, terms: StreamTerms) -> bool:
    kind = KINDS[terms.kind]
    if kind.private is None:
        return False
    read = kind.read(line, terms.limits)
    return kind.private(read.value if isinstance(read, Read) else None)


def _as_read(rows: Sequence[Row], block: AnyBlock, terms: StreamTerms) -> Iterator[Row]:
    """The rows with their bytes as they stand in the shard, where the archival bytes are another form."""
    for (position, line), found in zip(rows, _read_again(rows, block, terms), strict=True):
        read = KINDS[terms.kind].read(found, terms.limits)
        if not isinstance(read, Read) or canonical_json(read.value, plain=read.plain) != line.data:
            shard = block.shard_at(position)
            raise UnreadableShard(f"{shard.name}: line {line.number} is not what was judged: the file changed")
        yield position, found


def _read_again(rows: Sequence[Row], block: AnyBlock, terms: StreamTerms) -> Iterator[Line]:
    if isinstance(block, PublishedBlock):
        wanted = {position for position, _ in rows}
        yield from (line for at, line in enumerate(read_published(block, terms.limits)) if at in wanted)
        return
    if isinstance(block, DocumentBlock):
        data: Iterator[bytes] = (b"".join(read_file(block.shard_at(position))) for position, _ in rows)
    else:
        ranges = [(line.offset, line.length) for _, line in rows]
        data = read_ranges(block.shard, block.compressed, ranges, terms.limits)
    for (position, line), raw in zip(rows, data, strict=True):
        yield replace(line, data=raw, syntax=_syntax(block, position, line.origin))


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
