"""The page on rubrics says what the product does: its gates, its sums and its examples."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from statistics import median

import pytest
from source_tree import ROOT

import schemas
from transforms.acceptance.clinical import clinical_gap
from transforms.acceptance.gate_names import GATE_NAMES, Wanted
from transforms.acceptance.rubric import check_rubric, read_rubric
from transforms.structure import check, compile_validator
from transforms.terms import Validator

PAGE = (ROOT / "docs" / "rubrics.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
ROWS = [
    [cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in PAGE.split("\n") if line[:1] == "|"
]
RUBRIC, CLINICAL, CAMPAIGN, SUITES = EXAMPLES
WEIGHTS = [Decimal(str(row["weight"])) for row in RUBRIC["criteria"]]


def _document(name: str) -> object:
    return json.loads((schemas.schema_path("documents", name).parent / "accept" / "least.json").read_bytes())


def test_every_gate_is_told_of() -> None:
    values = {Wanted.TRUE: "true", Wanted.FALSE: "false", Wanted.MAXIMUM: "a number"}
    names = {gate.name for gate in GATE_NAMES}
    told = {tuple(row[:3]) for row in ROWS if row[0] in names}
    assert told == {(gate.name, values[gate.wanted], *gate.kinds) for gate in GATE_NAMES}


def test_the_rubric_is_sound_and_the_one_that_is_shipped_as_an_example() -> None:
    assert check_rubric("code-review-v1", RUBRIC) == ()
    path = schemas.schema_path("documents", "rubric-v1").parent / "accept" / "code-review.json"
    assert json.loads(path.read_bytes()) == RUBRIC


def test_the_clinical_rubric_is_sound_and_shipped_as_an_example() -> None:
    assert check_rubric("clinical-answers-v1", CLINICAL) == ()
    assert clinical_gap(read_rubric(CLINICAL)) is None
    path = schemas.schema_path("documents", "rubric-v1").parent / "accept" / "clinical-answers.json"
    assert json.loads(path.read_bytes()) == CLINICAL


def test_the_manifest_is_one() -> None:
    least = _document("campaign-v1")
    assert isinstance(least, dict)
    assert (
        check(least | CAMPAIGN, compile_validator(schemas.load_schema("documents", "campaign-v1"), Validator()), 9)
        == ()
    )


def test_the_worked_example() -> None:
    rows = [row for row in ROWS if row[0] in {each["id"] for each in RUBRIC["criteria"]} and len(row) == 8]
    assert [(row[0], Decimal(row[1]), Decimal(row[6])) for row in rows] == [
        (each["id"], weight, each["minimum_score"]) for each, weight in zip(RUBRIC["criteria"], WEIGHTS, strict=True)
    ]
    for row in rows:
        assert median(map(Decimal, row[2:5])) == Decimal(row[5])
        assert Decimal(row[1]) * Decimal(row[5]) == Decimal(row[7])
    assert f"= {sum(Decimal(row[7]) for row in rows)}, at least 4.0" in PAGE


SUMS = [row for row in ROWS if re.fullmatch(r"[0-9.]+(, [0-9.]+){3}", row[0])]


@pytest.mark.parametrize("row", SUMS, ids=lambda row: row[0])
def test_what_other_scores_would_do(row: list[str]) -> None:
    medians = list(map(Decimal, row[0].split(", ")))
    parts, total = row[1].split(" = ")
    assert list(map(Decimal, parts.split(" + "))) == [a * b for a, b in zip(WEIGHTS, medians, strict=True)]
    assert sum(map(Decimal, parts.split(" + "))) == Decimal(total)
    codes = ["score-below-acceptance"] if Decimal(total) < Decimal(str(RUBRIC["weighted_acceptance_score"])) else []
    codes += [
        f"criterion-below-minimum/{each['id']}"
        for each, aggregate in zip(RUBRIC["criteria"], medians, strict=True)
        if aggregate < each["minimum_score"]
    ]
    assert re.findall(r"[a-z]+(?:-[a-z]+)+(?:/[a-z_]+)?", row[2]) == codes


def test_all_sums_were_looked_at() -> None:
    assert len(SUMS) == 5
    assert sum(map(float, WEIGHTS)) != 1
    assert sum(4 * float(weight) for weight in WEIGHTS) == 3.9999999999999996
