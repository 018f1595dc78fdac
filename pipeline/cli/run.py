"""assay run."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from pipeline.cli import FORMAT, location, say_beyond, warn

if TYPE_CHECKING:
    from transforms.records import Finding
    from transforms.storage.location import Location


@click.command("run", context_settings={"ignore_unknown_options": True})
@click.argument("campaign", type=location)
@click.option("--output", required=True, type=location, help="The folder that gets the run's own.")
@click.option("--input", "inputs", multiple=True, metavar="STREAM=PATTERN", help="Read these shards for a stream.")
@click.option("--run-id", help="Name the run; by default the name is derived from campaign and inputs.")
@click.option(
    "--history",
    multiple=True,
    type=location,
    metavar="RUN",
    help="Hold records against those that this earlier run accepted; may be repeated.",
)
@click.option("--no-resume", is_flag=True, help="Use nothing of an earlier attempt, keep nothing for another.")
@click.option("--quiet", is_flag=True, help="No progress.")
@FORMAT
@click.argument("beam_flags", nargs=-1, type=click.UNPROCESSED)
def command(
    campaign: Location,
    output: Location,
    inputs: tuple[str, ...],
    run_id: str | None,
    history: tuple[Location, ...],
    no_resume: bool,
    quiet: bool,
    form: str,
    beam_flags: tuple[str, ...],
) -> int:
    """Judge the shards of CAMPAIGN and publish a run under OUTPUT.

    A run of 512 MiB or more works in as many processes as there are processors. Flags of Apache Beam are passed
    through, for instance --direct_running_mode=multi_processing --direct_num_workers=2.
    """
    from pipeline.job import run_job
    from pipeline.report.findings import print_summary

    warnings: list[Finding] = []
    committed, beyond = run_job(
        campaign,
        output,
        inputs,
        run_id,
        beam_flags,
        show_progress=not quiet,
        history=history,
        resume=not no_resume,
        on_warning=partial(warn, warnings),
    )
    print_summary(committed, form, sys.stdout, warnings)
    return say_beyond(beyond)
