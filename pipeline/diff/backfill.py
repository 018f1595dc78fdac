"""What a backfill changed: the difference between each earlier run and the run that judged it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.committed.enclosing import lies_within
from pipeline.committed.run import open_run
from pipeline.diff.difference import difference
from pipeline.diff.publish import SUMMARY, publish_difference
from pipeline.diff.values import Difference
from pipeline.exits import Exit, RunError, reason_of
from pipeline.new_folder import refuse_destination
from transforms.storage.location import Location


def refuse_differences(destination: Location, after: Location | None) -> None:
    """Raises RunError (Exit.USAGE) where the folder exists already or lies within a run.

    `after` is the folder of the run to come, as far as its id is given.
    """
    refuse_destination(destination)
    if after and lies_within(destination, after):
        raise RunError(Exit.USAGE, f"{destination} lies within the new run's folder {after}")


def publish_differences(sources: Sequence[Location], after: Location, destination: Location) -> Iterator[Difference]:
    """Write the difference from each of the runs `sources` to the run `after` under `destination`, by the run's id.

    Each difference is given once it is written; its changes can be read until the next one is asked for. Raises
    RunError as `difference` and `publish_difference` do, and where a file cannot be written; the reason says that the
    run `after` is committed.
    """
    later = open_run(after)
    for run in sorted(map(open_run, sources), key=lambda run: run.run_id):
        with _committed(after), TemporaryDirectory(prefix="assay-diff-") as work:
            refuse_destination(destination / run.run_id, SUMMARY)
            found = difference(run, later, Path(work))
            publish_difference(found, destination / run.run_id)
            yield found


@contextmanager
def _committed(run: Location) -> Iterator[None]:
    try:
        yield
    except RunError as error:
        raise RunError(error.exit_code, f"{error.reason}; {_without_difference(run)}") from error
    except OSError as error:
        raise RunError(Exit.INTEGRITY, f"{reason_of(error)}; {_without_difference(run)}") from error


def _without_difference(run: Location) -> str:
    return f"the run {run} is committed, its difference is not written (`assay diff` writes it)"
