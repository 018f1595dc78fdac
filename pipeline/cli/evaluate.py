"""assay evaluate."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli import local_path, location
from pipeline.exits import Exit, RunError

if TYPE_CHECKING:
    from transforms.storage.location import Location

_INTERPRETER = click.option(
    "--interpreter", type=local_path, metavar="FILE", help="The Python that runs the code, by default Assay's own."
)
_PACKAGES = click.option(
    "--packages",
    type=local_path,
    metavar="DIR",
    help="Packages that code and tests may import, as pip's --target makes.",
)


@click.group("evaluate")
def command() -> None:
    """Run tests over the code of a run's records, in a sandbox."""


@command.command("code", short_help="Run the pinned tests over the records' code.")
@click.argument("campaign", type=location)
@click.option("--run", required=True, type=location, metavar="RUN", help="The folder of the run.")
@click.option("--tests", required=True, type=local_path, metavar="DIR", help="A folder for each task, by its id.")
@click.option("--output", required=True, type=location, metavar="FILE", help="The executions; must not exist.")
@click.option("--executor", metavar="NAME", help="What the campaign calls this executor, if it names several.")
@_INTERPRETER
@_PACKAGES
def code(
    campaign: Location,
    run: Location,
    tests: Path,
    output: Location,
    executor: str | None,
    interpreter: Path | None,
    packages: Path | None,
) -> None:
    """Run each record's tests over its code, and write a code-execution-v1 record for each.

    The records are the accepted and the held ones of RUN, in streams whose code CAMPAIGN judges. Nothing runs outside
    of the sandbox, nor before it has been tried.
    """
    from pipeline.campaign import Campaign, load_campaign
    from pipeline.evaluate.evaluation import evaluate
    from pipeline.evaluate.sandbox import sandbox_with
    from pipeline.report.printable import finding_line

    loaded = load_campaign(campaign)
    if not isinstance(loaded, Campaign):
        raise RunError(Exit.USAGE, f"{campaign}: {finding_line(loaded[0])} (see `assay check {campaign}`)")
    done = evaluate(loaded, run, tests, output, sandbox_with(interpreter, packages), executor)
    click.echo(
        f"{done.executed} executions, {done.passed} with all tests passed; "
        f"left out {done.without_code} records without code, {done.without_tests} without pinned tests"
    )


@command.command("configuration", short_help="Say what a campaign pins this executor by.")
@click.option(
    "--timeout",
    type=click.IntRange(1, 3600),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="How long the tests of one record may take.",
)
@_INTERPRETER
@_PACKAGES
def configuration(timeout: int, interpreter: Path | None, packages: Path | None) -> None:
    """Try the sandbox, and print what belongs into the campaign's `evidence.executors`."""
    from pipeline.evaluate.configuration import SUGGESTED_NAME, identity_of
    from pipeline.evaluate.isolation import prove_isolation
    from pipeline.evaluate.sandbox import sandbox_with

    sandbox = sandbox_with(interpreter, packages)
    prove_isolation(sandbox)
    identity = identity_of(sandbox)
    members = {name: getattr(identity, name) for name in ("version", "configuration_sha256", "interpreter")}
    json.dump({SUGGESTED_NAME: {**members, "timeout_seconds": timeout}}, sys.stdout, indent=2)
    click.echo()


@command.command("suites", short_help="Write the digests of tests, for pinning.")
@click.argument("tests", type=local_path)
@click.option(
    "--origin",
    type=click.Choice(["sponsor", "contributor", "generated"]),
    default="sponsor",
    show_default=True,
    help="Who supplied the tests.",
)
def suites(tests: Path, origin: str) -> None:
    """Print a test-suites-v1 document of TESTS, which has a folder for each task, by its id."""
    from pipeline.evaluate.suites import suites_document

    json.dump(suites_document(tests, origin), sys.stdout, indent=2)
    click.echo()
