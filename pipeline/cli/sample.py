"""assay sample."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli import local_path


@click.command("sample")
@click.option("--output", required=True, type=local_path, help="The campaign's folder, new or empty.")
@click.option("--records", default=300, show_default=True, type=click.IntRange(1), help="How many records.")
@click.option("--seed", default=1, show_default=True, type=int, help="Same seed, same bytes.")
@click.option("--kinds", is_flag=True, help="Every kind of record with its facts, instead of preference pairs alone.")
@click.option("--baselines", is_flag=True, help="Baselines as files and JSON lines, instead of preference pairs.")
@click.option("--acceptance", is_flag=True, help="Annotations under rubrics with the evidence on them.")
@click.option("--workbench", is_flag=True, help="Comparisons as the A/B interface exports them.")
def command(
    output: Path, records: int, seed: int, kinds: bool, baselines: bool, acceptance: bool, workbench: bool
) -> None:
    """Write a synthetic campaign of any size, with a stated share of every fault."""
    if kinds + baselines + acceptance + workbench > 1:
        raise click.UsageError("--kinds, --baselines, --acceptance and --workbench exclude each other: give one")

    from pipeline.sample.acceptance.campaign import write_acceptance_sample
    from pipeline.sample.baselines.campaign import write_baselines_sample
    from pipeline.sample.campaign import write_sample
    from pipeline.sample.kinds import write_kinds_sample
    from pipeline.sample.workbench import write_workbench_sample

    asked = {
        write_kinds_sample: kinds,
        write_baselines_sample: baselines,
        write_acceptance_sample: acceptance,
        write_workbench_sample: workbench,
    }
    write = next((write for write, given in asked.items() if given), write_sample)
    path = write(output, records, seed)
    click.echo(f"{path}\nnext: assay run {path} --output out")
