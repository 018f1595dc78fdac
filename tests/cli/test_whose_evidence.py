"""Evidence that its own stream refuses decides nothing, by either way to run; and what is said of contributors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from acceptance_runs import changed, decisions, task_of
from commands import assay, read, run
from golden_campaigns import Ran, by_plain_functions
from test_golden import agree

from pipeline.sample.acceptance.campaign import write_acceptance_sample

Record = dict[str, Any]
WARNING = (
    "warning: contributors-unknown: /streams: no stream of assignments says who handed records in, "
    "so nobody's review of their own record is found; decisions have contributor_known false\n"
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_acceptance_sample(tmp_path_factory.mktemp("evidence") / "sample", 1, 1)


def exported_twice(sample: Path, folder: Path, stream: str, action: str) -> Path:
    """The campaign whose stream has each record a second time, in a shard of its own, and a policy for that."""
    shards = sorted((sample.parent / "shards").glob(f"{stream}-*.jsonl"))
    (folder / "again.jsonl").write_bytes(b"".join(shard.read_bytes() for shard in shards))

    def change(manifest: Record) -> None:
        row = manifest["streams"][stream]
        row["input"] = [row["input"], str(folder / "again.jsonl")]
        row["identity"] = {"duplicate-record": action}

    return changed(sample, folder, change)


@pytest.mark.parametrize("action", ["reject", "hold"])
@pytest.mark.parametrize(
    ("stream", "column"),
    [("reviews", "reviews"), ("adjudications", "adjudications"), ("code-executions", "executions")],
)
def test_what_is_refused_twice_over_decides_nothing(
    stream: str, column: str, action: str, sample: Path, tmp_path: Path
) -> None:
    path = exported_twice(sample, tmp_path, stream, action)
    plain = by_plain_functions(path, tmp_path / "plain")
    rows = decisions(plain)
    assert rows and [row[column] for row in rows if row[column]] == []
    assert plain.manifest["streams"][stream]["records"]["accepted"] == 0
    if stream == "reviews":
        assert {row["outcome"] for row in rows} <= {"held", "rejected"}
        assert agree(plain.folder, run(path, tmp_path / "beam"))


def test_copies_that_the_policy_keeps_count_once(sample: Path, tmp_path: Path) -> None:
    path = exported_twice(sample, tmp_path, "code-executions", "keep-first")
    rows = decisions(by_plain_functions(path, tmp_path))
    assert any(row["executions"] for row in rows)
    assert all(len(set(row["executions"])) == len(row["executions"]) for row in rows)


def without_assignments(manifest: Record) -> None:
    del manifest["streams"]["assignments"]


def test_without_assignments_nobody_is_known(sample: Path, tmp_path: Path) -> None:
    path = changed(sample, tmp_path, without_assignments)
    said = assay("check", path)
    assert (said.code, said.out, said.err) == (0, f"{WARNING}{path}: fit to run\n", "")
    (warned,) = json.loads(assay("check", path, "--format", "json").out)
    assert (warned["code"], warned["pointer"], warned["severity"]) == ("contributors-unknown", "/streams", "warning")
    ran = assay("run", path, "--output", tmp_path, "--run-id", "r", "--quiet")
    assert ran.err == f"assay: {WARNING}"
    streams = read(tmp_path / "r" / "manifest.json")["streams"]
    decided = streams["annotations"]["acceptance"]["decided"]
    assert streams["annotations"]["acceptance"]["contributor_unknown"] == decided
    line = f"note: annotations: contributor unknown for {decided} of {decided} decided records; a review of one's own"
    assert line in ran.out
    rows = decisions(Ran(0, "", tmp_path / "r"))
    assert {row["contributor_known"] for row in rows} == {False}


def test_assignments_alone_make_contributors_known(sample: Path, tmp_path: Path) -> None:
    def change(manifest: Record) -> None:
        for name in ("reviews", "adjudications", "code-executions", "safety-annotations"):
            del manifest["streams"][name]
        manifest["without"] = ["adjudications", "code-executions", "reviews"]

    rows = decisions(by_plain_functions(changed(sample, tmp_path, change), tmp_path))
    assert [task_of(sample, row) for row in rows if not row["contributor_known"]] == ["contributor-unknown"]


def test_what_another_join_holds_decides_nothing(sample: Path, tmp_path: Path) -> None:
    """A review whose task's id looks like another's, in a stream that holds such reviews."""
    [first, *_] = (sample.parent / "shards" / "reviews-00000.jsonl").read_bytes().splitlines()
    value = json.loads(first)
    task = value["task_id"]
    (tmp_path / "alike.jsonl").write_text(json.dumps(value | {"task_id": task.upper()}) + "\n", encoding="utf-8")

    def change(manifest: Record) -> None:
        row = manifest["streams"]["reviews"]
        row["input"] = [row["input"], str(tmp_path / "alike.jsonl")]
        row["joins"] = {"look-alike-id": "hold"}

    path = changed(sample, tmp_path, change)
    rows = {task_of(sample, row): row for row in decisions(by_plain_functions(path, tmp_path))}
    before = {task_of(sample, row): row for row in decisions(by_plain_functions(sample, tmp_path / "before"))}
    assert task.upper() != task and before[task]["reviews"]
    assert rows[task]["reviews"] == []
    assert [name for name in rows if rows[name]["reviews"] != before[name]["reviews"]] == [task]
