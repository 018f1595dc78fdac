"""Campaigns that migrate records of an older version, in ordinary runs and in backfills."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import backfills
import pytest
import rfc8785
from backfills import accepted, manifest
from commands import assay
from golden_campaigns import STREAM, Ran, by_command, by_plain_functions, fact_stream, write_campaign
from migrated import MIGRATION, V1, V2, old, old_schema, write_migrating, write_shard
from processes import workers
from small_campaign import record
from small_records import assignment, issued, qa
from test_golden import agree

from pipeline.sample.manifest import CODE_CRITERIA, CODE_POLICY, rubric, shipped_pins
from pipeline.sample.pairwise import line
from transforms.records import Json

RUBRIC = "code-review-v1"
REFUSE = {"kind": V2, "from": V1, "to": V2, "policy": "refuse"}


def both(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Ran:
    """The run of a campaign, the same both ways and with several workers."""
    ran = by_command(path, tmp_path / "command", capsys)
    assert ran.code == 0, ran
    assert agree(by_plain_functions(path, tmp_path / "plain").folder, ran.folder)
    assert agree(by_command(path, tmp_path / "workers", capsys, *workers(2)).folder, ran.folder)
    assert assay("verify", ran.folder, "--inputs").code == 0
    return ran


def sources(run: Path) -> list[tuple[Any, ...]]:
    columns = ("assay_line", "assay_source_bytes", "assay_source_sha256", "assay_source_version")
    return [tuple(row[name] for name in columns) for row in accepted(run, STREAM)]


@pytest.mark.parametrize("form", ["raw", "jcs"])
def test_declared_operations(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both digests, the members touched, and the findings in the words of the source."""
    new = [record(number) for number in range(5)]
    given = [
        old(new[0]),
        new[1],
        old(new[2], pair="x"),
        old(new[3], comment=" " * 30),
        old(new[1]),
        old(new[4], style=9),
        new[2] | {"schema_version": "pairwise-v0"},
        old(new[4], preference="A"),
    ]
    path = write_migrating(tmp_path, canonicalisation=form)
    lines = write_shard(tmp_path, given)
    ran = both(path, tmp_path, capsys)
    assert ran.lines() == {
        "3": ["migration-failed"],
        "4": ["empty-text"],
        "5": ["duplicate-record"],
        "6": ["schema/maximum"],
        "7": ["unsupported-schema-version"],
        "8": ["schema/additionalProperties"],
    }
    pointers = {row["line"]: row["findings"][0]["pointer"] for row in ran.refused("rejected")}
    assert pointers == {3: "/pair", 4: "/comment", 5: "", 6: "/style", 7: "/schema_version", 8: ""}
    assert {row["line"]: row["raw"].encode() for row in ran.refused("rejected")} == {
        number: lines[number - 1] for number in range(3, 9)
    }
    one, other = accepted(ran.folder, STREAM)
    assert sources(ran.folder) == [(1, lines[0], sha256(lines[0]).hexdigest(), V1), (2, None, None, None)]
    assert (one["assay_archival_bytes"], one["assay_schema_version"]) == (rfc8785.dumps(new[0]), V2)
    assert one["assay_record_sha256"] == sha256(rfc8785.dumps(new[0])).hexdigest()
    assert other["assay_archival_bytes"] == (lines[1] if form == "raw" else rfc8785.dumps(new[1]))
    assert {
        "/chosen",
        "/preference",
        "/ratings/style",
        "/style",
        "/pair",
        "/response_a",
        "/schema_version",
        "/tool",
    } <= set(one["assay_migrated_fields"])
    assert other["assay_migrated_fields"] is None
    pinned = sha256(json.dumps(old_schema()).encode()).hexdigest()
    assert ran.manifest["streams"][STREAM]["migrations"] == [{"from": V1, "to": V2, "schema_sha256": pinned}]


@pytest.mark.parametrize("migrations", [(), (REFUSE,)])
def test_refused_by_default(migrations: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_migrating(tmp_path, migrations)
    write_shard(tmp_path, [old(record(0)), record(1)])
    assert both(path, tmp_path, capsys).lines() == {"1": ["unsupported-schema-version"]}


def fitting(value: Json, **changes: Any) -> Json:
    """A record that declares the older version and is otherwise what the newer one asks for."""
    return {**value, "schema_version": V1, **changes}


def write_fitting(folder: Path, **members: Any) -> Path:
    """The same, of a campaign whose versions differ in the bounds of the rationale alone."""
    longer = {"properties": {"rationale": {"minLength": 100}}}
    document = json.dumps(old_schema_like(V2)).encode()
    (folder / "older.json").write_bytes(document)
    patch = {
        "schemas": {V1: {"path": "older.json", "sha256": sha256(document).hexdigest()}},
        "migrations": [{"kind": V2, "from": V1, "to": V2, "policy": "revalidate"}],
        **members,
    }
    return write_campaign(folder, "shards/*.jsonl", patch, longer)


def old_schema_like(version: str) -> Json:
    import schemas

    schema: Json = json.loads(json.dumps(schemas.load_schema("records", version)))
    schema["$id"] = "urn:test:older"
    schema["properties"]["schema_version"]["const"] = V1
    return schema


def test_revalidation_changes_the_version_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    long, short = "Response A does it in one pass. " * 4, "Response A does it in one pass."
    new = [record(0, rationale=long, preference="A"), record(1, rationale=short, preference="A")]
    lines = write_shard(tmp_path, map(fitting, new))
    ran = both(write_fitting(tmp_path), tmp_path, capsys)
    assert ran.lines() == {"2": ["schema/minLength"]}
    [row] = accepted(ran.folder, STREAM)
    assert sources(ran.folder) == [(1, lines[0], sha256(lines[0]).hexdigest(), V1)]
    assert row["assay_migrated_fields"] == ["/schema_version"]
    assert row["assay_archival_bytes"] == rfc8785.dumps(new[0])


def test_a_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From pairwise-v0, whose choice has another name again, over pairwise-v1."""
    schema = old_schema()
    schema["$id"], schema["properties"]["schema_version"]["const"] = "urn:test:v0", "pairwise-v0"
    schema["properties"]["better"] = schema["properties"].pop("chosen")
    schema["required"] = sorted({*schema["required"], "better"} - {"chosen"})
    document = json.dumps(schema).encode()
    (tmp_path / "v0.json").write_bytes(document)
    operations = [{"op": "rename", "from": "/better", "to": "/chosen"}]
    older = {"kind": V2, "from": "pairwise-v0", "to": V1, "operations": operations}
    pin = {"pairwise-v0": {"path": "v0.json", "sha256": sha256(document).hexdigest()}}
    path = write_migrating(tmp_path, (MIGRATION, older), schemas=pin)
    values = [old(record(number), schema_version="pairwise-v0") for number in range(2)]
    choices = [values[0].pop("chosen"), values[1].pop("chosen") * 2]
    write_shard(tmp_path, [{**value, "better": choice} for value, choice in zip(values, choices, strict=True)])
    ran = both(path, tmp_path, capsys)
    assert ran.lines() == {"2": ["schema/enum"]}
    assert ran.refused("rejected")[0]["findings"][0]["pointer"] == "/better"
    [row] = accepted(ran.folder, STREAM)
    assert (row["assay_source_version"], row["assay_archival_bytes"]) == ("pairwise-v0", rfc8785.dumps(record(0)))
    refusing = {"kind": V2, "from": V1, "to": V2, "policy": "refuse"}
    path = write_migrating(tmp_path, (refusing, older), schemas=pin)
    assert by_command(path, tmp_path / "refused", capsys).lines().keys() == {"1", "2"}


def test_tasks_keep_the_version_they_were_issued_under(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record is held to its task by the version it was made under, and known by the bytes that were handed in."""
    new = [record(number) for number in range(4)]
    lines = write_shard(tmp_path, [old(new[0]), old(new[1]), new[2], old(new[3])])
    tasks = [
        issued(V2, new[0], annotation_schema_version=V1),
        issued(V2, new[1]),
        issued(V2, new[2], annotation_schema_version=V1),
        issued(V2, new[3], annotation_schema_version=V1, contributors=["u-1"]),
    ]
    stranger = assignment("u-9", sha256(lines[3]).hexdigest(), new[3]["task_id"])
    for name, values in (("tasks", tasks), ("assignments", [stranger])):
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n".join(map(line, values)))
    members = {
        "schemas": shipped_pins(["input-task-v1", "assignment-v1"]),
        "streams": {
            "tasks": fact_stream("tasks", "tasks.jsonl"),
            "assignments": {"kind": "assignment-v1", "versions": ["assignment-v1"], "input": "assignments.jsonl"},
        },
    }
    path = write_migrating(tmp_path, **members)
    manifest = json.loads(path.read_bytes())
    manifest["without"] = []
    path.write_text(json.dumps(manifest), encoding="utf-8")
    assert both(path, tmp_path, capsys).lines() == {
        "2": ["version-not-assigned"],
        "3": ["version-not-assigned"],
        "4": ["unauthorized-contributor"],
    }


def review(value: Json, digest: str, reviewer: str) -> bytes:
    return line(
        {
            "schema_version": "review-v1",
            "task_id": value["task_id"],
            "record_sha256": digest,
            "reviewer": reviewer,
            "rubric_version": RUBRIC,
            "vote": "accept",
            "scores": {name: 4 for name, _, _ in CODE_CRITERIA},
            "reviewed_at": "2026-08-03T12:00:00Z",
        }
    )


def test_reviews_of_either_form_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the bytes before and after; but nobody counts twice."""
    new = [record(0), record(1)]
    lines = write_shard(tmp_path, map(old, new))
    before = [sha256(data).hexdigest() for data in lines]
    after = [sha256(rfc8785.dumps(value)).hexdigest() for value in new]
    said = [
        (0, before, "r-1"),
        (0, before, "r-2"),
        (0, after, "r-3"),
        (1, before, "r-1"),
        (1, after, "r-1"),
        (1, after, "r-2"),
    ]
    (tmp_path / "reviews.jsonl").write_bytes(b"\n".join(review(new[at], digests[at], who) for at, digests, who in said))
    document = json.dumps(rubric(RUBRIC, CODE_CRITERIA, 4.0, CODE_POLICY)).encode()
    (tmp_path / "code-review.json").write_bytes(document)
    path = write_migrating(
        tmp_path,
        schemas=shipped_pins(["review-v1"]),
        rubrics={RUBRIC: {"path": "code-review.json", "sha256": sha256(document).hexdigest()}},
        streams={
            STREAM: {"acceptance": {}},
            "reviews": {"kind": "review-v1", "versions": ["review-v1"], "input": "reviews.jsonl"},
        },
        without=["adjudications", "tasks"],
    )
    ran = both(path, tmp_path, capsys)
    assert ran.lines() == {"2": ["review-incomplete"]}
    assert ran.lines("reviews") == {}
    assert [row["assay_line"] for row in accepted(ran.folder, STREAM)] == [1]


def test_a_backfill_migrates_from_what_was_read_first(tmp_path: Path) -> None:
    """Refused as pairwise-v1, then migrated, then migrated again from the same bytes; and judged as it became."""
    write_shard(tmp_path, [old(record(0)), old(record(1), pair="x"), old(record(2))])
    path = write_migrating(tmp_path)
    first = json.loads(path.read_bytes())
    first["migrations"] = []
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps(first), encoding="utf-8")
    source = by_plain_functions(earlier, tmp_path / "source").folder
    assert manifest(source)["streams"][STREAM]["codes"] == {"unsupported-schema-version": 3}
    once = backfills.by_command(path, tmp_path / "once", source)
    assert manifest(once)["streams"][STREAM]["codes"] == {"migration-failed": 1}
    twice = backfills.by_plain_functions(path, tmp_path / "twice", once)
    assert [row[1:] for row in sources(twice)] == [row[1:] for row in sources(once)]
    kept = ("assay_record_sha256", "assay_migrated_fields", "assay_origin_line")
    one, other = ([[row[name] for name in kept] for row in accepted(run, STREAM)] for run in (once, twice))
    assert one == other
    without = backfills.by_plain_functions(earlier, tmp_path / "without", once)
    assert manifest(without)["streams"][STREAM]["codes"] == {"unsupported-schema-version": 1}
    assert [row["assay_record_sha256"] for row in accepted(without, STREAM)] == [row[0] for row in one]


QA, QA2 = "grounded-qa-v1", "grounded-qa-v1.1"


def test_a_kind_that_declares_no_version(tmp_path: Path) -> None:
    """What an earlier run read a record as is its version: another one needs a policy."""
    write_shard(
        tmp_path, [qa(abstain=True, task_id=f"t-{number}", question="Why is it so?" * number) for number in (1, 2)]
    )
    path = write_campaign(tmp_path, "shards/*.jsonl", {}, {}, QA)
    source = by_plain_functions(path, tmp_path / "source").folder
    assert manifest(source)["streams"][STREAM]["records"]["accepted"] == 2
    value = json.loads(path.read_bytes())
    schema = json.loads((tmp_path / "schema.json").read_bytes())
    schema["$id"], schema["properties"]["question"]["minLength"] = "urn:test:qa", 20
    (tmp_path / "newer.json").write_text(json.dumps(schema), encoding="utf-8")
    pin = {"path": "newer.json", "sha256": sha256((tmp_path / "newer.json").read_bytes()).hexdigest()}
    value["schemas"][QA2], value["streams"][STREAM]["versions"] = pin, [QA2]
    newer = tmp_path / "newer-campaign.json"
    newer.write_text(json.dumps(value), encoding="utf-8")
    refused = backfills.by_plain_functions(newer, tmp_path / "refused", source)
    assert manifest(refused)["streams"][STREAM]["codes"] == {"unsupported-schema-version": 2}
    value["migrations"] = [{"kind": QA, "from": QA, "to": QA2, "policy": "revalidate"}]
    newer.write_text(json.dumps(value), encoding="utf-8")
    again = backfills.by_command(newer, tmp_path / "again", source)
    assert manifest(again)["streams"][STREAM]["codes"] == {"schema/minLength": 1}
    [row] = accepted(again, STREAM)
    # It fits as it is, so it keeps its bytes.
    assert (row["assay_source_version"], row["assay_migrated_fields"]) == (QA, [])
    assert row["assay_archival_bytes"] == row["assay_source_bytes"]
    # Whether a record of another version is private, nobody can tell: its bytes stay out of the rejects.
    after = backfills.by_plain_functions(newer, tmp_path / "after", refused)
    assert manifest(after)["streams"][STREAM]["codes"] == {"bytes-not-kept": 2}
