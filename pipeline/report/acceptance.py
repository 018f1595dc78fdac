"""What a run's decisions say as a whole, as tables: agreement, grounding, safety. Every rate stands with its counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipeline.manifest import Manifest

Row = tuple[str, ...]

_SHARES = ("citation_coverage", "faithfulness", "factuality", "penalised")
_RATE_HEAD = ("rate", "of", "share", "95 % interval")


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts under a title."""

    title: str
    head: Row
    rows: tuple[Row, ...]


def acceptance_tables(manifest: Manifest) -> tuple[Table, ...]:
    """The tables of a run, those without rows left out."""
    tables = (
        Table(
            "Agreement (Krippendorff's alpha)",
            ("stream", "rubric", "criterion", "alpha", "records", "scores", "reviewers"),
            tuple(_agreement(manifest)),
        ),
        Table("Grounding", ("stream", "number", *_RATE_HEAD[1:]), tuple(_grounding(manifest))),
        Table("Answers", ("stream", "answers", "records"), tuple(_answers(manifest))),
        Table("Safety", ("stream", "policy", *_RATE_HEAD), tuple(_safety(manifest))),
    )
    return tuple(table for table in tables if table.rows)


def _of(manifest: Manifest, part: str) -> Iterator[tuple[str, Any]]:
    for name, stream in manifest["streams"].items():
        if part in stream.get("acceptance", {}):
            yield name, stream["acceptance"][part]


def unknown_contributors(manifest: Manifest) -> tuple[str, ...]:
    """A line for each stream with decided records of which nobody knows who handed them in."""
    return tuple(
        f"{name}: contributor unknown for {count:,} of {manifest['streams'][name]['acceptance']['decided']:,} decided "
        "records; a review of one's own record is not found there"
        for name, count in _of(manifest, "contributor_unknown")
        if count
    )


def _agreement(manifest: Manifest) -> Iterator[Row]:
    for name, rubrics in _of(manifest, "agreement"):
        for rubric, criteria in rubrics.items():
            for criterion, row in criteria.items():
                counts = (f"{row[key]:,}" for key in ("units", "pairable_values", "reviewers"))
                yield name, rubric, criterion, _number(row["alpha"]), *counts


def _grounding(manifest: Manifest) -> Iterator[Row]:
    for name, numbers in _of(manifest, "grounding"):
        for share in _SHARES:
            label = f"penalised ({numbers['evidence_policy']})" if share == "penalised" else share
            yield name, label, *_share(numbers[share])


def _answers(manifest: Manifest) -> Iterator[Row]:
    for name, numbers in _of(manifest, "grounding"):
        for label, count in numbers["answers"].items():
            yield name, label, f"{count:,}"


def _safety(manifest: Manifest) -> Iterator[Row]:
    for name, policies in _of(manifest, "safety"):
        for policy, rates in policies.items():
            for rate, share in rates.items():
                if isinstance(share, dict):
                    yield name, policy, rate, *_share(share)


def _share(row: dict[str, Any]) -> Row:
    """The counts, the share and its interval; a dash where nothing was counted."""
    counts = f"{row['numerator']:,}/{row['denominator']:,}"
    if not row["denominator"]:
        return counts, "-", "-"
    return counts, _number(row["numerator"] / row["denominator"]), f"{_number(row['low'])} to {_number(row['high'])}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
