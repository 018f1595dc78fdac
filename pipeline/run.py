"""A run from campaign to committed manifest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from pipeline.bucket_claim import claimed_in_bucket
from pipeline.campaign import Campaign
from pipeline.claim import OF_A_RUN, claimed, fresh_folder
from pipeline.committed.enclosing import refuse_within_run
from pipeline.exits import Exit, InputFault, RunError
from pipeline.history.known import Earlier, History, complete, open_history
from pipeline.manifest import Manifest, shard_faults
from pipeline.origin import note_origin
from pipeline.plan import NO_BACKFILL, Backfill, Plan, derive_run_id, make_plan, refuse_grown, work_sha256
from pipeline.publish import MANIFEST, publish
from pipeline.scale import partitions_for
from pipeline.versions import pinned_versions
from pipeline.work_folder import work_folder
from transforms.blocks.layout import Layout, Sealing
from transforms.blocks.summary import Settled
from transforms.digests import canonical_json, sha256_hex
from transforms.shards.blocks import AnyBlock
from transforms.storage.location import Location, Remote
from transforms.terms import StreamTerms

RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


class Engine(Protocol):
    """Judges and settles all blocks: see `pipeline.graph.execute`."""

    def __call__(
        self,
        blocks: Sequence[AnyBlock],
        terms: Mapping[str, StreamTerms],
        layout: Layout,
        partitions: int,
        /,
        *,
        earlier: Earlier,
    ) -> list[Settled]:
        """Every block's Settled, in any order."""


@dataclass(frozen=True, slots=True)
class Committed:
    """A run that is committed: its folder and manifest."""

    folder: Location
    manifest: Manifest


def run(
    campaign: Campaign,
    output: Location,
    engine: Engine,
    *,
    run_id: str | None = None,
    shared: bool = True,
    patterns: Mapping[str, Sequence[str]] | None = None,
    backfill: Backfill = NO_BACKFILL,
    history: Sequence[Location] = (),
    resume: bool = True,
    on_plan: Callable[[Plan, Layout], None] = lambda plan, layout: None,
) -> Committed:
    """Judge a campaign's shards, and records of earlier runs, and commit the run under `output`.

    All are held against what the runs in the folders `history` accepted.

    With `resume`, what an earlier attempt at the run has finished is taken over, and this one's work is sealed for a
    later attempt. `engine` executes the graph over the blocks and gives every block's Settled; `on_plan` is told what
    will be read before it starts. `shared` says that all workers see the files of this machine. Raises RunError, and
    then nothing is committed.
    """
    if run_id is not None and not RUN_ID.fullmatch(run_id):
        raise RunError(Exit.USAGE, f"run id {run_id!r}: use letters, digits, '.', '_' and '-' (at most 128)")
    known = open_history(history, (stream.terms for stream in campaign.streams.values()))
    plan = make_plan(campaign, patterns or {}, backfill)
    _refuse_faults(campaign, plan, ())
    work = work_sha256(campaign, plan, known.digests)
    run_id = run_id or derive_run_id(campaign, work)
    if any(earlier.run.run_id == run_id for earlier in known.runs):
        raise RunError(Exit.USAGE, f"--history: the run {run_id} has the id of this run")
    if isinstance(output, Remote) and not shared:
        _refuse_unseen(known)
    with _taken(output / run_id, _sealing(campaign, work) if resume else None, shared) as layout:
        on_plan(plan, layout)
        known = complete(known, fresh_folder(layout, "history"))
        settled = _judged(campaign, plan, engine, layout, known)
        manifest = publish(run_id, campaign, plan, settled, layout, known.described())
        note_origin(layout.root, campaign.folder)
    return Committed(layout.home, manifest)


def _judged(campaign: Campaign, plan: Plan, engine: Engine, layout: Layout, known: History) -> list[Settled]:
    """Every block, in order. Raises RunError where a shard is unusable, or changed meanwhile."""
    terms = {name: stream.terms for name, stream in campaign.streams.items()}
    blocks, partitions = plan.blocks, partitions_for(plan.bytes)
    settled = engine(blocks, terms, layout, partitions, earlier=known.indexes) if blocks else []
    settled.sort(key=lambda block: block.ordinal)
    _refuse_faults(campaign, plan, settled)
    refuse_grown(plan)
    return settled


def _refuse_unseen(known: History) -> None:
    """Workers that share no files with the driver can read indexes in buckets, and none that the driver makes."""
    for one in known.runs:
        if one.missing or not isinstance(one.folder, Remote):
            what = "has no identity index" if one.missing else "is in a folder of this machine"
            raise RunError(Exit.USAGE, f"--history {one.folder}: {what}, which workers of other machines cannot read")


@contextmanager
def _taken(folder: Location, sealing: Sealing | None, shared: bool) -> Iterator[Layout]:
    """The layout of a run whose folder nobody else writes, or which does not mind it. Raises RunError."""
    refuse_within_run(folder)
    if isinstance(folder, Remote):
        with (
            work_folder(folder, sealing if shared else None) as root,
            claimed_in_bucket(folder, MANIFEST, OF_A_RUN, root, sealing, shared=shared) as layout,
        ):
            yield layout
    else:
        layout = Layout(folder, sealing)
        with claimed(layout, folder.name):
            yield layout


def _sealing(campaign: Campaign, work: str) -> Sealing:
    terms, whole = ([digest, pinned_versions()] for digest in (campaign.sha256, work))
    return Sealing(sha256_hex(canonical_json(terms)), sha256_hex(canonical_json(whole)))


def _refuse_faults(campaign: Campaign, plan: Plan, settled: Sequence[Settled]) -> None:
    """Stop on an unusable shard unless the campaign quarantines them."""
    faults = shard_faults(plan, settled)
    if faults and not campaign.quarantine:
        shard, fault = faults[0]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise InputFault(Exit.INTEGRITY, f"{shard.stream}/{shard.name}: {fault.code}: {fault.message}{more}")
