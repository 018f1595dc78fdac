"""However the runner cuts and repeats bundles, the files are the same."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from golden_campaigns import plain_engine
from processes import digests, sample

from pipeline import graph
from pipeline.campaign import Campaign, load_campaign
from pipeline.options import beam_options
from pipeline.run import Engine, run
from transforms.beam.steps import SettleBlock, StageBlock
from transforms.blocks.layout import Layout
from transforms.shards.plan import Block
from transforms.terms import StreamTerms


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    loaded = load_campaign(sample(tmp_path_factory.mktemp("bundles") / "campaign", 300))
    assert isinstance(loaded, Campaign)
    return loaded


@pytest.fixture(scope="module")
def plain(campaign: Campaign, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What plain loops publish."""
    return digests(run(campaign, tmp_path_factory.mktemp("plain"), plain_engine).folder)


def beam_engine(*flags: str) -> Engine:
    return partial(graph.execute, beam_options(flags), progress=False)


@pytest.mark.parametrize(
    "flags",
    [
        [],
        ["--direct_runner_bundle_repeat=1"],
        ["--direct_runner_bundle_repeat=2", "--direct_running_mode=multi_threading", "--direct_num_workers=2"],
    ],
    ids=" ".join,
)
def test_bundles(flags: list[str], campaign: Campaign, plain: dict[str, str], tmp_path: Path) -> None:
    assert digests(run(campaign, tmp_path, beam_engine(*flags)).folder) == plain


def test_a_bundle_after_an_abandoned_attempt(campaign: Campaign, plain: dict[str, str], tmp_path: Path) -> None:
    """Half of every file is there already, staged ones and final ones."""

    def interrupted(
        blocks: Sequence[Block], terms: Mapping[str, StreamTerms], layout: Layout, parts: int, **how: Any
    ) -> Any:
        beam_engine()(blocks, terms, layout, parts, **how)
        files = [path for path in layout.root.rglob("*") if path.is_file()]
        for path in files:
            os.truncate(path, path.stat().st_size // 2)
        assert {path.suffix for path in files} >= {".arrow", ".rejected", ".claims", ".parquet", ".jsonl"}
        return beam_engine()(blocks, terms, layout, parts, **how)

    assert digests(run(campaign, tmp_path, interrupted).folder) == plain


def test_bundles_are_repeated(campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would pass as well if the flag did nothing."""
    calls: list[tuple[str, int]] = []
    for step in (StageBlock, SettleBlock):

        def counted(self, element, process=step.process, name=step.__name__):  # type: ignore[no-untyped-def]
            calls.append((name, element[0]))
            return process(self, element)

        monkeypatch.setattr(step, "process", counted)
    made = run(campaign, tmp_path, beam_engine("--direct_runner_bundle_repeat=1"))
    blocks = sum(1 for row in made.manifest["outputs"] if row["path"].startswith("accepted/"))
    assert blocks > 5
    assert sorted(calls) == sorted(
        [(name, block) for name in ("StageBlock", "SettleBlock") for block in range(blocks)] * 2
    )
