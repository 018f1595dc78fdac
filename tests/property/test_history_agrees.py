"""Judging B against the run of A finds what judging A and B in one run finds on B's records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from golden_campaigns import STREAM, Ran, plain_engine, write_campaign
from hypothesis import given, settings
from hypothesis import strategies as st
from small_records import pair

from pipeline.campaign import Campaign, load_campaign
from pipeline.run import run
from transforms.records import Json
from transforms.terms import Action

CODES = ("duplicate-record", "task-conflict", "repeated-annotation", "duplicate-candidates", "contradictory-preference")
Settings = tuple[dict[str, Action], int]
Found = tuple[dict[str, list[str]], Any]


@st.composite
def records(draw: st.DrawFn) -> Json:
    left, right = draw(st.sampled_from([("x", "y"), ("y", "x"), ("x", "z")]))
    return pair(
        task_id=draw(st.sampled_from(["t-1", "t-2", "t-3", "t-l"])),
        response_a=left,
        response_b=right,
        preference=draw(st.sampled_from(["A", "B", "tie"])),
        rationale=draw(st.sampled_from(["Because it is so.", "Therefore, it is so."])),
    )


@st.composite
def settings_of_identity(draw: st.DrawFn) -> Settings:
    """Policies by code, and how many annotations a task may have."""
    policies = draw(st.dictionaries(st.sampled_from(CODES), st.sampled_from(Action).filter(Action.ALLOW_TIE.__ne__)))
    return policies, draw(st.integers(1, 3))


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    loaded = load_campaign(write_campaign(tmp_path_factory.mktemp("campaign"), "*.jsonl", {}, {}))
    assert isinstance(loaded, Campaign), loaded
    return loaded


def with_identity(campaign: Campaign, identity: Settings) -> Campaign:
    """The campaign with these settings, whatever its manifest says."""
    stream, (policies, annotations) = campaign.streams[STREAM], identity
    terms = replace(stream.terms, policies=policies, annotations_per_task=annotations)
    return replace(campaign, streams={STREAM: replace(stream, terms=terms)})


class Nights:
    """Runs of shards of one campaign, each in a folder of its own."""

    def __init__(self, folder: Path, campaign: Campaign) -> None:
        self._folder, self._campaign, self._count = folder, campaign, 0

    def judge(self, shards: dict[str, Sequence[Json]], *history: Path) -> Ran:
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir()
        for name, values in shards.items():
            (folder / name).write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
        patterns = {STREAM: [str(folder / "*.jsonl")]}
        made = run(self._campaign, folder / "out", plain_engine, patterns=patterns, history=history)
        return Ran(0, "", made.folder)


def of_shard(ran: Ran, shard: str) -> Found:
    """Line → codes of a shard's refused records, and its books."""
    rows = [row for outcome in ("rejected", "held") for row in ran.refused(outcome) if row["shard"] == shard]
    lines = {row["line"]: sorted({found["code"] for found in row["findings"]}) for row in rows}
    return lines, [row["records"] for row in ran.manifest["inputs"] if row["shard"] == shard]


def settled(nights: Nights, first: list[Json], keep_first: bool) -> tuple[list[Json], Ran]:
    """What of `first` is accepted, with the repetitions that `keep-first` drops, and its run."""
    while True:
        ran = nights.judge({"a.jsonl": first})
        dropped = [["duplicate-record"]] if keep_first else []
        refused, _ = of_shard(ran, "a.jsonl")
        staying = [record for line, record in enumerate(first, 1) if refused.get(line) in [None, *dropped]]
        if len(staying) == len(first):
            return first, ran
        first = staying


def _agree(campaign: Campaign, identity: Settings, first: list[Json], second: list[Json]) -> set[str]:
    """The codes that both ways found on the second night's records."""
    with TemporaryDirectory() as folder:
        nights = Nights(Path(folder), with_identity(campaign, identity))
        keep_first = identity[0].get("duplicate-record", Action.KEEP_FIRST) is Action.KEEP_FIRST
        first, earlier = settled(nights, first, keep_first)
        apart = nights.judge({"b.jsonl": second}, earlier.folder)
        together = nights.judge({"a.jsonl": first, "b.jsonl": second})
        assert of_shard(apart, "b.jsonl") == of_shard(together, "b.jsonl")
        return {code for codes in of_shard(apart, "b.jsonl")[0].values() for code in codes}


def test_every_code_is_met(campaign: Campaign) -> None:
    """Against one earlier record each, so that history alone is the reason."""
    earlier = pair(task_id="t-1", response_a="x", response_b="y", preference="A", rationale="Because it is so.")
    other = {"response_a": "x", "response_b": "z"}
    for codes, changes in (
        ({"duplicate-record"}, {}),
        ({"task-conflict"}, other),
        ({"repeated-annotation"}, {"rationale": "Therefore, it is so."}),
        ({"duplicate-candidates"}, {"task_id": "t-2"}),
        ({"duplicate-candidates", "contradictory-preference"}, {"task_id": "t-2", "preference": "tie"}),
        (set(), {"task_id": "t-2", **other}),
    ):
        assert _agree(campaign, ({}, 1), [earlier], [earlier | changes]) == codes


WORLDS = (settings_of_identity(), st.lists(records(), max_size=6), st.lists(records(), min_size=1, max_size=5))


@settings(max_examples=20, deadline=None)
@given(*WORLDS)
def test_two_nights_are_as_one(campaign: Campaign, identity: Settings, first: list[Json], second: list[Json]) -> None:
    _agree(campaign, identity, first, second)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(*WORLDS)
def test_two_nights_are_as_one_at_length(
    campaign: Campaign, identity: Settings, first: list[Json], second: list[Json]
) -> None:
    _agree(campaign, identity, first, second)
