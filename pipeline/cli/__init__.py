"""The command line: one module per command, no logic. Modules load what they need when they are called."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from transforms.records import Finding
    from transforms.storage.location import Location

_COMMANDS = {
    "baseline": "Ask a published run for a baseline.",
    "cat": "Write the accepted records of a published run.",
    "check": "Check a campaign before anything runs.",
    "diff": "Say what differs between two published runs.",
    "evaluate": "Run tests over a run's code, in a sandbox.",
    "export": "Export accepted records for training.",
    "explain": "Say what a code means and how to mend it.",
    "pin": "Pin a campaign's documents and validator anew.",
    "revalidate": "Judge the records of earlier runs again.",
    "run": "Judge a campaign's shards and publish the run.",
    "sample": "Write a synthetic campaign with known faults.",
    "verify": "Verify a published run, or an export.",
}


class _Commands(click.Group):
    """Loads a command's module when it is used, so that help stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded, or None."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"pipeline.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="campaign-assay", prog_name="assay")
def assay() -> None:
    """Judge exported annotation campaigns record by record, and prove it later.

    \b
    Exit codes: 0 fine; 1 beyond the campaign's thresholds, nothing found, or a difference;
    2 usage or campaign error; 3 an input missing or corrupt, or an integrity failure;
    4 internal error.
    """


def location(value: str) -> Location:
    """What an argument names: a path, or a gs:// URL."""
    from transforms.storage.location import locate

    try:
        return locate(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def local_path(value: str) -> Path:
    """What an argument names where it must be of this machine."""
    from pathlib import Path

    named = location(value)
    if not isinstance(named, Path):
        raise click.BadParameter(f"{value}: give a path of this machine; see docs/object-storage.md")
    return named


def warn(warnings: list[Finding], warning: Finding) -> None:
    """Say what a campaign is warned of, and keep it for the summary."""
    from pipeline.report.printable import finding_line, printable

    warnings.append(warning)
    click.echo(f"assay: warning: {printable(finding_line(warning))}", err=True)


def say_beyond(reasons: Sequence[str]) -> int:
    """Say which thresholds a committed run is beyond; the exit code."""
    for reason in reasons:
        click.echo(f"assay: {reason}", err=True)
    return 1 if reasons else 0


FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How findings are printed."
)
