"""assay pin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.cli import location

if TYPE_CHECKING:
    from transforms.storage.location import Location


@click.command("pin")
@click.argument("campaign", type=location)
def command(campaign: Location) -> None:
    """Pin CAMPAIGN's schemas, rubrics and validator as they are now, and show what moved."""
    from pipeline.pin import pin_campaign

    moved = pin_campaign(campaign)
    click.echo("\n".join(moved) if moved else "nothing moved")
