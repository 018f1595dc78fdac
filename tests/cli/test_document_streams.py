"""Streams whose files are records, of kinds that mostly come as lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from golden_campaigns import STREAM, by_command, by_plain_functions, plain_engine, write_campaign
from small_records import pair, qa
from test_golden import agree

from pipeline.campaign import Campaign, load_campaign
from pipeline.run import run
from pipeline.verify import verify_run
from transforms.records import Json
from transforms.shards.faults import UnreadableShard

QA, PAIRS = "grounded-qa-v1", "pairwise-v2"


def campaign(folder: Path, kind: str, **members: Any) -> Path:
    patch = {"streams": {STREAM: {"format": "documents"}}, **members}
    return write_campaign(folder / "campaign", str(folder / "d" / "*"), patch, {}, kind)


def write(folder: Path, name: str, value: Json) -> None:
    text = yaml.safe_dump(value, sort_keys=False) if name.endswith(".yaml") else json.dumps(value, indent=2)
    path = folder / "d" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("canonicalisation", ["raw", "jcs"])
@pytest.mark.parametrize(("kind", "value"), [(QA, qa(abstain=True)), (PAIRS, pair())], ids=[QA, PAIRS])
def test_a_duplicate_in_another_notation(
    kind: str, value: Json, canonicalisation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("1.yaml", "2.json", "3.yaml"):
        write(tmp_path, name, value)
    path = campaign(tmp_path, kind, canonicalisation=canonicalisation)
    plain = by_plain_functions(path, tmp_path / "plain")
    ran = by_command(path, tmp_path / "command", capsys)
    assert agree(plain.folder, ran.folder)
    assert verify_run(ran.folder) == ()
    refused = {row["shard"]: row for row in ran.refused("rejected")}
    assert {name: row["findings"][0]["code"] for name, row in refused.items()} == {
        "2.json": "duplicate-record",
        "3.yaml": "duplicate-record",
    }
    assert [row["raw"] for row in refused.values()] == [
        (tmp_path / "d" / name).read_text(encoding="utf-8") for name in ("2.json", "3.yaml")
    ]


@pytest.mark.parametrize("kind", [QA, PAIRS])
def test_a_clinical_document_leaves_no_text(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "a.yaml", qa(abstain=True, domain="clinical_qa") if kind == QA else pair(preference="both"))
    ran = by_command(campaign(tmp_path, kind), tmp_path / "out", capsys)
    [row] = [*ran.refused("held"), *ran.refused("rejected")]
    assert ("raw" in row) == (kind == PAIRS)


def test_a_document_that_changes_before_it_is_refused(tmp_path: Path) -> None:
    """Under RFC 8785 refused bytes are read again; these are of the same length and another content."""
    for name in ("1.yaml", "2.yaml"):
        write(tmp_path, name, pair())
    loaded = load_campaign(campaign(tmp_path, PAIRS, canonicalisation="jcs"))
    assert isinstance(loaded, Campaign)

    def engine(blocks: Any, terms: Any, layout: Any, partitions: int, **how: Any) -> Any:
        return plain_engine(blocks, terms, layout, partitions, between=change, **how)

    def change() -> None:
        path = tmp_path / "d" / "2.yaml"
        path.write_text("#" * path.stat().st_size)

    with pytest.raises(UnreadableShard, match=r"2\.yaml: line 1 is not what was judged: the file changed"):
        run(loaded, tmp_path / "out", engine)
