"""The Beam graph of a run, on one page.

    blocks ─ stage ─┬─ staged ─────────────────────────────────────────────┐
                    ├─ claims of a join ─ by key ─ judge ──────────────────┤
                    └─ claims of a join ─ by key ─ judge ─┬────────────────┼─ by block ─ settle ─ by part ─ deliver
                                                          └─ does it stand ┘

A block (a line-aligned byte range of a shard, or some documents) is the element; records never travel. Only
digests pass through the groupings by key, packed per block, one grouping for each join. Evidence goes by way of the
block that it stands in, where it ends if any join refuses it. The list of blocks waits in files of the run, and what
became of them is left in files, both in parts: neither the graph nor a value in it grows with their number. Work is
plain functions; this page wires them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.pvalue import PCollection

from pipeline.dataflow import not_run
from pipeline.engine_faults import engine_fault
from pipeline.exits import Exit, RunError
from pipeline.history.known import Earlier
from pipeline.options import is_dataflow, is_local, worker_count
from pipeline.standard_error import only_our_voice
from pipeline.versions import pinned_versions
from pipeline.worker_processes import watched, workers_like_this
from transforms.beam.steps import (
    JudgeClaims,
    KeepStanding,
    ListedBlocks,
    Refusals,
    SettleBlock,
    StageBlock,
    Terms,
    environment_faults,
)
from transforms.blocks.handover import for_travel
from transforms.blocks.layout import Layout
from transforms.blocks.listed import keep_part, kept_parts, list_blocks, part_of
from transforms.blocks.mark import Mark
from transforms.blocks.summary import Settled
from transforms.identities.read import Index
from transforms.joins.join import Join
from transforms.joins.table import joins_for
from transforms.kinds import ANNOTATIONS
from transforms.shards.blocks import AnyBlock
from transforms.shards.dealing import deal
from transforms.terms import StreamTerms


def build(
    pipeline: beam.Pipeline,
    blocks: Sequence[AnyBlock],
    terms: Terms,
    layout: Layout,
    mark: Mark,
    *,
    partitions: int,
    local: bool,
    progress: bool,
    deliver: Callable[[int, Iterable[Settled]], None],
    workers: int = 1,
    earlier: Earlier = MappingProxyType({}),
) -> None:
    """Wire a run over `blocks`, given in the order (stream, shard, position).

    `partitions` (1 to 65,536) is how many parts each join is cut into, and `local` says that all workers share this
    machine's files, so that claims can wait in them instead of travelling; no output depends on either.
    `deliver` gets the number of each part of the run and the Settled of its blocks, in a worker. `workers` above 1 says
    how many there are where a runner deals its work out beforehand. `earlier` are the indexes of earlier runs, by the
    kind of their records and the name of the join.
    """
    joins = {join.name: join for stream in terms.values() for join in joins_for(stream)}
    stage = StageBlock(terms, layout, mark, partitions, local=local, progress=progress)
    spread = _dealt(pipeline, blocks, workers) if workers > 1 else _listed(pipeline, blocks, layout, mark)
    outputs = spread | "Stage" >> beam.ParDo(stage).with_outputs(*joins, main="staged")
    (
        {"staged": outputs.staged, "found": _found(outputs, joins, terms, _bringing(blocks, terms), earlier)}
        | "By block" >> beam.CoGroupByKey()
        | "Settle" >> beam.ParDo(SettleBlock(terms, layout, mark))
        | "Numbered by part" >> beam.Map(_by_part)
        | "By part" >> beam.GroupByKey()
        | "Deliver" >> beam.MapTuple(deliver)
    )


def _by_part(settled: Settled) -> tuple[int, Settled]:
    return part_of(settled), settled


def _listed(pipeline: beam.Pipeline, blocks: Sequence[AnyBlock], layout: Layout, mark: Mark) -> PCollection[Any]:
    """The numbered blocks, as elements that any worker may get; the job's graph has only the numbers of their parts."""
    parts = pipeline | "Parts" >> beam.Create(list_blocks(layout, blocks), reshuffle=False)
    listed: PCollection[Any] = (
        parts | "Blocks" >> beam.ParDo(ListedBlocks(layout, mark)) | "Spread blocks" >> beam.Reshuffle()
    )
    return listed


def _dealt(pipeline: beam.Pipeline, blocks: Sequence[AnyBlock], workers: int) -> PCollection[Any]:
    """The same for a DirectRunner of several processes.

    It deals keys out in turn, once and whatever they weigh: so each worker has one key.
    """
    hands = pipeline | "Blocks" >> beam.Create(deal(blocks, workers), reshuffle=False)
    dealt: PCollection[Any] = hands | "By hand" >> beam.GroupByKey() | "Spread blocks" >> beam.FlatMap(itemgetter(1))
    return dealt


def _bringing(blocks: Sequence[AnyBlock], terms: Terms) -> tuple[range, ...]:
    """The ordinals of blocks whose records may bring evidence; those of a stream stand together."""
    spans, end = [], 0
    for stream, own in groupby(blocks, key=lambda block: block.stream):
        start, end = end, end + sum(1 for _ in own)
        if terms[stream].kind not in ANNOTATIONS:
            spans.append(range(start, end))
    return tuple(spans)


def _found(
    outputs: Mapping[str, Any], joins: Mapping[str, Join], terms: Terms, bringing: Sequence[range], earlier: Earlier
) -> PCollection[Any]:
    """What all joins find, and the evidence whose own record none refuses; blocks with any have ordinals `bringing`."""
    indexes: dict[str, dict[str, tuple[Index, ...]]] = {name: {} for name in joins}
    for (kind, name), own in earlier.items():
        indexes.get(name, {})[kind] = own
    judged = {
        name: outputs[name]
        | f"By key of {name}" >> beam.GroupByKey()
        | f"Judge {name}"
        >> beam.ParDo(JudgeClaims(join, terms, indexes[name])).with_outputs(JudgeClaims.BROUGHT, main="found")
        for name, join in sorted(joins.items())
    }
    found: PCollection[Any] = [one.found for one in judged.values()] | "All findings" >> beam.Flatten()
    brought = [one[JudgeClaims.BROUGHT] for name, one in judged.items() if joins[name].brings]
    if not brought:
        return found
    standing = (
        {
            "refused": found | "Refused" >> beam.ParDo(Refusals(bringing)),
            "brought": brought | "All evidence" >> beam.Flatten(),
        }
        | "By block of the evidence" >> beam.CoGroupByKey()
        | "Does it stand" >> beam.ParDo(KeepStanding())
    )
    both: PCollection[Any] = (found, standing) | "Findings and evidence" >> beam.Flatten()
    return both


def execute(
    options: PipelineOptions,
    blocks: Sequence[AnyBlock],
    terms: Mapping[str, StreamTerms],
    layout: Layout,
    partitions: int,
    *,
    progress: bool,
    earlier: Earlier = MappingProxyType({}),
) -> list[Settled]:
    """Run the graph to its end and give every block's Settled, in the order of the blocks.

    Raises RunError where Beam cannot provide the runner, where flags ask for a job that is not run, and with the reason
    where the environment failed a worker or the engine; what else a worker raises is a bug and comes through as it is.
    """
    shared = None if layout.elsewhere else layout.staging / "mark"
    mark = Mark(shared, secrets.token_hex(16), pinned_versions(), pinned_versions)
    mark.leave()
    workers = worker_count(options)
    try:
        pipeline = beam.Pipeline(options=options)
    except (ImportError, ValueError) as error:
        # Only now does Beam look at the runner's name, and at the options that the runner asks for.
        raise RunError(Exit.USAGE, f"Beam: {' '.join(str(error).split())}") from error
    build(
        pipeline,
        blocks,
        terms,
        for_travel(layout),
        mark,
        partitions=partitions,
        local=is_local(options) and layout.elsewhere is None,
        progress=progress,
        deliver=_Deliver(for_travel(layout), mark),
        workers=workers,
        earlier=earlier,
    )
    _run(pipeline, workers)
    return list(kept_parts(layout, blocks))


def _run(pipeline: beam.Pipeline, workers: int) -> None:
    try:
        with only_our_voice(), workers_like_this():
            if workers > 1:
                watched(lambda: _to_its_end(pipeline))
            else:
                _to_its_end(pipeline)
    except Exception as error:
        fault = engine_fault(error)
        if fault is None:
            raise
        raise fault from error
    unrun = not_run(pipeline.options.get_all_options()) if is_dataflow(pipeline.options) else None
    if unrun:
        raise RunError(Exit.USAGE, unrun)


def _to_its_end(pipeline: beam.Pipeline) -> None:
    pipeline.run().wait_until_finish()


class _Deliver:
    """Leaves what became of blocks where the driver finds it."""

    def __init__(self, layout: Layout, mark: Mark) -> None:
        self._layout, self._mark = layout, mark

    def __call__(self, part: int, settled: Iterable[Settled]) -> None:
        self._mark.require_folder()
        with environment_faults():
            keep_part(self._layout, part, settled)
