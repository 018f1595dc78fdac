"""assay explain."""

from __future__ import annotations

import click

from pipeline.exits import Exit, RunError


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Say what CODE means, with an example, and how to mend it; without CODE, list all codes."""
    from pipeline.catalogue import catalogue, row_of
    from pipeline.report.codes import explain, overview

    known = catalogue()
    if code is None:
        click.echo("\n".join(overview(known)))
    elif row := row_of(code, known):
        click.echo(explain(row))
    else:
        raise RunError(Exit.USAGE, f"no code {code!r}; `assay explain` lists them")
