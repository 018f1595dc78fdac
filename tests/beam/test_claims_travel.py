"""Claims that travel through the grouping and claims that wait in files give the same run."""

from __future__ import annotations

import pickle
from pathlib import Path

import apache_beam as beam
import pytest
from golden_campaigns import STREAM, plain_engine

from pipeline.campaign import Campaign, load_campaign
from pipeline.graph import build
from pipeline.options import beam_options, is_local
from pipeline.plan import make_plan
from pipeline.sample.campaign import write_sample
from pipeline.versions import pinned_versions
from transforms.blocks.layout import Layout
from transforms.blocks.mark import Mark
from transforms.blocks.summary import Settled


def settled(campaign: Campaign, root: Path, *, local: bool, partitions: int) -> list[Settled]:
    layout, result = Layout(root), root / "settled"
    layout.staging.mkdir(parents=True)
    mark = Mark(layout.staging / "mark", "this attempt", pinned_versions(), pinned_versions)
    mark.leave()
    terms = {STREAM: campaign.streams[STREAM].terms}
    with beam.Pipeline(options=beam_options([])) as pipeline:
        build(
            pipeline,
            make_plan(campaign, {}).blocks,
            terms,
            layout,
            mark,
            partitions=partitions,
            local=local,
            progress=False,
            deliver=lambda _, blocks: result.write_bytes(pickle.dumps(list(blocks))) and None,
        )
    blocks: list[Settled] = pickle.loads(result.read_bytes())
    return sorted(blocks, key=lambda block: block.ordinal)


@pytest.mark.parametrize(("local", "partitions"), [(True, 1), (True, 256), (True, 3000), (False, 1), (False, 7)])
def test_the_way_of_claims_changes_nothing(tmp_path: Path, local: bool, partitions: int) -> None:
    campaign = load_campaign(write_sample(tmp_path / "sample", 600, 3))
    assert isinstance(campaign, Campaign)
    blocks = make_plan(campaign, {}).blocks
    layout = Layout(tmp_path / "plain")
    layout.staging.mkdir(parents=True)
    plain = plain_engine(blocks, {STREAM: campaign.streams[STREAM].terms}, layout, 1)
    assert settled(campaign, tmp_path / "run", local=local, partitions=partitions) == plain


def test_only_workers_of_this_machine_are_local() -> None:
    assert is_local(beam_options([]))
    assert is_local(beam_options(["--runner=DirectRunner", "--direct_running_mode=multi_processing"]))
    assert is_local(beam_options(["--runner=PrismRunner"]))
    assert is_local(beam_options(["--runner=FlinkRunner", "--environment_type=LOOPBACK"]))
    assert not is_local(beam_options(["--runner=PrismRunner", "--environment_type=EXTERNAL"]))
    assert not is_local(beam_options(["--runner=FlinkRunner"]))
    assert not is_local(beam_options(["--runner=DataflowRunner"]))
