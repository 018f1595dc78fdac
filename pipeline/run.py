"""A run from campaign to committed manifest."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pipeline.campaign import Campaign
from pipeline.claim import claimed, fresh_folder
from pipeline.exits import Exit, InputFault, RunError
from pipeline.history.known import Earlier, History, complete, open_history
from pipeline.manifest import Manifest, shard_faults
from pipeline.origin import note_origin
from pipeline.plan import NO_BACKFILL, Backfill, Plan, derive_run_id, make_plan, refuse_grown, work_sha256
from pipeline.publish import publish
from pipeline.versions import pinned_versions
from transforms.blocks.layout import Layout, Sealing
from transforms.blocks.summary import Settled
from transforms.digests import canonical_json, sha256_hex
from transforms.shards.blocks import AnyBlock
from transforms.storage.location import Location, Remote
from transforms.terms import MIB, StreamTerms

RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")

# One partition of the joins for so many bytes read; at 3 % of them in claims a partition holds some 2 MB.
_BYTES_PER_PARTITION = 64 * MIB


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

    folder: Path
    manifest: Manifest


def run(
    campaign: Campaign,
    output: Location,
    engine: Engine,
    *,
    run_id: str | None = None,
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
    will be read before it starts. Raises RunError, and then nothing is committed.
    """
    if run_id is not None and not RUN_ID.fullmatch(run_id):
        raise RunError(Exit.USAGE, f"run id {run_id!r}: use letters, digits, '.', '_' and '-' (at most 128)")
    known = open_history(history, (stream.terms for stream in campaign.streams.values()))
    plan = make_plan(campaign, patterns or {}, backfill)
    _refuse_faults(campaign, plan, ())
    run_id = run_id or derive_run_id(campaign, plan, known.digests)
    if any(earlier.run.run_id == run_id for earlier in known.runs):
        raise RunError(Exit.USAGE, f"--history: the run {run_id} has the id of this run")
    if isinstance(output, Remote):
        raise RunError(Exit.USAGE, f"{output}: a run is written to a folder of this machine")
    layout = Layout(output / run_id, _sealing(campaign, work_sha256(campaign, plan, known.digests)) if resume else None)
    with claimed(layout):
        on_plan(plan, layout)
        known = complete(known, fresh_folder(layout, "history"))
        settled = _judged(campaign, plan, engine, layout, known)
        manifest = publish(run_id, campaign, plan, settled, layout, known.described())
        note_origin(layout.root, campaign.folder)
    return Committed(layout.root, manifest)


def _judged(campaign: Campaign, plan: Plan, engine: Engine, layout: Layout, known: History) -> list[Settled]:
    """Every block, in order. Raises RunError where a shard is unusable, or changed meanwhile."""
    terms = {name: stream.terms for name, stream in campaign.streams.items()}
    partitions = max(1, min(256, plan.bytes // _BYTES_PER_PARTITION))
    settled = engine(plan.blocks, terms, layout, partitions, earlier=known.indexes) if plan.blocks else []
    settled.sort(key=lambda block: block.ordinal)
    _refuse_faults(campaign, plan, settled)
    refuse_grown(plan)
    return settled


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
