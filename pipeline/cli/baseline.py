"""assay baseline."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pipeline.cli import FORMAT, location

if TYPE_CHECKING:
    from transforms.storage.location import Location


@click.group("baseline")
def command() -> None:
    """Ask a published run for its accepted baselines."""


@command.command("resolve", short_help="Find the baseline of an identity.")
@click.option("--run", required=True, type=location, metavar="RUN", help="The folder of the run.")
@click.option("--contract", required=True, metavar="ID", help="The serviceContractId.")
@click.option("--service", required=True, metavar="NAME", help="The serviceName.")
@click.option("--inputs", required=True, metavar="IDENTITY", help="The inputsIdentity.")
@click.option("--covariate", "covariates", multiple=True, metavar="KEY=VALUE", help="One covariate; state every one.")
@click.option("--include-incomplete", is_flag=True, help="Take a baseline whose run did not complete, too.")
@FORMAT
def resolve(
    run: Location,
    contract: str,
    service: str,
    inputs: str,
    covariates: tuple[str, ...],
    include_incomplete: bool,
    form: str,
) -> int:
    """Find the accepted baseline with exactly this identity, the newest of several.

    Where there is none, those that come near are listed with what differs, and the exit code is 1.
    """
    from pipeline.baselines.answer import answer
    from pipeline.baselines.question import identity_asked
    from pipeline.report.resolution import print_answer

    wanted = identity_asked(contract, service, inputs, covariates)
    found = answer(run, wanted, incomplete=include_incomplete)
    print_answer(found, form, sys.stdout)
    if found.match:
        return 0
    click.echo("assay: no baseline answers", err=True)
    return 1
