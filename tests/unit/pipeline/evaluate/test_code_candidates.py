"""Which records of a run have code to be run, and the code of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from code_campaign import BAD, GOOD, NOTHING, answer, code_campaign, record, run_without_rubrics, shard, write_tests
from golden_campaigns import STREAM, write_campaign
from tampering import cells, seal

from pipeline.campaign import Campaign, load_campaign
from pipeline.evaluate.candidates import Candidate, candidates, code_streams
from pipeline.evaluate.configuration import Identity
from pipeline.evaluate.program import Program
from pipeline.exits import Exit, RunError
from pipeline.sample.manifest import shipped_pins
from transforms.adapters.table import ADAPTERS
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Json, Place

IDENTITY = Identity("0.1.0", "ab" * 32, "CPython 3.11.7", {})
OTHER = "def double(number):\n    return number + number\n"


def loaded(folder: Path, patch: Mapping[str, Any] = NOTHING) -> Campaign:
    campaign = load_campaign(code_campaign(folder, write_tests(folder / "tests", ["t-1"]), IDENTITY, patch))
    assert isinstance(campaign, Campaign), campaign
    return campaign


def found(tmp_path: Path, *records: Json, patch: Mapping[str, Any] = NOTHING) -> list[Candidate]:
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(*records)}, patch)
    campaign = loaded(tmp_path / "c", patch)
    return list(candidates(run, campaign, code_streams(campaign)))


def program(*texts: str) -> Program:
    digests = [sha256_hex(text.encode()) for text in texts]
    named = digests[0] if len(texts) == 1 else sha256_hex("".join(f"{digest}\n" for digest in digests).encode())
    return Program("".join(texts), named)


def test_accepted_records(tmp_path: Path) -> None:
    records = [record("t-1", GOOD), record("t-2", BAD)]
    assert found(tmp_path, *records) == [
        Candidate(Place(STREAM, "a.jsonl", line), value["task_id"], sha256_hex(canonical_json(value)), (program(code),))
        for line, (value, code) in enumerate(zip(records, (GOOD, BAD), strict=True), 1)
    ]


def test_held_records(tmp_path: Path) -> None:
    first = record("t-1", GOOD)
    second = {**first, "ratings": {**first["ratings"], "style": 1}}
    held = found(tmp_path, first, second, record("t-2", BAD))
    assert {(row.place.line, row.record_sha256, row.programs) for row in held} == {
        (1, sha256_hex(canonical_json(first)), (program(GOOD),)),
        (2, sha256_hex(canonical_json(second)), (program(GOOD),)),
        (3, sha256_hex(canonical_json(record("t-2", BAD))), (program(BAD),)),
    }


@pytest.mark.parametrize("canonicalisation", ["raw", "jcs"])
def test_the_digest_is_over_the_archival_bytes(canonicalisation: str, tmp_path: Path) -> None:
    first = record("t-1", GOOD)
    second = {**first, "ratings": {**first["ratings"], "style": 1}}
    third = record("t-2", OTHER)
    lines = [json.dumps(value, indent=None).encode() for value in (first, second, third)]
    patch = {"canonicalisation": canonicalisation}
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": b"\n".join(lines)}, patch)
    campaign = loaded(tmp_path / "c", patch)
    kept = lines if canonicalisation == "raw" else [canonical_json(value) for value in (first, second, third)]
    assert {row.record_sha256 for row in candidates(run, campaign, code_streams(campaign))} == set(
        map(sha256_hex, kept)
    )


def test_records_that_an_adapter_made(tmp_path: Path) -> None:
    """What is held is kept as the source has it; executions name the adapted record all the same."""
    first, accepted = (source_of(record(task, code)) for task, code in (("t-1", GOOD), ("t-2", BAD)))
    second = {**first, "criteria": {**first["criteria"], "style": 1}}
    source = "workbench-ab-v1"
    patch = {"schemas": shipped_pins([source]), "streams": {STREAM: {"adapter": {"source": source}}}}
    told = [ADAPTERS[source].adapt(value, frozenset()) for value in (first, second, accepted)]
    rows = found(tmp_path, first, second, accepted, patch=patch)
    assert {(row.place.line, row.task_id, row.record_sha256, row.programs) for row in rows} == {
        (1, "t-1", sha256_hex(canonical_json(told[0])), (program(GOOD),)),
        (2, "t-1", sha256_hex(canonical_json(told[1])), (program(GOOD),)),
        (3, "t-2", sha256_hex(canonical_json(told[2])), (program(BAD),)),
    }


def source_of(value: Json) -> Json:
    """A preference for one of two as the A/B interface exports it."""
    return {
        "schema_version": "workbench-ab-v1",
        **{name: value[name] for name in ("task_id", "messages", "response_a", "response_b", "rubric_version")},
        "choice": value["preference"],
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": value["ratings"],
        "comments": value["rationale"],
        "contributor": "c-1",
        "submitted_at": "2026-03-04T09:15:00Z",
    }


def test_rejected_records_are_left_out(tmp_path: Path) -> None:
    assert found(tmp_path, record("t-1", GOOD, rationale="short"), record("t-2", "", response_a="text")) == [
        Candidate(
            Place(STREAM, "a.jsonl", 2),
            "t-2",
            sha256_hex(canonical_json(record("t-2", "", response_a="text"))),
            (),
        )
    ]


def test_the_code_of_a_record(tmp_path: Path) -> None:
    tie = {"preference": "tie", "rationale": "Both of them answer it in the same way."}
    records = [
        record("t-1", GOOD, golden_patch=answer(OTHER)),
        {**record("t-2", GOOD), **tie, "response_b": answer(OTHER)},
        {**record("t-3", GOOD), **tie, "response_b": f"Or:\n\n{answer(GOOD)}"},
        record("t-4", "", response_a=f"{answer(GOOD)}\n{answer(BAD)}"),
    ]
    assert [row.programs for row in found(tmp_path, *records)] == [
        (program(OTHER),),
        (program(GOOD), program(OTHER)),
        (program(GOOD),),
        (program(GOOD, BAD),),
    ]


def test_records_whose_bytes_were_not_kept(tmp_path: Path) -> None:
    first = record("t-1", GOOD)
    second = {**first, "ratings": {**first["ratings"], "style": 1}}
    rows = found(tmp_path, first, second, patch={"rejects": {"payload": "digest-only"}})
    assert {(row.place.line, row.programs) for row in rows} == {(1, ()), (2, ())}


def test_other_streams_and_languages(tmp_path: Path) -> None:
    for code in ({"language": "rust", "version": "1.80"}, None):
        patch: Any = {"streams": {STREAM: {"acceptance": {"code": code}}}}
        campaign = load_campaign(write_campaign(tmp_path / str(code), "*.jsonl", {}, {}))
        if code:
            campaign = loaded(tmp_path / "rust", patch)
        assert isinstance(campaign, Campaign)
        with pytest.raises(RunError) as raised:
            code_streams(campaign)
        assert raised.value.reason == "the campaign judges no python code of any stream of pairwise-v2"


# Runs that cannot be used.


@pytest.fixture
def run(tmp_path: Path) -> Path:
    first = record("t-1", GOOD)
    second = {**first, "ratings": {**first["ratings"], "style": 1}}
    return run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(first, second, record("t-2", OTHER))})


def refused(run: Path, campaign: Campaign) -> tuple[Exit, str]:
    with pytest.raises(RunError) as raised:
        list(candidates(run, campaign, code_streams(campaign)))
    return raised.value.exit_code, raised.value.reason


def test_another_campaigns_run(run: Path, tmp_path: Path) -> None:
    for member, value, was in (("id", "another", "golden"), ("canonicalisation", "jcs", "raw")):
        reason = f"{run}: the run's campaign has {member} {was!r}, not {value!r}"
        assert refused(run, loaded(tmp_path / member, {member: value})) == (Exit.USAGE, reason)


def test_no_run(tmp_path: Path) -> None:
    reason = f"manifest-missing: manifest.json: {tmp_path} is no committed run: No such file or directory"
    assert refused(tmp_path, loaded(tmp_path / "c")) == (Exit.USAGE, reason)


@pytest.mark.parametrize("outcome", ["accepted", "held"])
def test_files_that_were_changed(run: Path, outcome: str, tmp_path: Path) -> None:
    campaign = loaded(tmp_path / "c")
    [file] = (run / outcome / STREAM).iterdir()
    data = file.read_bytes()
    file.write_bytes(data[:-2] + b" \n")
    assert refused(run, campaign) == (Exit.INTEGRITY, f"{file}: its SHA-256 is not the listed one")
    file.unlink()
    assert refused(run, campaign) == (Exit.INTEGRITY, f"{file}: listed, but not there")
    file.write_bytes(b"neither\n")
    seal(run)
    code, reason = refused(run, campaign)
    assert (code, reason.rpartition(": ")[0]) == (Exit.INTEGRITY, f"{file}: cannot be read")


def test_records_that_were_changed_with_all_digests_of_files(run: Path, tmp_path: Path) -> None:
    campaign = loaded(tmp_path / "c")
    [accepted], [held] = ((run / outcome / STREAM).iterdir() for outcome in ("accepted", "held"))
    held.write_bytes(held.read_bytes().replace(b"return 2", b"return 3"))
    seal(run)
    assert refused(run, campaign)[0] == Exit.INTEGRITY
    held.write_bytes(held.read_bytes().replace(b"return 3", b"return 2"))
    table = pq.read_table(accepted, partitioning=None)
    change = cells(
        "assay_archival_bytes", lambda values: [value.replace(b"number + number", b"number") for value in values]
    )
    pq.write_table(change(table), accepted)
    seal(run)
    assert refused(run, campaign) == (Exit.INTEGRITY, f"{accepted}: the record of a.jsonl line 3 was changed")
