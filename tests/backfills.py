"""Runs that judge earlier runs again, through the command and through the plain functions alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from commands import assay
from golden_campaigns import plain_engine

from pipeline.campaign import Campaign, load_campaign
from pipeline.revalidate import read_backfill, with_origins
from pipeline.run import run
from transforms.records import Outcome

ALL = tuple(Outcome)
FLAGS = {Outcome.HELD: "--held", Outcome.REJECTED: "--rejected"}
# What tests show that run the command: codes of records of earlier runs, and of those that are migrated.
BACKFILL_CODES = ("bytes-not-kept", "migration-failed")


def by_plain_functions(
    campaign: Path, output: Path, *runs: Path, outcomes: Sequence[Outcome] = ALL, judge_all: bool = False
) -> Path:
    """The folder of a run over earlier ones, made without Beam."""
    loaded = load_campaign(campaign)
    assert isinstance(loaded, Campaign), loaded
    backfill = read_backfill(loaded, runs, outcomes, judge_all=judge_all)
    return run(with_origins(loaded, backfill.streams), output, plain_engine, run_id="again", backfill=backfill).folder


def by_command(campaign: Path, output: Path, *runs: Path, outcomes: Sequence[Outcome] = ALL, flags: Any = ()) -> Path:
    """The same, by the command line in this process, which says what `check` warns of and nothing else."""
    sources = [argument for folder in runs for argument in ("--from", folder)]
    asked = [FLAGS[outcome] for outcome in outcomes if outcome in FLAGS]
    arguments = ("--output", output, "--run-id", "again", "--quiet", *sources, *asked, *flags)
    said, checked = assay("revalidate", campaign, *arguments), assay("check", campaign)
    warned = [f"assay: {line}\n" for line in checked.out.splitlines() if line.startswith("warning: ")]
    assert (said.code, said.err) == (0, "".join(warned)), said
    return output / "again"


def manifest(run: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((run / "manifest.json").read_bytes())
    return value


def accepted(run: Path, stream: str) -> list[dict[str, Any]]:
    files = sorted((run / "accepted" / stream).glob("*.parquet"))
    return [row for file in files for row in pq.read_table(file, partitioning=None).to_pylist()]


def refused(run: Path, outcome: Outcome) -> list[dict[str, Any]]:
    files = sorted((run / outcome).rglob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_bytes().splitlines()]


def origins(run: Path, stream: str) -> set[tuple[str, str, int]]:
    """Where each record of a stream was first read, whatever its outcome; none may stand twice."""
    found = [tuple(row[f"assay_origin_{name}"] for name in ("run", "shard", "line")) for row in accepted(run, stream)]
    for outcome in FLAGS:
        rows = (row["origin"] for row in refused(run, outcome) if row["stream"] == stream)
        found += [(row["run"], row["shard"], row["line"]) for row in rows]
    assert len(set(found)) == len(found)
    return set(found)
