"""A run from campaign to committed manifest."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pipeline.campaign import Campaign
from pipeline.exits import Exit, RunError
from pipeline.history.known import Earlier, complete, open_history
from pipeline.manifest import Manifest, shard_faults
from pipeline.origin import note_origin
from pipeline.plan import NO_BACKFILL, Backfill, Plan, derive_run_id, make_plan, refuse_grown
from pipeline.publish import MANIFEST, publish
from transforms.blocks.layout import Layout
from transforms.blocks.summary import Settled
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
    on_plan: Callable[[Plan, Layout], None] = lambda plan, layout: None,
) -> Committed:
    """Judge a campaign's shards, and records of earlier runs, and commit the run under `output`.

    All are held against what the runs in the folders `history` accepted.

    `engine` executes the graph over the blocks and gives every block's Settled; `on_plan` is told what
    will be read before it starts. Raises RunError, and then nothing is committed.
    """
    if run_id is not None and not RUN_ID.fullmatch(run_id):
        raise RunError(Exit.USAGE, f"run id {run_id!r}: use letters, digits, '.', '_' and '-' (at most 128)")
    terms = {name: stream.terms for name, stream in campaign.streams.items()}
    known = open_history(history, terms.values())
    plan = make_plan(campaign, patterns or {}, backfill)
    _refuse_faults(campaign, plan, ())
    run_id = run_id or derive_run_id(campaign, plan, known.digests)
    if any(earlier.run.run_id == run_id for earlier in known.runs):
        raise RunError(Exit.USAGE, f"--history: the run {run_id} has the id of this run")
    if isinstance(output, Remote):
        raise RunError(Exit.USAGE, f"{output}: a run is written to a folder of this machine")
    layout = Layout(output / run_id)
    with _claimed(layout):
        on_plan(plan, layout)
        known = complete(known, layout.staging / "history")
        partitions = max(1, min(256, plan.bytes // _BYTES_PER_PARTITION))
        settled = engine(plan.blocks, terms, layout, partitions, earlier=known.indexes) if plan.blocks else []
        settled.sort(key=lambda block: block.ordinal)
        _refuse_faults(campaign, plan, settled)
        refuse_grown(plan)
        manifest = publish(run_id, campaign, plan, settled, layout, known.described())
        note_origin(layout.root, campaign.folder)
    return Committed(layout.root, manifest)


def _refuse_faults(campaign: Campaign, plan: Plan, settled: Sequence[Settled]) -> None:
    """Stop on an unusable shard unless the campaign quarantines them."""
    faults = shard_faults(plan, settled)
    if faults and not campaign.quarantine:
        shard, fault = faults[0]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise RunError(Exit.INTEGRITY, f"{shard.stream}/{shard.name}: {fault.code}: {fault.message}{more}")


@contextmanager
def _claimed(layout: Layout) -> Iterator[None]:
    """Hold the run's folder alone, cleared of what a crashed attempt left, and remove it if this one fails.

    The lock is on the folder itself and goes with the process. A folder with a manifest is a committed run.
    """
    root = layout.root
    try:
        root.mkdir(parents=True, exist_ok=True)
        handle = os.open(root, os.O_RDONLY)
    except OSError as error:
        raise RunError(Exit.USAGE, f"cannot create the run's folder {root}: {error.strerror}") from error
    try:
        _lock(handle, root)
        if (root / MANIFEST).exists():
            raise RunError(Exit.USAGE, f"the run {root.name} is committed already: {root}")
        _clear(root)
        with _removed_on_failure(root):
            layout.staging.mkdir()
            yield
    except OSError as error:
        name = f": {error.filename}" if error.filename else ""
        raise RunError(Exit.INTEGRITY, f"{error.strerror or error}{name}") from error
    finally:
        os.close(handle)


@contextmanager
def _removed_on_failure(root: Path) -> Iterator[None]:
    try:
        yield
    except Exception:
        if not (root / MANIFEST).exists():
            shutil.rmtree(root, ignore_errors=True)
        raise


def _lock(handle: int, root: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise RunError(Exit.USAGE, f"another process is writing the run {root.name}") from error


def _clear(root: Path) -> None:
    """Empty a folder that a crashed attempt left; refuse one that holds anything else."""
    own = {
        "accepted",
        "rejected",
        "held",
        "decisions",
        "identities",
        "campaign",
        ".staging",
        "SHA256SUMS",
        "report.html",
        f".{MANIFEST}.draft",
    }
    entries = list(root.iterdir())
    strangers = sorted(entry.name for entry in entries if entry.name not in own)
    if strangers:
        raise RunError(Exit.USAGE, f"{root} holds {strangers[0]!r}, which is no file of a run; choose another run id")
    for entry in entries:
        shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
