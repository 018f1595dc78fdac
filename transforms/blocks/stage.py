"""Judge a block line by line; stage what is sound as Arrow, refuse the rest, and note what each record claims.

Sound records are staged uncompressed and written as Parquet once, when the joins have spoken: with
duplicates spread over all blocks, writing Parquet first would write nearly every file twice.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO

import orjson
import pyarrow as pa

from transforms.blocks.claims import NAMES, TEXTS
from transforms.blocks.layout import Layout
from transforms.blocks.refusals import refusal, withheld
from transforms.blocks.summary import Staged
from transforms.digests import canonical_json, digest
from transforms.identities.blocks import note_claims
from transforms.joins.grouping import ClaimBook
from transforms.joins.join import Entry
from transforms.judge import Bench, is_blank, judge
from transforms.records import Finding, Line, Outcome, Shard, Verdict
from transforms.shards.blocks import AnyBlock, read_records
from transforms.shards.documents import DocumentBlock
from transforms.shards.faults import ShardError

_BATCH_ROWS, _BATCH_BYTES = 512, 1 << 20

Progress = Callable[[int, int, int], None]

STAGED_SUFFIXES = (".arrow", ".rejected", ".held", TEXTS, NAMES)
"""What the names of a staged block's files end with; not all blocks have all of them."""


@dataclass(slots=True)
class _Tally:
    read: int = 0
    staged: int = 0
    blanks: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    warnings: dict[int, tuple[Finding, ...]] = field(default_factory=dict)


class _Staging:
    """The open files of one block in progress."""

    def __init__(self, block: AnyBlock, bench: Bench, layout: Layout, stack: ExitStack) -> None:
        self._block, self._layout, self._columns, self._stack = block, layout, bench.columns, stack
        path = layout.staged(block, ".arrow")
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(block, DocumentBlock):
            layout.staged(block, NAMES).write_bytes(orjson.dumps(block.names))
        self._arrow = stack.enter_context(pa.ipc.new_stream(str(path), bench.columns.schema))
        self._refusals: dict[Outcome, BinaryIO] = {}
        self._pending_bytes = 0

    def refuse(self, outcome: Outcome, row: bytes) -> None:
        file = self._refusals.get(outcome)
        if file is None:
            path = self._layout.staged(self._block, f".{outcome}")
            file = self._refusals[outcome] = self._stack.enter_context(path.open("wb"))
        file.write(row + b"\n")

    def keep(self, shard: Shard, line: Line, verdict: Verdict, entry: Entry) -> None:
        self._columns.add(line, verdict, shard, entry.archival)
        self._pending_bytes += line.length
        if len(self._columns) >= _BATCH_ROWS or self._pending_bytes >= _BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        if len(self._columns):
            self._arrow.write_batch(self._columns.take())
        self._pending_bytes = 0


def stage_block(
    ordinal: int, block: AnyBlock, bench: Bench, layout: Layout, progress: Progress | None = None
) -> tuple[Staged, ClaimBook]:
    """Judge every line of `block` and write its staged files under `layout`, overwriting earlier attempts.

    A fault of the shard comes back in the summary, with no file left. Raises OSError and
    `UnreadableShard` where the environment fails. `progress` is told (file bytes done, records, refused).
    """
    tally = _Tally()
    try:
        with ExitStack() as stack, uncollected():
            staging = _Staging(block, bench, layout, stack)
            book = ClaimBook(bench.joins, _texts(block, bench, layout, stack))
            _judge_lines(block, bench, staging, book, tally, progress)
            staging.flush()
            note_claims(block, book, bench.terms, layout)
    except ShardError as error:
        bench.columns.clear()
        discard(block, layout)
        return Staged(ordinal, block, fault=error.fault), ClaimBook(())
    counts = (tally.read, tally.staged, tally.blanks, tally.outcomes, tally.codes, tally.warnings)
    return Staged(ordinal, block, *counts), book


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the cyclic collector off: records are trees, which reference counts free; looking for cycles costs 5 %."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def discard(block: AnyBlock, layout: Layout) -> None:
    """Remove what is staged for a block."""
    for suffix in STAGED_SUFFIXES:
        layout.staged(block, suffix).unlink(missing_ok=True)


def _judge_lines(
    block: AnyBlock, bench: Bench, staging: _Staging, book: ClaimBook, tally: _Tally, progress: Progress | None
) -> None:
    terms = bench.terms
    done = 0

    def report(read: int) -> None:
        nonlocal done
        done = read
        if progress:
            progress(done, tally.read, tally.read - tally.staged)

    for position, (shard, line) in enumerate(read_records(block, terms.limits, report)):
        if terms.skip_blank and is_blank(line):
            tally.blanks += 1
            continue
        tally.read += 1
        verdict = judge(line, bench)
        if verdict.outcome is Outcome.ACCEPTED:
            entry = entry_of(verdict, bench)
            staging.keep(shard, line, verdict, entry)
            tally.staged += 1
            if verdict.findings:
                tally.warnings[position] = verdict.findings
            book.enter(entry, position)
        else:
            tally.outcomes[verdict.outcome] += 1
            tally.codes.update({finding.code for finding in verdict.findings})
            private = bench.kind.private is not None and bench.kind.private(verdict.value)
            # Rules word their findings of private records without content; parsing and structure may quote.
            findings = withheld(verdict.findings) if private and verdict.archival is None else verdict.findings
            keep_raw = terms.keep_raw_rejects and not private
            row = refusal(line, terms.name, shard.name, verdict.outcome, findings, keep_raw)
            staging.refuse(verdict.outcome, row)
    # A buffer is told of before its records are judged: those of the last one count now.
    report(done)


def _texts(block: AnyBlock, bench: Bench, layout: Layout, stack: ExitStack) -> BinaryIO | None:
    """Where the texts that joins compare are parked, for streams that have any."""
    if not any(join.texts for join in bench.joins):
        return None
    return stack.enter_context(layout.staged(block, TEXTS).open("wb"))


def entry_of(verdict: Verdict, bench: Bench) -> Entry:
    """What joins need of a record that was accepted so far."""
    assert verdict.value is not None and verdict.archival is not None and verdict.version is not None
    kind, value = bench.kind, verdict.value
    content = canonical_json(value, plain=verdict.plain)
    return Entry(
        kind=kind.name,
        version=verdict.migrated.version if verdict.migrated else verdict.version,
        rubric=value[kind.rubric_field] if kind.rubric_field else None,
        content=digest(content),
        archival=digest(verdict.archival),
        value=value,
        subject=kind.subject(value, verdict.plain) if kind.subject else None,
        exact=verdict.exact,
        source=verdict.migrated.sha256 if verdict.migrated else None,
    )
