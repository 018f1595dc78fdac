from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_campaign import write_small

from pipeline.campaign import Campaign, Thresholds, load_campaign
from pipeline.exits import Exit, RunError
from pipeline.job import beyond, keep_quiet, parse_inputs, usable
from transforms.records import Finding


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    loaded = load_campaign(write_small(tmp_path))
    assert isinstance(loaded, Campaign)
    return loaded


def manifest(*streams: tuple[int, int, int], quarantined: int = 0) -> dict[str, Any]:
    """Streams as (read, rejected, held)."""
    rows = {
        f"s{index}": {"records": {"read": read, "accepted": read - rejected - held, "rejected": rejected, "held": held}}
        for index, (read, rejected, held) in enumerate(streams)
    }
    return {"streams": rows, "inputs": [{"fault": {}}] * quarantined + [{}]}


@pytest.mark.parametrize(
    ("thresholds", "books", "lines"),
    [
        (Thresholds(), [(10, 10, 0)], []),
        (Thresholds(max_rejected_share=0.1), [(100, 10, 0)], []),
        (
            Thresholds(max_rejected_share=0.1),
            [(100, 11, 0)],
            ["11 of 100 records rejected, the campaign allows 10.00%"],
        ),
        (Thresholds(max_rejected_share=0), [(3, 0, 3)], []),
        (Thresholds(max_rejected_share=0), [(3, 1, 0)], ["1 of 3 records rejected, the campaign allows 0.00%"]),
        (Thresholds(max_rejected_share=1), [(3, 3, 0)], []),
        (Thresholds(max_held_share=0.5), [(2, 0, 1), (2, 0, 1)], []),
        (Thresholds(max_held_share=0.5), [(2, 0, 2), (1, 0, 0)], ["2 of 3 records held, the campaign allows 50.00%"]),
        (Thresholds(max_held_share=0.3), [(10, 0, 3)], []),
        (Thresholds(max_rejected_share=0.07), [(100, 7, 0)], []),
        (Thresholds(max_rejected_share=0.29), [(100, 29, 0)], []),
        (Thresholds(max_rejected_share=0), [(0, 0, 0)], []),
        (
            Thresholds(max_rejected_share=0.001, max_held_share=0.002),
            [(1_000_000, 2_000, 3_000)],
            [
                "2,000 of 1,000,000 records rejected, the campaign allows 0.10%",
                "3,000 of 1,000,000 records held, the campaign allows 0.20%",
            ],
        ),
    ],
)
def test_beyond_a_share(thresholds: Thresholds, books: Sequence[tuple[int, int, int]], lines: list[str]) -> None:
    assert beyond(thresholds, manifest(*books)) == lines


@pytest.mark.parametrize("share", [numerator / 100 for numerator in range(101)])
def test_exactly_the_share_is_within_it(share: float) -> None:
    """Also where share × read is not exact in binary: 0.29 × 100 is below 29."""
    for read in (100, 10_000, 1_000_000):
        count = round(share * read)
        assert beyond(Thresholds(max_rejected_share=share), manifest((read, count, 0))) == []
        if count < read:
            assert len(beyond(Thresholds(max_rejected_share=share), manifest((read, count + 1, 0)))) == 1


def test_beyond_a_number_of_quarantined_shards() -> None:
    assert beyond(Thresholds(max_quarantined_shards=2), manifest(quarantined=2)) == []
    said = ["2 shards quarantined, the campaign allows 1"]
    assert beyond(Thresholds(max_quarantined_shards=1), manifest(quarantined=2)) == said
    assert beyond(Thresholds(), manifest(quarantined=9)) == []


def test_inputs_are_grouped_by_stream_and_relative_to_the_working_folder(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["annotations=a/*.jsonl", "annotations=/exports/b=c.jsonl"]
    assert parse_inputs(arguments, campaign) == {"annotations": [f"{tmp_path}/a/*.jsonl", "/exports/b=c.jsonl"]}
    assert parse_inputs([], campaign) == {}


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("annotations", "--input annotations: write STREAM=PATTERN"),
        ("annotations=", "--input annotations=: write STREAM=PATTERN"),
        ("=a.jsonl", "--input =a.jsonl: no stream ''; there are annotations"),
        ("other=a.jsonl", "--input other=a.jsonl: no stream 'other'; there are annotations"),
    ],
)
def test_inputs_that_name_no_stream(campaign: Campaign, argument: str, reason: str) -> None:
    with pytest.raises(RunError) as raised:
        parse_inputs([argument], campaign)
    assert (raised.value.exit_code, raised.value.reason) == (Exit.USAGE, reason)


def test_a_usable_campaign(campaign: Campaign) -> None:
    told: list[Finding] = []
    warned = replace(campaign, warnings=(Finding("acceptance-limited", "m"), Finding("unused-setting", "n", "/x")))
    assert usable(warned, Path("c.json"), told.append) is warned
    assert tuple(told) == warned.warnings


def test_an_unusable_campaign() -> None:
    first, second = Finding("unknown-kind", "kind 'x'", "/streams/a/kind"), Finding("invalid-json", "cut short")
    for findings, reason in (
        ((first,), "c.json: unknown-kind: /streams/a/kind: kind 'x'"),
        ((second,), "c.json: invalid-json: cut short"),
        ((second, first), "c.json: invalid-json: cut short (and 1 more; see `assay check c.json`)"),
    ):
        with pytest.raises(RunError) as raised:
            usable(findings, Path("c.json"), keep_quiet)
        assert (raised.value.exit_code, raised.value.reason) == (Exit.USAGE, reason)
