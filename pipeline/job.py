"""`assay run` from arguments to a committed run: campaign, plan, graph, progress, thresholds."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.campaign import Campaign, Thresholds, load_campaign
from pipeline.exits import Exit, RunError
from pipeline.history.known import Earlier
from pipeline.manifest import Manifest
from pipeline.plan import NO_BACKFILL, Backfill, Plan
from pipeline.processors import usable_processors, workers_for
from pipeline.progress import show
from pipeline.report.printable import finding_line
from pipeline.run import Committed, run
from transforms.acceptance.rubric import decimal
from transforms.blocks.layout import Layout
from transforms.blocks.summary import Settled
from transforms.records import Finding
from transforms.shards.blocks import AnyBlock
from transforms.storage.location import Location, is_remote, within

OnWarning = Callable[[Finding], None]


def keep_quiet(*_: object) -> None:
    """Say nothing, whatever there is to say."""


def run_job(
    campaign_path: Location,
    output: Location,
    inputs: Sequence[str],
    run_id: str | None,
    flags: Sequence[str],
    *,
    show_progress: bool,
    history: Sequence[Location] = (),
    resume: bool = True,
    on_warning: OnWarning = keep_quiet,
) -> tuple[Committed, list[str]]:
    """Run a campaign; the second value says which of its thresholds the run is beyond.

    `inputs` are STREAM=PATTERN, `flags` are Beam's, `history` the folders of earlier runs, `resume` as in `run`;
    `on_warning` as in `usable`. Raises RunError, and then nothing is committed.
    """
    campaign = usable(load_campaign(campaign_path), campaign_path, on_warning)
    patterns = parse_inputs(inputs, campaign)
    return judge_campaign(
        campaign,
        output,
        patterns,
        run_id,
        flags,
        show_progress=show_progress,
        history=history,
        resume=resume,
    )


def judge_campaign(
    campaign: Campaign,
    output: Location,
    patterns: Mapping[str, Sequence[str]],
    run_id: str | None,
    flags: Sequence[str],
    *,
    show_progress: bool,
    backfill: Backfill = NO_BACKFILL,
    history: Sequence[Location] = (),
    resume: bool = True,
) -> tuple[Committed, list[str]]:
    """Run a campaign that is loaded, as `run_job`; `patterns` by stream."""
    if sys.flags.optimize > 1:
        raise RunError(Exit.USAGE, "Apache Beam reads its own docstrings: run without -OO or PYTHONOPTIMIZE=2")
    # Only now: what is refused above is refused without loading Beam, which warns of parts that are not used here.
    logging.getLogger().setLevel(logging.ERROR)
    from pipeline.graph import execute
    from pipeline.options import beam_options, is_local, require_runner

    given: dict[str, Any] = {"patterns": patterns, "backfill": backfill, "history": history, "resume": resume}
    options = beam_options(flags)
    require_runner(options, _places(campaign, output, patterns, backfill, history))
    with ExitStack() as stack:

        def engine(blocks: Sequence[AnyBlock], *work: Any, earlier: Earlier) -> list[Settled]:
            chosen = beam_options(flags, workers_for(blocks, usable_processors()))
            settled = execute(chosen, blocks, *work, progress=show_progress, earlier=earlier)
            stack.close()
            return settled

        on_plan = partial(_show, stack) if show_progress else keep_quiet
        done = run(campaign, output, engine, run_id=run_id, shared=is_local(options), on_plan=on_plan, **given)
    return done, list(beyond(campaign.thresholds, done.manifest))


def _places(
    campaign: Campaign,
    output: Location,
    patterns: Mapping[str, Sequence[str]],
    backfill: Backfill,
    history: Sequence[Location],
) -> Iterator[tuple[str, Location]]:
    """What workers read or write, with what it is."""
    yield "--output", output
    yield from (("--history", folder) for folder in history)
    yield from (("--from", within(campaign.folder, source.uri)) for source in backfill.sources)
    for name, stream in sorted(campaign.streams.items()):
        own = patterns.get(name, () if name in backfill.streams else stream.patterns)
        yield from ((f"stream {name}:", within(campaign.folder, pattern)) for pattern in own)


def _show(stack: ExitStack, plan: Plan, layout: Layout) -> None:
    stack.enter_context(show(plan.bytes, layout))


def usable(loaded: Campaign | tuple[Finding, ...], path: Location, on_warning: OnWarning) -> Campaign:
    """The campaign, once `on_warning` was told what it is to be warned of; raises RunError with its first problem."""
    if isinstance(loaded, Campaign):
        for warning in loaded.warnings:
            on_warning(warning)
        return loaded
    more = f" (and {len(loaded) - 1} more; see `assay check {path}`)" if len(loaded) > 1 else ""
    raise RunError(Exit.USAGE, f"{path}: {finding_line(loaded[0])}{more}")


def parse_inputs(inputs: Sequence[str], campaign: Campaign) -> dict[str, list[str]]:
    """STREAM=PATTERN arguments by stream; a relative pattern is relative to the working folder."""
    patterns: dict[str, list[str]] = {}
    for argument in inputs:
        stream, equals, pattern = argument.partition("=")
        if not equals or not pattern:
            raise RunError(Exit.USAGE, f"--input {argument}: write STREAM=PATTERN")
        if stream not in campaign.streams:
            known = ", ".join(sorted(campaign.streams))
            raise RunError(Exit.USAGE, f"--input {argument}: no stream {stream!r}; there are {known}")
        absolute = pattern if is_remote(pattern) else str(Path(pattern).absolute())
        patterns.setdefault(stream, []).append(absolute)
    return patterns


def beyond(thresholds: Thresholds, manifest: Manifest) -> list[str]:
    """A line for each threshold that the run is beyond."""
    books = [stream["records"] for stream in manifest["streams"].values()]
    read = sum(row["read"] for row in books)
    lines = []
    for outcome, share in (("rejected", thresholds.max_rejected_share), ("held", thresholds.max_held_share)):
        count = sum(row[outcome] for row in books)
        if share is not None and count > decimal(share) * read:
            lines.append(f"{count:,} of {read:,} records {outcome}, the campaign allows {share:.2%}")
    quarantined = sum("fault" in row for row in manifest["inputs"])
    bound = thresholds.max_quarantined_shards
    if bound is not None and quarantined > bound:
        lines.append(f"{quarantined} shards quarantined, the campaign allows {bound}")
    return lines
