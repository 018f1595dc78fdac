"""assay pin."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("pin")
@click.argument("campaign", type=click.Path(path_type=Path))
def command(campaign: Path) -> None:
    """Pin CAMPAIGN's schemas, rubrics and validator as they are now, and show what moved."""
    from pipeline.pin import pin_campaign

    moved = pin_campaign(campaign)
    click.echo("\n".join(moved) if moved else "nothing moved")
