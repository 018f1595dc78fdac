"""assay export."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pipeline.cli import location

if TYPE_CHECKING:
    from transforms.storage.location import Location

_FORMATS = ("trl-preference", "openai-preference", "conversational", "jsonl")


@click.command("export")
@click.argument("run", type=location)
@click.option("--format", "form", type=click.Choice(_FORMATS), required=True, help="The form of the rows.")
@click.option("--output", required=True, type=location, metavar="DIR", help="A new folder.")
@click.option("--stream", "streams", multiple=True, metavar="NAME", help="A stream; by default all that fit.")
@click.option("--ties", type=click.Choice(["drop", "both"]), help="Ties: no row (default), or a row in each order.")
@click.option(
    "--neither",
    type=click.Choice(["drop", "golden-patch"]),
    help="Where none is acceptable: no row (default), or the golden patch preferred to either.",
)
@click.option("--held-out", "share", metavar="SHARE", help="Hold out this share of tasks, such as 0.1.")
@click.option("--salt", help="Goes into the hash that chooses the tasks held out.")
@click.option("--include-private", is_flag=True, help="Export clinical and other private records too.")
def command(
    run: Location,
    form: str,
    output: Location,
    streams: tuple[str, ...],
    ties: str | None,
    neither: str | None,
    share: str | None,
    salt: str | None,
    include_private: bool,
) -> int:
    """Export the accepted records of the published run in the folder RUN, with their lineage.

    The exit code is 1 where the export has no row.
    """
    from pipeline.export.asked import choices_asked
    from pipeline.export.export import export_run
    from pipeline.report.exported import print_export

    choices = choices_asked(form, streams, ties, neither, share, salt, include_private)
    manifest = export_run(run, output, choices)
    return print_export(manifest, output, sys.stdout)
