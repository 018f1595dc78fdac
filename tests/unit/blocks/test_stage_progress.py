"""What is told of a block's progress: at its end all of its bytes and records, however few buffers it is read in."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.campaign import Campaign, load_campaign
from pipeline.plan import make_plan
from transforms.blocks.layout import Layout
from transforms.blocks.progress import Progress, note_progress, read_progress
from transforms.blocks.stage import stage_block
from transforms.judge import prepare

MANIFESTS = Path(__file__).parents[3] / "manifests"


@pytest.mark.parametrize("sample", ["sample", "baselines"])
def test_the_last_buffer_is_counted(sample: str, tmp_path: Path) -> None:
    campaign = load_campaign(MANIFESTS / sample / "campaign.json")
    assert isinstance(campaign, Campaign), campaign
    benches = {name: prepare(stream.terms) for name, stream in campaign.streams.items()}
    plan, layout = make_plan(campaign, {}), Layout(tmp_path)
    read = refused = 0
    for ordinal, block in enumerate(plan.blocks):
        staged, _ = stage_block(ordinal, block, benches[block.stream], layout, note_progress(block, layout))
        read, refused = read + staged.read, refused + sum(staged.outcomes.values())
    shards = sum(path.stat().st_size for name in campaign.streams for path in _shards(sample, name))
    assert refused > 0
    assert read_progress(layout) == Progress(shards, read, refused)


def _shards(sample: str, stream: str) -> list[Path]:
    folder = MANIFESTS / sample / {"annotations": "shards"}.get(stream, stream)
    return [path for path in folder.rglob("*") if path.is_file()]
