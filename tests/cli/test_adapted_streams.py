"""Streams with an adapter in every form of shard, and under a rubric."""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest
import rfc8785
import yaml
from commands import assay
from golden_campaigns import Ran, by_command, by_plain_functions, write_campaign
from test_golden import agree

from pipeline.sample.manifest import CODE_CRITERIA, CODE_POLICY, rubric, shipped_pins
from pipeline.sample.pairwise import line
from pipeline.sample.workbench import LEFT_IN_SOURCE, SOURCE, comparison
from transforms.adapters.workbench_ab import adapt
from transforms.records import Json

STREAM, RUBRIC = "annotations", "code-review-v1"
ADAPTER = {"source": SOURCE, "left_in_source": list(LEFT_IN_SOURCE)}


def sources(count: int) -> list[Json]:
    return [comparison(Random(number), number) for number in range(count)]


def archived(source: Json) -> bytes:
    """The adapted record's archival bytes."""
    return rfc8785.dumps(adapt(source, frozenset(LEFT_IN_SOURCE)))


def both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pattern: str, stream: Json, manifest: Json | None = None
) -> Ran:
    """The run of a campaign with one adapted stream, the same both ways."""
    patch = {"schemas": shipped_pins([SOURCE]), "streams": {STREAM: {"adapter": ADAPTER, **stream}}, **(manifest or {})}
    path = write_campaign(tmp_path, pattern, patch, {})
    ran = by_command(path, tmp_path / "command", capsys)
    assert ran.code == 0, ran
    assert agree(by_plain_functions(path, tmp_path / "plain").folder, ran.folder)
    assert assay("verify", ran.folder, "--inputs").code == 0
    return ran


def rows(ran: Ran) -> list[Json]:
    files = sorted((ran.folder / "accepted" / STREAM).glob("*.parquet"))
    return [row for file in files for row in pq.read_table(file, partitioning=None).to_pylist()]


@pytest.mark.parametrize("form", ["raw", "jcs"])
def test_documents(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON and YAML files; the second telling of one record is a duplicate and keeps its own text."""
    one, other = sources(2)
    texts = {
        "a.json": json.dumps(one, indent=2).encode(),
        "b.yaml": yaml.safe_dump(other, allow_unicode=True).encode(),
        "c.yaml": yaml.safe_dump(one, allow_unicode=True).encode(),
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    stream = {"format": "documents", "input": ["[ab].json", "*.yaml"]}
    ran = both(tmp_path, capsys, "*", stream, {"canonicalisation": form})
    assert [(row["assay_shard"], row["assay_source_bytes"], row["assay_archival_bytes"]) for row in rows(ran)] == [
        ("a.json", texts["a.json"], archived(one)),
        ("b.yaml", texts["b.yaml"], archived(other)),
    ]
    [refused] = ran.refused("rejected")
    assert [finding["code"] for finding in refused["findings"]] == ["duplicate-record"]
    assert (refused["shard"], refused["raw"].encode()) == ("c.yaml", texts["c.yaml"])


@pytest.mark.parametrize("form", ["raw", "jcs"])
def test_a_compressed_shard(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = sources(2)
    lines = [line(one), b"  " + line(other) + b" \r", line(dict(reversed(one.items())))]
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(b"\n".join(lines)))
    ran = both(tmp_path, capsys, "*.jsonl.gz", {}, {"canonicalisation": form})
    assert [row["assay_source_bytes"] for row in rows(ran)] == lines[:2]
    assert [row["assay_archival_bytes"] for row in rows(ran)] == [archived(one), archived(other)]
    assert [row["raw"].encode() for row in ran.refused("rejected")] == lines[2:]


def test_a_rubric_decides_on_the_adapted_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reviews name the digest of the adapted record; what waits for reviews is held as the source has it."""
    one, other = sources(2)
    (tmp_path / "a.jsonl").write_bytes(line(one) + b"\n" + line(other))
    (tmp_path / "reviews.jsonl").write_bytes(b"\n".join(line(review(one, who)) for who in ("r-1", "r-2", "r-3")))
    document = json.dumps(rubric(RUBRIC, CODE_CRITERIA, 4.0, CODE_POLICY)).encode()
    (tmp_path / "code-review.json").write_bytes(document)
    manifest: dict[str, Any] = {
        "schemas": shipped_pins([SOURCE, "review-v1"]),
        "rubrics": {RUBRIC: {"path": "code-review.json", "sha256": sha256(document).hexdigest()}},
        "streams": {
            STREAM: {"adapter": ADAPTER, "acceptance": {}},
            "reviews": {"kind": "review-v1", "versions": ["review-v1"], "input": "reviews.jsonl"},
        },
        "without": ["adjudications", "tasks"],
    }
    ran = both(tmp_path, capsys, "a.jsonl", {}, manifest)
    assert [(row["assay_line"], row["assay_archival_bytes"]) for row in rows(ran)] == [(1, archived(one))]
    [held] = ran.refused("held")
    assert ([finding["code"] for finding in held["findings"]], held["raw"].encode()) == (
        ["review-incomplete"],
        line(other),
    )
    [decisions] = (ran.folder / "decisions" / STREAM).glob("*.parquet")
    named = pq.read_table(decisions, partitioning=None).column("record_sha256").to_pylist()
    assert named == [sha256(archived(source)).hexdigest() for source in (one, other)]


def review(source: Json, reviewer: str) -> Json:
    return {
        "schema_version": "review-v1",
        "task_id": source["task_id"],
        "record_sha256": sha256(archived(source)).hexdigest(),
        "reviewer": reviewer,
        "rubric_version": RUBRIC,
        "vote": "accept",
        "scores": {name: 4 for name, _, _ in CODE_CRITERIA},
        "reviewed_at": "2026-08-03T12:00:00Z",
    }
