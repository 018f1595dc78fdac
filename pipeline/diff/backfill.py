"""What a backfill changed: the difference between each earlier run and the run that judged it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.committed.run import open_run
from pipeline.diff.difference import difference
from pipeline.diff.publish import publish_difference, refuse_destination
from pipeline.diff.values import Difference
from transforms.storage.location import Location


def refuse_differences(sources: Sequence[Location], destination: Path) -> None:
    """Raises RunError (Exit.USAGE) where the folder exists already or lies within one of the runs."""
    for source in sources:
        run = open_run(source)
        refuse_destination(destination, (run, run))


def publish_differences(sources: Sequence[Location], after: Location, destination: Path) -> Iterator[Difference]:
    """Write the difference from each of the runs `sources` to the run `after` under `destination`, by the run's id.

    Each difference is given once it is written; its changes can be read until the next one is asked for. Raises
    RunError as `difference` and `publish_difference` do, and OSError.
    """
    later = open_run(after)
    for run in sorted(map(open_run, sources), key=lambda run: run.run_id):
        refuse_destination(destination / run.run_id, (run, later))
        with TemporaryDirectory(prefix="assay-diff-") as work:
            found = difference(run, later, Path(work))
            publish_difference(found, destination / run.run_id)
            yield found
