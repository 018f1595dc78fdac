"""Into how many pieces runs of a size are cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_campaigns import STREAM, write_campaign

from pipeline import scale
from pipeline.campaign import Campaign, load_campaign
from pipeline.plan import make_plan
from pipeline.scale import block_bytes_for, partitions_for, with_block_bytes
from transforms.terms import GIB, MIB, Limits

TIB = 1 << 40


@pytest.mark.parametrize(
    ("total", "partitions"),
    [
        (0, 1),
        (128 * MIB - 1, 1),
        (128 * MIB, 2),
        (16 * GIB - 1, 255),
        (16 * GIB, 256),
        (TIB, 256),
        (TIB + 4 * GIB, 257),
        (10 * 10**12, 2328),
        (16 * TIB, 4096),
        (100 * TIB, 4096),
    ],
)
def test_partitions(total: int, partitions: int) -> None:
    assert partitions_for(total) == partitions


@pytest.mark.parametrize(
    ("total", "size"),
    [
        (0, 32 * MIB),
        (2 * TIB, 32 * MIB),
        (2 * TIB + 1, 64 * MIB),
        (10 * 10**12, 256 * MIB),
        (16 * TIB, 256 * MIB),
        (64 * TIB, GIB),
        (1000 * TIB, GIB),
    ],
)
def test_block_bytes(total: int, size: int) -> None:
    assert block_bytes_for(total) == size
    assert with_block_bytes(Limits(max_depth=7), total) == Limits(max_depth=7, block_bytes=size)
    assert with_block_bytes(Limits(block_bytes=4096), total) == Limits(block_bytes=4096)


@pytest.mark.parametrize(
    ("limits", "blocks"),
    [({}, [(0, 128), (128, 256), (256, 320)]), ({"block_bytes": 1024}, [(0, 320)])],
    ids=["chosen", "of the campaign"],
)
def test_a_plan_is_cut_by_the_size_of_the_run(
    limits: dict[str, int], blocks: list[tuple[int, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five times as many blocks as there may be: they are doubled three times, until there are three."""
    monkeypatch.setattr(scale, "BLOCK_BYTES", 16)
    monkeypatch.setattr(scale, "_MOST_BLOCKS", 4)
    (tmp_path / "a.jsonl").write_bytes(b"{1}\n" * 80)
    path = write_campaign(tmp_path / "campaign", str(tmp_path / "a.jsonl"), {"limits": limits}, {})
    campaign = load_campaign(path)
    assert isinstance(campaign, Campaign)
    made = make_plan(campaign, {})
    assert [(block.stream, block.start, block.end) for block in made.blocks] == [(STREAM, *span) for span in blocks]  # type: ignore[union-attr]
