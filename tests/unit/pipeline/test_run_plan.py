from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from golden_campaigns import write_campaign
from small_campaign import PACKED, PLAIN, write_small

from pipeline.campaign import Campaign, load_campaign
from pipeline.exits import Exit, RunError
from pipeline.plan import Plan, derive_run_id, make_plan, work_sha256
from transforms.digests import sha256_hex
from transforms.shards.documents import read_documents
from transforms.shards.faults import UnreadableShard
from transforms.terms import Limits


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    loaded = load_campaign(write_small(tmp_path / "campaign"))
    assert isinstance(loaded, Campaign)
    return loaded


def plan(campaign: Campaign, *patterns: str) -> Plan:
    return make_plan(campaign, {"annotations": list(patterns)} if patterns else {})


def id_of(campaign: Campaign, made: Plan) -> str:
    return derive_run_id(campaign, work_sha256(campaign, made))


def names(made: Plan) -> list[str]:
    return [inspection.shard.name for inspection in made.inspections]


def refusal(campaign: Campaign, *patterns: str) -> tuple[Exit, str]:
    with pytest.raises(RunError) as raised:
        plan(campaign, *patterns)
    return raised.value.exit_code, raised.value.reason


def test_shards_come_in_the_order_of_their_names(campaign: Campaign) -> None:
    made = plan(campaign)
    shards = campaign.folder / "shards"
    assert names(made) == [PLAIN, PACKED]
    assert [row.shard.uri for row in made.inspections] == [f"shards/{PLAIN}", f"shards/{PACKED}"]
    assert [row.sha256 for row in made.inspections] == [
        sha256_hex((shards / name).read_bytes()) for name in names(made)
    ]
    assert made.bytes == sum((shards / name).stat().st_size for name in names(made))
    assert [block.shard.name for block in made.blocks] == [PLAIN, PACKED]
    assert list(made.faults()) == []


def test_patterns_replace_the_streams_own_and_may_overlap(campaign: Campaign) -> None:
    shards = campaign.folder / "shards"
    assert names(plan(campaign, str(shards / PACKED))) == [PACKED]
    overlapping = [str(shards / PACKED), str(shards / "*"), str(shards / "[ab].*")]
    assert names(plan(campaign, *overlapping)) == names(plan(campaign, *reversed(overlapping))) == [PLAIN, PACKED]


def test_each_pattern_must_match(campaign: Campaign) -> None:
    shards = campaign.folder / "shards"
    assert refusal(campaign, str(shards / "*"), "gone/*.jsonl") == (
        Exit.INTEGRITY,
        "stream annotations: no file matches gone/*.jsonl",
    )


def test_equal_names_in_two_folders_have_the_folder_before_them(campaign: Campaign) -> None:
    other = campaign.folder / "other"
    other.mkdir()
    (other / PLAIN).write_bytes(b"")
    patterns = [str(folder / PLAIN) for folder in (other, campaign.folder / "shards")]
    assert names(plan(campaign, *patterns)) == [f"other/{PLAIN}", f"shards/{PLAIN}"]


def test_two_shards_of_one_name(campaign: Campaign) -> None:
    """Where a pattern leaves its folder by `..`, no more than the file's own name is left."""
    folders = [campaign.folder / name for name in ("x", "y")]
    for folder in folders:
        (folder / "a").mkdir(parents=True)
        (folder / "b").mkdir()
        (folder / PLAIN).write_bytes(b"")
    reason = f"stream annotations: two shards are named {PLAIN}; rename one"
    pattern = f"{campaign.folder}/*/../[xy]/{PLAIN}"
    assert names(plan(campaign, pattern)) == [f"x/{PLAIN}", f"y/{PLAIN}"]
    left = [f"{campaign.folder}/x/a/?/../../../[xy]/{PLAIN}"]
    (folders[0] / "a" / "z").mkdir()
    assert refusal(campaign, *left) == (Exit.USAGE, reason)


def test_a_name_that_is_not_utf_8(campaign: Campaign) -> None:
    (campaign.folder / "shards" / "\udcff.jsonl").write_bytes(b"")
    code, reason = refusal(campaign)
    assert code == Exit.USAGE
    assert reason.startswith("stream annotations: the file name ")


def test_a_link_to_nothing(campaign: Campaign) -> None:
    (campaign.folder / "shards" / "gone.jsonl").symlink_to("nowhere")
    code, reason = refusal(campaign)
    assert code == Exit.INTEGRITY
    assert reason.startswith("stream annotations: cannot look for shards: ")


def test_the_run_id_is_that_of_campaign_and_inputs(campaign: Campaign, tmp_path: Path) -> None:
    made = plan(campaign)
    run_id = id_of(campaign, made)
    assert run_id == "golden-" + run_id[-16:]
    assert int(run_id[-16:], 16) >= 0
    assert id_of(campaign, plan(campaign)) == run_id
    elsewhere = write_small(tmp_path / "elsewhere")
    moved = load_campaign(elsewhere)
    assert isinstance(moved, Campaign)
    assert id_of(moved, plan(moved)) == run_id


def _edit_shard(campaign: Campaign) -> None:
    path = campaign.folder / "shards" / PLAIN
    path.write_bytes(path.read_bytes() + b"\n")


def _rename_shard(campaign: Campaign) -> None:
    (campaign.folder / "shards" / PLAIN).rename(campaign.folder / "shards" / "c.jsonl")


@pytest.mark.parametrize("change", [_edit_shard, _rename_shard])
def test_another_input_is_another_run(campaign: Campaign, change: object) -> None:
    before = id_of(campaign, plan(campaign))
    assert callable(change)
    change(campaign)
    assert id_of(campaign, plan(campaign)) != before


def test_another_campaign_is_another_run(campaign: Campaign) -> None:
    path = campaign.folder / "campaign.json"
    manifest: Mapping[str, object] = json.loads(path.read_bytes())
    path.write_text(json.dumps({**manifest, "description": "again"}), encoding="utf-8")
    other = load_campaign(path)
    assert isinstance(other, Campaign)
    made = plan(campaign)
    assert id_of(other, made) != id_of(campaign, made)
    assert id_of(replace(campaign, id="x"), made).startswith("x-")


@pytest.fixture
def documents(tmp_path: Path) -> Campaign:
    for name in ("b.yaml", "a/c.json", "a/d.YML"):
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    kind = "mavai-baseline-1"
    stream = {"format": "documents", "input": ["docs/*.yaml", "docs/a/*"]}
    limits = {"block_bytes": 1024, "max_shard_bytes": 2000}
    patch = {"limits": limits, "streams": {"annotations": stream}}
    loaded = load_campaign(write_campaign(tmp_path, "", patch, {}, kind))
    assert isinstance(loaded, Campaign)
    return loaded


def test_documents_share_blocks_in_the_order_of_their_names(documents: Campaign) -> None:
    (documents.folder / "docs" / "z.yaml").write_bytes(b"x" * 1500)
    made = plan(documents)
    assert names(made) == ["a/c.json", "a/d.YML", "b.yaml", "z.yaml"]
    assert [inspection.lines for inspection in made.inspections] == [1, 1, 1, 1]
    assert made.inspections[0].shard.uri == "docs/a/c.json"
    assert [block.stem for block in made.blocks] == ["documents-b00000"]
    (documents.folder / "docs" / "a" / "cc.yaml").write_bytes(b"x" * 1500)
    assert [block.names for block in plan(documents).documents] == [
        ("a/c.json", "a/cc.yaml"),
        ("a/d.YML", "b.yaml", "z.yaml"),
    ]


def test_a_document_too_large_for_a_shard_is_in_no_block(documents: Campaign) -> None:
    (documents.folder / "docs" / "b.yaml").write_bytes(b"x" * 2001)
    made = plan(documents)
    assert [(shard.name, fault.code) for shard, fault in made.faults()] == [("b.yaml", "shard-too-large")]
    assert [block.names for block in made.documents] == [("a/c.json", "a/d.YML")]


def test_files_that_are_no_documents_are_refused(documents: Campaign) -> None:
    (documents.folder / "docs" / "a" / "README").write_text("read me")
    reason = "stream annotations: a/README is no document: .yaml, .yml and .json are; narrow the pattern"
    assert refusal(documents) == (Exit.USAGE, reason)


def test_documents_of_one_name_in_two_folders(documents: Campaign) -> None:
    (documents.folder / "docs" / "a" / "b.yaml").write_text("again")
    assert names(plan(documents)) == ["a/b.yaml", "a/c.json", "a/d.YML", "b.yaml"]


def test_a_document_that_two_patterns_reach_is_one(documents: Campaign) -> None:
    patterns = [f"{documents.folder}/docs/{rest}" for rest in ("**/*.yaml", "b.yaml", "../docs/*.yaml")]
    assert names(plan(documents, *patterns)) == ["b.yaml"]


def test_a_document_that_became_a_pipe_since_it_was_found(documents: Campaign) -> None:
    path = documents.folder / "docs" / "b.yaml"
    [block] = plan(documents).documents
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(UnreadableShard, match=r"^b\.yaml: it is no regular file: the file changed$"):
        list(read_documents(block, Limits()))
