from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from golden_campaigns import KIND, RUBRIC, STREAM, write_campaign
from spoilt_campaigns import write_sound

import schemas
from pipeline.campaign import Campaign, Thresholds, load_campaign, load_manifest
from pipeline.pinned import Reference, references
from transforms.digests import sha256_hex
from transforms.terms import Action, Limits, Validator


def loaded(folder: Path, campaign: dict[str, Any] | None = None) -> Campaign:
    value = load_campaign(write_campaign(folder, "*.jsonl", campaign or {}, {}))
    assert isinstance(value, Campaign), value
    return value


def test_what_is_left_out_takes_its_default(tmp_path: Path) -> None:
    campaign = loaded(tmp_path)
    assert (campaign.id, campaign.folder, campaign.payload, campaign.quarantine) == ("golden", tmp_path, "raw", False)
    assert campaign.thresholds == Thresholds(None, None, None)
    terms = campaign.streams[STREAM].terms
    assert (terms.name, terms.kind, list(terms.schemas), terms.rubrics.keys()) == (STREAM, KIND, [KIND], {RUBRIC})
    assert terms.limits == Limits(
        max_record_bytes=65536, max_conversation_characters=24000, max_conversation_bytes=48000
    )
    assert (terms.canonicalisation, terms.skip_blank, terms.keep_raw_rejects) == ("raw", False, True)
    assert (terms.annotations_per_task, terms.policies) == (1, {})
    assert terms.validator == Validator("jsonschema-rs", assert_formats=False)


def test_what_is_said_is_taken(tmp_path: Path) -> None:
    stream = {
        "blank_records": "skip",
        "identity": {"annotations_per_task": 3, "duplicate-record": "hold"},
        "rules": {"identical-candidates": "allow-tie"},
    }
    campaign = loaded(
        tmp_path,
        {
            "canonicalisation": "jcs",
            "validator": {"formats": "assert"},
            "limits": {"block_bytes": 4096, "max_depth": 5},
            "rejects": {"payload": "digest-only"},
            "thresholds": {"max_rejected_share": 0.5, "max_quarantined_shards": 0},
            "on_corrupt_shard": "quarantine",
            "streams": {STREAM: stream},
        },
    )
    assert (campaign.payload, campaign.quarantine) == ("digest-only", True)
    assert campaign.thresholds == Thresholds(0.5, None, 0)
    terms = campaign.streams[STREAM].terms
    assert (terms.limits.block_bytes, terms.limits.max_depth) == (4096, 5)
    assert (terms.canonicalisation, terms.skip_blank, terms.keep_raw_rejects) == ("jcs", True, False)
    assert terms.annotations_per_task == 3
    assert terms.policies == {"duplicate-record": Action.HOLD, "identical-candidates": Action.ALLOW_TIE}
    assert terms.validator.assert_formats


def test_documents_are_kept_byte_for_byte_the_manifest_first(tmp_path: Path) -> None:
    campaign = loaded(tmp_path)
    kept = [(document.role, document.version, document.path, document.source) for document in campaign.documents]
    assert kept == [
        ("campaign", "campaign-v1", "campaign/campaign.json", tmp_path / "campaign.json"),
        ("schema", KIND, f"campaign/schemas/{KIND}.json", tmp_path / "schema.json"),
        ("rubric", RUBRIC, f"campaign/rubrics/{RUBRIC}.json", tmp_path / "rubric.json"),
    ]
    for document in campaign.documents:
        assert document.data == document.source.read_bytes()
        assert document.sha256 == sha256_hex(document.data)
    assert campaign.sha256 == campaign.documents[0].sha256


def test_a_shipped_schema(tmp_path: Path) -> None:
    shipped = schemas.schema_path("records", KIND)
    pin = {"path": f"assay:{KIND}", "sha256": sha256_hex(shipped.read_bytes())}
    campaign = loaded(tmp_path, {"schemas": {KIND: pin}})
    assert campaign.documents[1].source == shipped


def test_references_are_the_schemas_and_then_the_rubrics() -> None:
    pin = {"path": "p", "sha256": "0"}
    manifest = {"rubrics": {"r": pin}, "schemas": {"b": pin, "a": {**pin, "fixtures": "f"}}}
    assert list(references(manifest)) == [
        Reference("schema", "a", "/schemas/a", "p", "0", "f"),
        Reference("schema", "b", "/schemas/b", "p", "0"),
        Reference("rubric", "r", "/rubrics/r", "p", "0"),
    ]
    assert list(references({"schemas": {}})) == []


def test_a_manifest_is_read_whatever_its_pins_say(tmp_path: Path) -> None:
    path = write_sound(tmp_path)
    (tmp_path / "schema.json").unlink()
    assert isinstance(load_campaign(path), tuple)
    assert not isinstance(load_manifest(path), tuple)


@pytest.mark.parametrize("versions", [["pairwise-v2", "pairwise-v3"], ["pairwise-v3", "pairwise-v2"]])
def test_two_versions_that_agree_share_a_stream(tmp_path: Path, versions: list[str]) -> None:
    import json

    second = json.loads(schemas.schema_path("records", KIND).read_bytes())
    second["$id"] += "-next"
    second["properties"]["schema_version"] = {"const": "pairwise-v3"}
    data = json.dumps(second).encode()
    tmp_path.joinpath("next.json").write_bytes(data)
    campaign = loaded(
        tmp_path,
        {
            "schemas": {"pairwise-v3": {"path": "next.json", "sha256": sha256_hex(data)}},
            "streams": {STREAM: {"versions": versions}},
        },
    )
    terms = campaign.streams[STREAM].terms
    assert sorted(terms.schemas) == ["pairwise-v2", "pairwise-v3"]
    assert len(terms.registered) == 2
