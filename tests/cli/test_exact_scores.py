"""Scores are weighed with all the digits in which they are written, whatever form a campaign keeps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from commands import assay, run

from pipeline.campaign import Campaign, load_campaign
from pipeline.sample.acceptance.campaign import write_acceptance_sample
from transforms.digests import sha256_hex

TASK = "accepted-at-the-bound"
BELOW = ["score-below-acceptance", "criterion-below-minimum/correctness"]


def scored(folder: Path, written: str, canonicalisation: str = "raw") -> Path:
    """The synthetic campaign, with the correctness of one record scored so by all its reviewers."""
    path = write_acceptance_sample(folder, 1, 1)
    manifest = json.loads(path.read_bytes()) | {"canonicalisation": canonicalisation}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    for shard in (folder / "shards").glob("reviews-*.jsonl"):
        lines = shard.read_text(encoding="utf-8").splitlines(keepends=True)
        changed = [
            line.replace('"correctness": 4,', f'"correctness": {written},') if f'"{TASK}"' in line else line
            for line in lines
        ]
        shard.write_text("".join(changed), encoding="utf-8")
    return path


def decided(path: Path, output: Path) -> dict[str, Any]:
    """The decision on the record."""
    ran = run(path, output)
    assert assay("verify", ran).code == 0
    lines = [line for shard in (path.parent / "shards").glob("annotations-*.jsonl") for line in shard.open("rb")]
    [sha256] = [sha256_hex(line.rstrip(b"\n")) for line in lines if json.loads(line)["task_id"] == TASK]
    files = (ran / "decisions" / "annotations").iterdir()
    [row] = [row for file in files for row in pq.read_table(file).to_pylist() if row["record_sha256"] == sha256]
    return dict(row)


@pytest.mark.parametrize(
    ("written", "codes", "weighted"),
    [
        ("3.99999999999999999999", BELOW, "3.9999999999999999999955"),
        ("4.00000000000000000000", [], "4"),
        ("4.00000000000000000001", [], "4.0000000000000000000045"),
    ],
)
def test_digits_beyond_those_of_a_double_count(written: str, codes: list[str], weighted: str, tmp_path: Path) -> None:
    row = decided(scored(tmp_path / "sample", written), tmp_path)
    assert (row["codes"], row["weighted_score"]) == (codes, weighted)
    assert len(row["reviews"]) == 3


def test_what_is_scored_keeps_its_own_bytes_whatever_the_campaign_keeps(tmp_path: Path) -> None:
    """The RFC 8785 form of 3.99999999999999999999 is 4."""
    campaign = load_campaign(scored(tmp_path / "sample", "3.99999999999999999999", "jcs"))
    assert isinstance(campaign, Campaign)
    kept = {name: stream.terms.canonicalisation for name, stream in campaign.streams.items()}
    assert (kept["reviews"], kept["adjudications"], kept["annotations"]) == ("raw", "raw", "jcs")


@pytest.mark.parametrize("written", ["1e-999999999", "0." + "3" * 60])
def test_endless_digits_are_refused(written: str, tmp_path: Path) -> None:
    row = decided(scored(tmp_path / "sample", written), tmp_path)
    assert (row["codes"], row["reviews"]) == (["review-incomplete"], [])


def test_a_rubric_of_endless_digits_is_refused(tmp_path: Path) -> None:
    path = write_acceptance_sample(tmp_path / "sample", 1, 1)
    rubric = path.parent / "rubrics" / "code-review-v1.json"
    edited(rubric, lambda text: text.replace('"weight": 0.45', '"weight": 1e-999999999'))
    edited(path, lambda text: text.replace(sha_of(path), sha256_hex(rubric.read_bytes())))
    said = assay("check", path)
    assert said.code == 2
    assert "number-out-of-range" in said.out


def edited(path: Path, change: Callable[[str], str]) -> None:
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, encoding="utf-8")


def sha_of(path: Path) -> str:
    """The digest that the campaign pins for the rubric of code."""
    return str(json.loads(path.read_bytes())["rubrics"]["code-review-v1"]["sha256"])
