"""The decisions on a block's records: what they add to its findings, the file that explains them, and their counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from itertools import chain, islice

import pyarrow as pa

from transforms.acceptance.agreement import count_scores
from transforms.acceptance.decision_columns import DECISION_SCHEMA, decision_batch, decision_row
from transforms.acceptance.grounding import count_grounding
from transforms.acceptance.summary import Summary
from transforms.blocks.decide import Decided, decide_records
from transforms.blocks.layout import Layout
from transforms.blocks.summary import OutputFile, output_file
from transforms.digests import sha256_hex
from transforms.joins.join import Attached
from transforms.parquet import write_parquet
from transforms.records import Finding, Json, Line
from transforms.shards.blocks import AnyBlock
from transforms.terms import StreamTerms

_BATCH_ROWS = 512

Findings = MutableMapping[int, tuple[Finding, ...]]


def decide_block(
    block: AnyBlock,
    rows: Iterable[tuple[int, Line]],
    findings: Findings,
    attached: Mapping[int, Sequence[Attached]],
    terms: StreamTerms,
    layout: Layout,
) -> tuple[OutputFile | None, Summary]:
    """Decide the block's sound records: their file, None without any, and their counts.

    `rows` are the staged records by position; what is decided of one is added to `findings`. Raises OSError.
    """
    acceptance = terms.acceptance
    if acceptance is None:
        return None, Summary()
    path = layout.decisions(block)
    total = Summary()

    def batches() -> Iterator[pa.RecordBatch]:
        nonlocal total
        records = decide_records(rows, findings, attached, terms, acceptance)
        while batch := list(islice(records, _BATCH_ROWS)):
            findings.update((one.position, one.findings) for one in batch)
            total += _counts(batch, terms.kind)
            yield decision_batch([_row(one, block) for one in batch])

    decided = batches()
    first = next(decided, None)
    if first is None:  # no folder either: nothing may stand in a run that its manifest does not list
        return None, total
    path.parent.mkdir(parents=True, exist_ok=True)
    count = write_parquet(path, DECISION_SCHEMA, chain((first,), decided))
    return output_file(path, layout.root, count), total


def _counts(decided: Sequence[Decided], kind: str) -> Summary:
    grounded = decided if kind == "grounded-qa-v1" else ()
    return Summary(
        len(decided),
        sum(not one.evidence.contributor_known for one in decided),
        count_scores((one.rubric, one.evidence.reviews) for one in decided),
        count_grounding((one.value, one.evidence.reviews) for one in grounded),
    )


def _row(one: Decided, block: AnyBlock) -> Json:
    sha256 = sha256_hex(one.line.data)
    return decision_row(block.place(one.position), sha256, one.decision, one.evidence, one.linter)
