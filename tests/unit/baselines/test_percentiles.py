"""Nearest rank against published percentiles, and the gates."""

from __future__ import annotations

import json
from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from baseline_records import GOLDEN

from transforms.baselines.percentiles import PERCENTILES, nearest_rank

ORACLE: dict[str, list[dict[str, Any]]] = json.loads((GOLDEN / "oracle.json").read_bytes())


@pytest.mark.parametrize("case", ORACLE["percentile"], ids=lambda case: case["name"])
def test_published_percentiles(case: dict[str, Any]) -> None:
    percent = round(100 * case["percentile"])
    assert nearest_rank(case["vector"], percent) == case["value"]
    (gate,) = [row for row in PERCENTILES if row.percent == percent]
    assert gate.admitted(len(case["vector"])) is case["stateable_in_document"]


@pytest.mark.parametrize("case", ORACLE["gated_percentiles"], ids=lambda case: str(len(case["vector"])))
def test_published_percentiles_behind_their_gates(case: dict[str, Any]) -> None:
    vector = case["vector"]
    found = {row.key: nearest_rank(vector, row.percent) if row.admitted(len(vector)) else None for row in PERCENTILES}
    assert found == case["expected"]


def test_the_published_minimums() -> None:
    fewest = {row.percent: row.fewest for row in PERCENTILES}
    for case in ORACLE["emission_minimums"]:
        assert fewest[round(100 * case["percentile"])] == case["minimum"]
    assert [row.key for row in PERCENTILES] == ["p50Ms", "p90Ms", "p95Ms", "p99Ms"]


def test_the_rank_is_exact() -> None:
    for samples in (*range(1, 400), 12_345):
        vector = range(1, samples + 1)
        for percent in range(1, 101):
            assert nearest_rank(vector, percent) == ceil(Fraction(percent, 100) * samples)


@pytest.mark.parametrize(("vector", "percent"), [([], 50), ([1], 0), ([1], 101)])
def test_what_has_no_rank(vector: list[int], percent: int) -> None:
    with pytest.raises(ValueError, match="no percentile"):
        nearest_rank(vector, percent)
