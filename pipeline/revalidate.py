"""`assay revalidate`: the records of earlier runs, judged again under a campaign. docs/backfill.md says how."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from pipeline.as_judged import judged_alike
from pipeline.campaign import Campaign, load_campaign
from pipeline.committed.run import Output, Run, named, open_output, open_run
from pipeline.exits import Exit, RunError
from pipeline.job import OnWarning, judge_campaign, keep_quiet, parse_inputs, usable
from pipeline.plan import Backfill, Source
from pipeline.run import Committed
from transforms.kinds import KINDS
from transforms.parsing.json_strict import loads_document
from transforms.records import Finding, Json, Outcome, Shard
from transforms.shards.discover import uri_of
from transforms.shards.plan import Inspection
from transforms.shards.published import PublishedBlock
from transforms.storage.location import Location, Remote
from transforms.storage.objects import status
from transforms.terms import StreamTerms

_CAMPAIGN = "campaign/campaign.json"


def revalidate(
    campaign_path: Location,
    folders: Sequence[Location],
    outcomes: Sequence[Outcome],
    output: Location,
    inputs: Sequence[str],
    run_id: str | None,
    flags: Sequence[str],
    *,
    show_progress: bool,
    judge_all: bool = False,
    on_warning: OnWarning = keep_quiet,
) -> tuple[Committed, list[str]]:
    """Judge the records of the runs in `folders` that had these outcomes; else as `pipeline.job.run_job`.

    With `judge_all` nothing is taken as an earlier run judged it.

    Raises RunError, and then nothing is committed: Exit.INTEGRITY where a run is not as it was published.
    """
    campaign = usable(load_campaign(campaign_path), campaign_path, on_warning)
    patterns = parse_inputs(inputs, campaign)
    backfill = read_backfill(campaign, folders, outcomes, judge_all=judge_all)
    campaign = with_origins(campaign, backfill.streams)
    return judge_campaign(campaign, output, patterns, run_id, flags, show_progress=show_progress, backfill=backfill)


def with_origins(campaign: Campaign, streams: frozenset[str]) -> Campaign:
    """The campaign, with columns for their origin beside the records of these streams."""
    own = {
        name: replace(stream, terms=replace(stream.terms, revalidated=name in streams))
        for name, stream in campaign.streams.items()
    }
    return replace(campaign, streams=own)


def read_backfill(
    campaign: Campaign, folders: Sequence[Location], outcomes: Sequence[Outcome], *, judge_all: bool = False
) -> Backfill:
    """The runs in `folders` and their files with records of these outcomes, each checked against its run's manifest.

    The order of `folders` is of no account. Accepted records are taken as judged where `judged_alike` says so, unless
    `judge_all`. Raises RunError: Exit.USAGE where there is no committed run, one is given
    twice, or its streams are not the campaign's; Exit.INTEGRITY where one is not as it was published.
    """
    runs = sorted((open_run(folder) for folder in folders), key=lambda run: run.run_id)
    for run, other in pairwise(runs):
        if run.run_id == other.run_id:
            raise RunError(Exit.USAGE, f"{run.folder} and {other.folder} are both the run {run.run_id}")
    chosen = tuple(outcome for outcome in sorted(Outcome) if outcome in outcomes)
    judged = [(run, _campaign_of(run)) for run in runs]
    known = {run.run_id: frozenset() if judge_all else _known(run, before, campaign) for run, before in judged}
    return Backfill(
        tuple(_source(run, chosen, campaign, known[run.run_id]) for run in runs),
        frozenset(name for run in runs for name in run.kinds),
        tuple(
            inspection
            for run, before in judged
            for inspection in _inspections(run, chosen, before, campaign, known[run.run_id])
        ),
    )


def _known(run: Run, before: Json, campaign: Campaign) -> frozenset[str]:
    """The streams of the run whose accepted records need not be judged again; `before` is its campaign manifest."""
    now = dict(json.loads(campaign.documents[0].data))
    return frozenset(name for name in run.kinds if judged_alike(name, run.manifest, before, now))


def _source(run: Run, outcomes: Sequence[Outcome], campaign: Campaign, known: frozenset[str]) -> Source:
    streams = {}
    for name, row in run.manifest["streams"].items():
        read = sum(row["records"][outcome] for outcome in outcomes)
        streams[name] = {"read": read, "left": row["records"]["read"] - read}
    uri = uri_of(run.folder, campaign.folder)
    chosen = tuple(outcome.value for outcome in outcomes)
    return Source(run.run_id, run.sha256, uri, chosen, streams, tuple(sorted(known)))


def _inspections(
    run: Run, outcomes: Sequence[Outcome], before: Json, campaign: Campaign, known: frozenset[str]
) -> Iterator[Inspection]:
    rows = before["streams"]
    for name, kind in sorted(run.kinds.items()):
        if name not in campaign.streams:
            raise RunError(
                Exit.USAGE, f"{run.folder}: the campaign has no stream {name!r}, whose records would be lost"
            )
        terms = campaign.streams[name].terms
        if terms.kind != kind:
            raise RunError(Exit.USAGE, f"{run.folder}: the records of {name} are {kind}, the campaign's {terms.kind}")
        for outcome in outcomes:
            outputs = run.outputs_of(outcome, name)
            if sum(output.rows or 0 for output in outputs) != run.manifest["streams"][name]["records"][outcome]:
                raise RunError(Exit.INTEGRITY, f"{run.folder}: its files of {name} are not all that were {outcome}")
            for output in outputs:
                if output.rows:
                    block = _block(run, output, rows.get(name, {}), terms)
                    block = replace(block, judged=name in known and block.accepted)
                    yield _inspection(run, output, block, campaign)


def _inspection(run: Run, output: Output, block: PublishedBlock, campaign: Campaign) -> Inspection:
    with open_output(run, output):
        pass  # its digest is checked
    uri = uri_of(run.folder / output.path, campaign.folder)
    block = replace(block, shard=replace(block.shard, uri=uri))
    return Inspection(block.shard, output.sha256, output.bytes, (block,), (), output.rows)


def _block(run: Run, output: Output, row: Json, terms: StreamTerms) -> PublishedBlock:
    """`row` is the stream in the campaign manifest of `run`."""
    shard = _shard(run, output)
    is_jcs = run.manifest["campaign"]["canonicalisation"] == "jcs" and not KINDS[terms.kind].keeps_digits
    stream = run.manifest["streams"][output.stream]
    adapter = stream.get("adapter")
    return PublishedBlock(
        shard=shard,
        run=run.run_id,
        sha256=output.sha256,
        rows=output.rows or 0,
        accepted=output.folder == Outcome.ACCEPTED,
        documents=row.get("format") == "documents",
        canonical=is_jcs or adapter is not None,
        told=terms.adapter is not None and adapter is not None and adapter["source"] == terms.adapter.source,
        migrates=frozenset(terms.migrations),
        version=stream["versions"][0] if KINDS[terms.kind].version_field is None else None,
    )


def _shard(run: Run, output: Output) -> Shard:
    name = f"{run.run_id}/{output.path}"
    if isinstance(run.folder, Remote):
        location = run.folder / output.path
        seen, url = status(location), str(location)
        return Shard(output.stream, name, url, url, output.bytes, seen.generation, seen.crc32c)
    path = str((run.folder / output.path).absolute())
    return Shard(output.stream, name, path, path, output.bytes)


def _campaign_of(run: Run) -> Json:
    """The campaign manifest that the run was judged by."""
    output = next(output for output in run.outputs if output.path == _CAMPAIGN)
    with open_output(run, output) as file, named(run, output):
        value = loads_document(file.read())
        if isinstance(value, Finding):
            raise ValueError(value.message)
    return dict(value)
