"""Records that name an older rubric, decided by a newer one because the campaign says so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import backfills
import pytest
from commands import assay
from golden_campaigns import STREAM, by_command, by_plain_functions, fact_stream, write_campaign
from small_campaign import record
from small_records import issued
from test_golden import agree

from pipeline.sample.manifest import CODE_CRITERIA, CODE_POLICY, rubric, shipped_pins
from pipeline.sample.pairwise import line
from transforms.digests import file_sha256
from transforms.records import Json, Outcome

OLD, NEW = "code-review-v1", "code-review-v2"
NEWER = (*CODE_CRITERIA[:3], ("security", 0.1, 3))
MOVE = {"kind": "pairwise-v2", "from": OLD, "to": NEW, "policy": "revalidate"}


def review(value: Json, reviewer: str, version: str) -> bytes:
    criteria = CODE_CRITERIA if version == OLD else NEWER
    row = {
        "schema_version": "review-v1",
        "task_id": value["task_id"],
        "record_sha256": sha256(line(value)).hexdigest(),
        "reviewer": reviewer,
        "rubric_version": version,
        "vote": "accept",
        "scores": {name: 4 for name, _, _ in criteria},
        "reviewed_at": "2026-08-03T12:00:00Z",
    }
    return line(row)


def write(folder: Path, moves: Sequence[Json], reviews: Sequence[tuple[int, str, str]]) -> Path:
    """Two records and their tasks, all of the older rubric; reviews are (record, reviewer, rubric)."""
    values = [record(0), record(1)]
    folder.mkdir(exist_ok=True)
    for name, lines in (
        ("a", map(line, values)),
        ("tasks", (line(issued("pairwise-v2", value)) for value in values)),
        ("reviews", (review(values[at], who, version) for at, who, version in reviews)),
    ):
        (folder / f"{name}.jsonl").write_bytes(b"\n".join(lines))
    pins = {}
    for version, criteria in ((OLD, CODE_CRITERIA), (NEW, NEWER)):
        path = folder / f"{version}.json"
        path.write_text(json.dumps(rubric(version, criteria, 4.0, CODE_POLICY)), encoding="utf-8")
        pins[version] = {"path": path.name, "sha256": file_sha256(path)}
    manifest: dict[str, Any] = {
        "schemas": shipped_pins(["review-v1", "input-task-v1"]),
        "rubrics": pins,
        "rubric_migrations": list(moves),
        "streams": {
            STREAM: {"acceptance": {}},
            "reviews": {"kind": "review-v1", "versions": ["review-v1"], "input": "reviews.jsonl"},
            "tasks": fact_stream("tasks", "tasks.jsonl"),
        },
        "without": ["adjudications"],
    }
    return write_campaign(folder, "a.jsonl", manifest, {})


def three(at: int, version: str) -> list[tuple[int, str, str]]:
    return [(at, f"r-{number}", version) for number in range(3)]


def test_a_newer_rubric_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By reviews that score its criteria; the task and the record keep the older one."""
    path = write(tmp_path / "c", [MOVE], [*three(0, NEW), *three(1, OLD)])
    ran = by_command(path, tmp_path / "command", capsys)
    assert agree(by_plain_functions(path, tmp_path / "plain").folder, ran.folder)
    assert (ran.lines(), ran.lines("reviews")) == ({"2": ["review-incomplete"]}, {})
    [row] = backfills.accepted(ran.folder, STREAM)
    assert (row["assay_line"], row["assay_rubric_version"]) == (1, OLD)


@pytest.mark.parametrize("moves", [[], [{**MOVE, "policy": "refuse"}]])
def test_by_default_the_rubric_that_is_named(
    moves: list[Json], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "c", moves, [*three(0, NEW), *three(1, OLD)])
    ran = by_command(path, tmp_path / "command", capsys)
    assert ran.lines() == {"1": ["review-incomplete"]}
    assert ran.lines("reviews") == {str(number): ["review-of-other-rubric"] for number in (1, 2, 3)}


def test_a_backfill_decides_anew_as_judged(tmp_path: Path) -> None:
    before = write(tmp_path / "before", [], three(0, OLD) + three(1, OLD))
    source = by_plain_functions(before, tmp_path / "source").folder
    assert backfills.manifest(source)["streams"][STREAM]["records"]["accepted"] == 2
    after = write(tmp_path / "after", [MOVE], [])
    (tmp_path / "after" / "late.jsonl").write_bytes(b"\n".join(review(record(1), f"r-{n}", NEW) for n in (7, 8, 9)))
    flags = ("--input", f"reviews={tmp_path / 'after' / 'late.jsonl'}")
    again = backfills.by_command(after, tmp_path / "again", source, outcomes=[Outcome.ACCEPTED], flags=flags)
    assert backfills.manifest(again)["sources"][0]["as_judged"] == [STREAM]
    assert backfills.manifest(again)["streams"][STREAM]["codes"] == {"review-incomplete": 1}
    assert [row["assay_origin_line"] for row in backfills.accepted(again, STREAM)] == [2]


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        ([MOVE], []),
        ([{**MOVE, "from": "code-review-v0"}, MOVE], []),
        ([MOVE, MOVE], [("migration-misstated", f"/rubric_migrations/{index}") for index in (0, 1)]),
        ([{**MOVE, "kind": "grounded-qa-v1"}], [("migration-misstated", "/rubric_migrations/0/kind")]),
        ([{**MOVE, "to": "code-review-v3"}], [("unknown-version", "/rubric_migrations/0/to")]),
        ([MOVE, {**MOVE, "from": "code-review-v0", "to": OLD}], [("migration-misstated", "/rubric_migrations/1")]),
        ([{**MOVE, "to": OLD}], [("migration-misstated", "/rubric_migrations/0")]),
    ],
)
def test_what_is_checked(moves: list[Json], found: list[tuple[str, str]], tmp_path: Path) -> None:
    path = write(tmp_path, moves, [])
    value = json.loads(path.read_bytes())
    value["schemas"]["pairwise-v2"] = shipped_pins(["pairwise-v2"])["pairwise-v2"]
    path.write_text(json.dumps(value), encoding="utf-8")
    # Sound campaigns are warned of what they go without.
    findings = assay("check", path, "--format", "json").findings
    assert [row for row in findings if row[0] not in ("acceptance-limited", "contributors-unknown")] == found
