"""assay revalidate."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from pipeline.cli import FORMAT, location, say_beyond, warn

if TYPE_CHECKING:
    from transforms.records import Finding
    from transforms.storage.location import Location


@click.command("revalidate", context_settings={"ignore_unknown_options": True})
@click.argument("campaign", type=location)
@click.option(
    "--from",
    "runs",
    required=True,
    multiple=True,
    type=location,
    metavar="RUN",
    help="A run's folder.",
)
@click.option("--output", required=True, type=location, help="The folder that gets the run's own.")
@click.option("--rejected", is_flag=True, help="Judge what the runs rejected, too.")
@click.option("--held", is_flag=True, help="Judge what the runs held, too.")
@click.option("--judge-all", is_flag=True, help="Judge structure anew even where only rubrics have changed.")
@click.option("--diff", type=location, metavar="DIR", help="Write what changed for each run to a new folder.")
@click.option("--input", "inputs", multiple=True, metavar="STREAM=PATTERN", help="Read these shards as well.")
@click.option("--run-id", help="Name the run; by default the name is derived from campaign and sources.")
@click.option("--quiet", is_flag=True, help="No progress.")
@FORMAT
@click.argument("beam_flags", nargs=-1, type=click.UNPROCESSED)
def command(
    campaign: Location,
    runs: tuple[Location, ...],
    output: Location,
    rejected: bool,
    held: bool,
    judge_all: bool,
    diff: Location | None,
    inputs: tuple[str, ...],
    run_id: str | None,
    quiet: bool,
    form: str,
    beam_flags: tuple[str, ...],
) -> int:
    """Judge what earlier runs accepted under CAMPAIGN, and publish a run of its own under OUTPUT.

    The streams of the runs are read from the runs, all others from their input. Flags of Apache Beam are passed
    through.
    """
    from pipeline.diff.backfill import publish_differences, refuse_differences
    from pipeline.report.difference import print_difference
    from pipeline.report.findings import print_summary
    from pipeline.revalidate import revalidate
    from transforms.records import Outcome

    if diff:
        refuse_differences(diff, output / run_id if run_id else None)
    outcomes = [Outcome.ACCEPTED, *([Outcome.HELD] if held else []), *([Outcome.REJECTED] if rejected else [])]
    asked = (campaign, runs, outcomes, output, inputs, run_id, beam_flags)
    warnings: list[Finding] = []
    committed, beyond = revalidate(
        *asked, show_progress=not quiet, judge_all=judge_all, on_warning=partial(warn, warnings)
    )
    print_summary(committed, form, sys.stdout, warnings)
    if diff:
        for found in publish_differences(runs, committed.folder, diff):
            if form == "text":
                print_difference(found, form, sys.stdout)
    return say_beyond(beyond)
