"""A change of rubrics alone: decided anew, without judging structure again, and with the same result."""

from __future__ import annotations

import filecmp
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from backfills import by_command, by_plain_functions, manifest
from commands import read
from golden_campaigns import by_plain_functions as run_plainly
from golden_campaigns import merged
from source_tree import ROOT

import schemas
from pipeline.as_judged import judged_alike
from pipeline.pin import pin_campaign
from transforms.kinds import ANNOTATIONS, KINDS
from transforms.parsing.json_strict import loads_document
from transforms.records import Finding, Json
from transforms.structure import compile_validator
from transforms.terms import Action, FingerprintForm, Limits, Tool, Validator


@dataclass(frozen=True)
class Campaigns:
    """A campaign, a run of it, and the same campaign with stricter rubrics."""

    before: Path
    run: Path
    after: Path


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> Campaigns:
    folder = tmp_path_factory.mktemp("rubrics")
    before = ROOT / "manifests" / "acceptance" / "campaign.json"
    source = run_plainly(before, folder / "source").folder
    shutil.copytree(before.parent, folder / "after")
    after = folder / "after" / "campaign.json"
    for pin in read(after)["rubrics"].values():
        path = after.parent / pin["path"]
        rubric = read(path)
        rubric["weighted_acceptance_score"] = rubric["scale"]["maximum"]
        path.write_text(json.dumps(rubric), encoding="utf-8")
    assert pin_campaign(after)
    return Campaigns(before, source, after)


def differing(one: Path, other: Path) -> set[str]:
    names = [{p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()} for root in (one, other)]
    assert names[0] == names[1]
    return set(names[0]) - set(filecmp.cmpfiles(one, other, names[0], shallow=False)[0])


def test_the_result_is_that_of_judging_all(campaigns: Campaigns, tmp_path: Path) -> None:
    """To the byte, but for what says how it came about."""
    quick = by_plain_functions(campaigns.after, tmp_path / "quick", campaigns.run)
    full = by_plain_functions(campaigns.after, tmp_path / "full", campaigns.run, judge_all=True)
    [source] = manifest(quick)["sources"]
    annotations = {name for name, row in manifest(quick)["streams"].items() if row["kind"] in ANNOTATIONS}
    assert set(source["as_judged"]) == annotations
    assert manifest(full)["sources"] == [{**source, "as_judged": []}]
    assert differing(quick, full) <= {"manifest.json", "SHA256SUMS"}
    flipped = sum("score-below-acceptance" in row["codes"] for row in manifest(quick)["streams"].values())
    assert flipped > 0
    assert not differing(by_command(campaigns.after, tmp_path / "command", campaigns.run), quick)


def changed(**members: Any) -> Callable[[Json], Json]:
    return lambda value: merged(value, members)


@pytest.mark.parametrize(
    ("change", "alike"),
    [
        (changed(), True),
        (changed(rubrics={}, thresholds={"max_held_share": 0.5}, id="other", without=[]), True),
        (changed(streams={"pairs": {"acceptance": {"rubric": "x"}, "input": "elsewhere/*"}}), True),
        (changed(limits={"max_depth": 9}), False),
        (changed(canonicalisation="jcs"), False),
        (changed(validator={"formats": "assert"}), False),
        (changed(schemas={"pairwise-v2": {"sha256": "0" * 64}}), False),
        (changed(schemas={"other-v1": {"path": "x", "sha256": "0" * 64}}), False),
        (changed(streams={"pairs": {"rules": {"identical-candidates": "hold"}}}), False),
        (changed(streams={"pairs": {"tools": {"t": ["1"]}}}), False),
        (changed(migrations=[{"kind": "pairwise-v2", "from": "pairwise-v1", "to": "pairwise-v2"}]), False),
    ],
)
def test_what_a_change_of_rubrics_is(change: Callable[[Json], Json], alike: bool, campaigns: Campaigns) -> None:
    value = {
        "dialect": "d",
        "validator": {"formats": "annotate"},
        "canonicalisation": "raw",
        "schemas": {"pairwise-v2": {"path": "a", "sha256": "1" * 64}},
        "streams": {"pairs": {"kind": "pairwise-v2", "versions": ["pairwise-v2"], "input": "*"}},
    }
    row = {"kind": "pairwise-v2", "warned": {}}
    run = {"versions": manifest(campaigns.run)["versions"], "streams": {"pairs": row}}
    assert judged_alike("pairs", run, value, change(value)) is alike


@pytest.mark.parametrize(
    "row",
    [
        {"adapter": {}},
        {"migrations": []},
        {"kind": "review-v1"},
        {"warned": {"rationale-contradicts-preference": 1}},
    ],
)
def test_what_must_be_judged_again(row: Json, campaigns: Campaigns) -> None:
    value: Json = {"schemas": {}, "streams": {"pairs": {}}}
    versions = manifest(campaigns.run)["versions"]
    sound = {"kind": "pairwise-v2", "warned": {"repeated-annotation": 1}}
    assert judged_alike("pairs", {"versions": versions, "streams": {"pairs": sound}}, value, value)
    assert not judged_alike("pairs", {"versions": versions, "streams": {"pairs": sound | row}}, value, value)
    older = {**versions, "semantic-checks": "0" * 64}
    assert not judged_alike("pairs", {"versions": older, "streams": {"pairs": sound}}, value, value)


@dataclass(frozen=True)
class WithoutRubrics:
    """What a rule may look at that is not marked as one by rubric."""

    limits: Limits = field(default_factory=Limits)
    policies: dict[str, Action] = field(default_factory=dict)
    tools: dict[str, Tool] = field(default_factory=dict)
    fingerprint: FingerprintForm = FingerprintForm.EMITTER


@pytest.mark.parametrize("kind", sorted(ANNOTATIONS))
def test_rules_that_are_not_by_rubric_do_not_look_at_rubrics(kind: str) -> None:
    """On every record of the sample campaigns: an attribute that is not there would end the rule."""
    context: Any = WithoutRubrics()
    compiled = compile_validator(schemas.load_schema("records", kind), Validator())
    seen = 0
    for name in ("kinds", "acceptance"):
        folder = ROOT / "manifests" / name
        campaign = read(folder / "campaign.json")
        for stream in campaign["streams"].values():
            paths = folder.glob(stream["input"]) if stream["kind"] == kind else ()
            for line in (line for path in paths for line in path.read_bytes().splitlines()):
                value = loads_document(line)
                if isinstance(value, Finding) or not compiled.is_valid(value):
                    continue  # rules are for records of sound structure
                for rule in (rule for rule in KINDS[kind].rules if not rule.by_rubric):
                    list(rule.check(value, context))
                seen += 1
    assert seen > 0
