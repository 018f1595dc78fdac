"""assay cat."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from pipeline.cli import location

if TYPE_CHECKING:
    from transforms.storage.location import Location


def _shard(_context: click.Context, _option: click.Parameter, text: str) -> tuple[int, int]:
    if not re.fullmatch(r"[0-9]{1,9}/[0-9]{1,9}", text):
        raise click.BadParameter(f"{text!r} is not I/N, such as 0/4.")
    index, count = text.split("/")
    return int(index), int(count)


@click.command("cat")
@click.argument("run", type=location)
@click.option(
    "--stream", "streams", multiple=True, metavar="NAME", help="This stream only; may be given several times."
)
@click.option("--shard", default="0/1", metavar="I/N", callback=_shard, help="Part I of N, from 0: rows in sequence.")
@click.option("--start", type=click.IntRange(0), metavar="POSITION", help="The first row, counted from 0.")
@click.option("--limit", type=click.IntRange(0), metavar="N", help="At most so many rows.")
@click.option("--records", is_flag=True, help="Check the digest of each record too, not only each file's.")
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "arrow"]), default="jsonl", help="Lines, or an Arrow IPC stream."
)
def command(
    run: Location,
    streams: tuple[str, ...],
    shard: tuple[int, int],
    start: int | None,
    limit: int | None,
    records: bool,
    form: str,
) -> None:
    """Write the accepted records of the run in the folder RUN to standard output.

    Each file's digest is checked before its first record is written. Lines are the archival bytes themselves.
    """
    from pipeline.load import load
    from pipeline.load.writing import write_arrow, write_lines

    loader = load(run, streams or None, shard=shard, start=start, limit=limit, records=records)
    if form == "arrow":
        write_arrow(loader, sys.stdout.buffer)
    else:
        write_lines(loader, sys.stdout.buffer)
