"""assay diff."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli import FORMAT, location

if TYPE_CHECKING:
    from transforms.storage.location import Location


@click.command("diff")
@click.argument("before", metavar="RUN_A", type=location)
@click.argument("after", metavar="RUN_B", type=location)
@click.option("--output", type=location, metavar="DIR", help="Write the difference to a new folder.")
@FORMAT
def command(before: Location, after: Location, output: Location | None, form: str) -> int:
    """Say what became of each record of the published run RUN_A in RUN_B.

    Records are matched by digest, by content and by identity, never by position. The exit code is 1 where there is a
    difference.
    """
    from tempfile import TemporaryDirectory

    from pipeline.committed.run import open_run
    from pipeline.diff.difference import difference
    from pipeline.diff.publish import SUMMARY, publish_difference
    from pipeline.new_folder import refuse_destination
    from pipeline.report.difference import print_difference

    runs = open_run(before), open_run(after)
    if output:
        refuse_destination(output, SUMMARY)
    with TemporaryDirectory(prefix="assay-diff-") as work:
        found = difference(*runs, Path(work))
        if output:
            publish_difference(found, output)
        return print_difference(found, form, sys.stdout)
