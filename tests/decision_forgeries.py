"""Decisions that do not follow from their parts, in runs whose digests were all replaced to match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from tampering import seal

from transforms.acceptance.decision_columns import DECISION_SCHEMA

Row = dict[str, Any]
DECISIONS = "decisions/annotations/annotations-00000.jsonl-b00000.parquet"


@dataclass(frozen=True)
class DecisionForgery:
    """A change of the first row that `of` picks, the code that it gets, and what the message names."""

    about: str
    of: Callable[[Row], bool]
    change: Callable[[Row], Any]
    names: str
    codes: tuple[str, ...] = ("decision-differs",)
    path: str = DECISIONS


def accepted(row: Row) -> bool:
    return bool(row["outcome"] == "accepted")


def rejected(row: Row) -> bool:
    return "score-below-acceptance" in row["codes"]


def _flip(row: Row) -> None:
    row["reviews"][0]["vote"] = "reject"


def _better(row: Row) -> None:
    for review in row["reviews"]:
        for score in review["scores"]:
            score["score"] = "5"


def _released(row: Row) -> None:
    row["outcome"], row["codes"] = "accepted", []


CLINICAL = "decisions/clinical/clinical-00000.jsonl-b00000.parquet"
FORGERIES = (
    DecisionForgery("another outcome", rejected, lambda row: row.update(outcome="accepted"), "parts: outcome"),
    DecisionForgery("another weighted score", accepted, lambda row: row.update(weighted_score="5"), "weighted_score"),
    DecisionForgery("another vote", accepted, _flip, "accepting, rejecting, dissent"),
    DecisionForgery("other scores", rejected, _better, "outcome, codes, criteria, weighted_score, dissent"),
    DecisionForgery("another minimum", accepted, lambda row: row["criteria"][0].update(minimum="1"), "criteria"),
    DecisionForgery("a gate fewer", accepted, lambda row: row["gates"].pop(), "outcome, codes, gates"),
    DecisionForgery(
        "dissent left out", lambda row: bool(row["dissent"]), lambda row: row.update(dissent=[]), "dissent"
    ),
    DecisionForgery(
        "another record", accepted, lambda row: row.update(record_sha256="0" * 64), "accepted, and not decided on"
    ),
    DecisionForgery(
        "a rubric that is not there",
        accepted,
        lambda row: row.update(rubric_version="no-v1"),
        "no rubric of this version",
    ),
    DecisionForgery(
        "a clinical record that nobody scored",
        lambda row: row["codes"] == ["qualified-score-missing"],
        _released,
        "outcome, codes",
        path=CLINICAL,
    ),
    DecisionForgery(
        "endless digits",
        accepted,
        lambda row: row["reviews"][0]["scores"][0].update(score="1e999999999"),
        "cannot be read: ValueError",
        ("file-changed",),
    ),
)


def forge(run: Path, forgery: DecisionForgery) -> Row:
    """Change the row in the run, seal it, and give the row."""
    path = run / forgery.path
    rows: list[Row] = pq.read_table(path, partitioning=None).to_pylist()
    row = next(row for row in rows if forgery.of(row))
    forgery.change(row)
    pq.write_table(pa.Table.from_pylist(rows, schema=DECISION_SCHEMA), path)
    seal(run)
    return row
