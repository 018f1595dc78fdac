"""`assay run --history`: two nights of one campaign, and what a run says of those that it was judged against."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from baseline_records import VERSION, signed
from baseline_runs import measured
from commands import Said, assay, read
from golden_campaigns import KIND, STREAM, Ran, write_campaign
from processes import digests, workers
from small_records import issued, pair
from source_tree import ROOT
from tampering import DUPLICATES, parquet_changed

from transforms.baselines.emitted_text import emitted_text
from transforms.records import Json

RATED = {"ratings": dict.fromkeys(("factuality", "reasoning", "instruction_adherence", "style"), 5)}
FIRST = (
    pair(task_id="t-1"),
    pair(task_id="t-2", response_a="two"),
    pair(task_id="t-3", response_a="three"),
    pair(task_id="t-4", response_a="four"),
    pair(task_id="t-O5", response_a="five"),
    pair(task_id="t-6", preference="both"),
)
SECOND = (
    dict(reversed(pair(task_id="t-1").items())),
    pair(task_id="t-2", response_a="other"),
    pair(task_id="t-3", response_a="three", **RATED),
    pair(task_id="t-14", response_a="right", response_b="four"),
    pair(task_id="t-05", response_a="05"),
    pair(task_id="t-6", response_a="six"),
    pair(task_id="t-7", response_a="seven"),
)
CODES = {
    "1": ["duplicate-record"],
    "2": ["task-conflict"],
    "3": ["repeated-annotation"],
    "4": ["contradictory-preference", "duplicate-candidates"],
}


def night(folder: Path, records: Iterable[Json], campaign: Json | None = None) -> Path:
    """The campaign of one night, one shard, in `folder`."""
    path = write_campaign(folder, "*.jsonl", campaign or {}, {})
    lines = [json.dumps(record) + "\n" for record in records]
    (folder / "a.jsonl").write_text("".join(lines), encoding="utf-8")
    return path


def judge(campaign: Path, output: Path, run_id: str, *history: Path, flags: Iterable[str] = ()) -> Said:
    named = [argument for run in history for argument in ("--history", run)]
    return assay("run", campaign, "--output", output, "--run-id", run_id, "--quiet", *named, *flags)


def judged(campaign: Path, output: Path, run_id: str, *history: Path, flags: Iterable[str] = ()) -> Path:
    said = judge(campaign, output, run_id, *history, flags=flags)
    assert said.code == 0, said
    return output / run_id


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds `1/` and `2/`, two nights, and the runs `out/night-1` and `out/night-2`, the second judged by the first."""
    folder = tmp_path_factory.mktemp("nights")
    night(folder / "1", FIRST)
    night(folder / "2", SECOND)
    first = judged(folder / "1" / "campaign.json", folder / "out", "night-1")
    judged(folder / "2" / "campaign.json", folder / "out", "night-2", first)
    return folder


def test_what_an_earlier_run_accepted_holds(folder: Path) -> None:
    ran = Ran(0, "", folder / "out" / "night-2")
    assert ran.lines() == CODES
    assert ran.manifest["streams"][STREAM]["warned"] == {"look-alike-id": 1}
    assert ran.manifest["streams"][STREAM]["records"] == {"accepted": 3, "held": 2, "read": 7, "rejected": 2}
    assert assay("verify", ran.folder).code == 0


def test_without_history_the_night_stands_alone(folder: Path, tmp_path: Path) -> None:
    alone = judged(folder / "2" / "campaign.json", tmp_path, "alone")
    assert read(alone / "manifest.json")["streams"][STREAM]["records"]["accepted"] == len(SECOND)
    assert "history" not in read(alone / "manifest.json")


def test_findings_name_the_run_and_the_place(folder: Path) -> None:
    ran = Ran(0, "", folder / "out" / "night-2")
    [first] = ran.manifest["history"]
    run = {"run_id": "night-1", "manifest_sha256": first["manifest_sha256"]}
    related = {row["line"]: row["findings"][0]["related"] for row in (*ran.refused("rejected"), *ran.refused("held"))}
    assert related == {line: [{"stream": STREAM, "shard": "a.jsonl", "line": line, "run": run}] for line in range(1, 5)}


def test_the_manifest_names_runs_by_their_digests(folder: Path) -> None:
    first = folder / "out" / "night-1"
    sums = dict(reversed(line.split("  ")) for line in (first / "SHA256SUMS").read_text().splitlines())
    [named] = read(folder / "out" / "night-2" / "manifest.json")["history"]
    assert (named["run_id"], named["manifest_sha256"]) == ("night-1", sums["manifest.json"])
    assert [(one["path"], one["sha256"], one["rows"]) for one in named["identities"]] == [
        (path, sums[path], 5) for path in sorted(sums) if path.startswith("identities/")
    ]


def test_runs_in_any_order_with_any_workers(folder: Path, tmp_path: Path) -> None:
    campaign, runs = folder / "2" / "campaign.json", (folder / "out" / "night-1", folder / "out" / "night-2")
    one = judged(campaign, tmp_path / "one", "night-3", *runs)
    two = judged(campaign, tmp_path / "two", "night-3", *reversed(runs), flags=workers(2))
    assert digests(one) == digests(two)
    assert [row["run_id"] for row in read(one / "manifest.json")["history"]] == ["night-1", "night-2"]


def test_the_summary_counts_the_runs(folder: Path, tmp_path: Path) -> None:
    first, second = (folder / "out" / name for name in ("night-1", "night-2"))
    campaign = folder / "2" / "campaign.json"
    assert "\njudged against 1 earlier run\n" in judge(campaign, tmp_path, "a", first).out
    assert "\njudged against 2 earlier runs\n" in judge(campaign, tmp_path, "b", first, second).out
    assert "judged against" not in judge(campaign, tmp_path, "c").out


def test_history_takes_part_in_the_derived_id(folder: Path, tmp_path: Path) -> None:
    campaign = folder / "2" / "campaign.json"
    for arguments in ([], ["--history", folder / "out" / "night-1"]):
        assert assay("run", campaign, "--output", tmp_path, "--quiet", *arguments).code == 0
    assert len(list(tmp_path.iterdir())) == 2


def test_only_manifest_and_indexes_are_read(folder: Path, tmp_path: Path) -> None:
    first = Path(shutil.copytree(folder / "out" / "night-1", tmp_path / "night-1"))
    for name in ("accepted", "rejected", "campaign", "report.html"):
        path = first / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    again = judged(folder / "2" / "campaign.json", tmp_path, "night-2", first)
    assert digests(again) == digests(folder / "out" / "night-2")


@pytest.mark.parametrize("what", ["twice", "a copy", "own id", "no run", "missing"])
def test_usage(what: str, folder: Path, tmp_path: Path) -> None:
    first, campaign = folder / "out" / "night-1", folder / "2" / "campaign.json"
    copy = Path(shutil.copytree(first, tmp_path / "copy"))
    history, run_id, reason = {
        "twice": ([first, first], "new", "the run night-1 is given twice"),
        "a copy": ([first, copy], "new", "the run night-1 is given twice"),
        "own id": ([first], "night-1", "the run night-1 has the id of this run"),
        "no run": ([folder], "new", "is no committed run"),
        "missing": ([folder / "gone"], "new", "is no committed run"),
    }[what]
    said = judge(campaign, tmp_path / "out", run_id, *history)
    assert (said.code, said.out) == (2, "")
    assert reason in said.err
    assert not (tmp_path / "out" / run_id).exists()


def cut_short(run: Path) -> None:
    path = run / DUPLICATES
    path.write_bytes(path.read_bytes()[:-1])


def changed(run: Path) -> None:
    path = run / DUPLICATES
    path.write_bytes(bytes((path.read_bytes()[0] ^ 1,)) + path.read_bytes()[1:])


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (cut_short, "bytes, listed are"),
        (changed, "its SHA-256 is not the listed one"),
        (lambda run: (run / DUPLICATES).unlink(), "listed, but not there"),
        (lambda run: (run / "SHA256SUMS").write_bytes(b""), "checksums-differ"),
        (parquet_changed(DUPLICATES, lambda table: table.drop_columns(["line"])), "cannot be read"),
    ],
)
def test_an_index_that_is_not_what_was_published(forge: Any, reason: str, folder: Path, tmp_path: Path) -> None:
    first = Path(shutil.copytree(folder / "out" / "night-1", tmp_path / "night-1"))
    forge(first)
    said = judge(folder / "2" / "campaign.json", tmp_path / "out", "night-2", first)
    assert (said.code, said.out) == (3, "")
    assert reason in said.err
    assert not list(tmp_path.glob("out/*"))


def test_a_run_of_a_release_without_indexes(tmp_path: Path) -> None:
    release = ROOT / "tests" / "releases" / "0.1.0"
    run = judged(release / "campaign" / "campaign.json", tmp_path, "again", release / "sample")
    before = read(release / "sample" / "manifest.json")["streams"]["annotations"]
    manifest = read(run / "manifest.json")
    assert manifest["streams"]["annotations"]["codes"]["duplicate-record"] == before["records"]["accepted"] + before[
        "codes"
    ].get("duplicate-record", 0)
    assert all(one["rows"] == before["records"]["accepted"] for one in manifest["history"][0]["identities"])


def test_an_index_has_a_row_for_each_accepted_record(folder: Path) -> None:
    table = pq.read_table(folder / "out" / "night-2" / DUPLICATES, partitioning=None)
    assert sorted(table.column("line").to_pylist()) == [5, 6, 7]
    assert table.schema.names == ["key", "stream", "shard", "line"]


def test_facts_are_not_held_against_earlier_ones(tmp_path: Path) -> None:
    """Tasks are exported every night, whether they are new or not."""
    first, second = pair(task_id="t-1"), pair(task_id="t-2", response_a="two")
    tasks = [json.dumps(issued(KIND, record)) + "\n" for record in (first, second)]
    runs: list[Path] = []
    for number, record in enumerate((first, second)):
        folder = tmp_path / str(number)
        path = write_campaign(folder, "a.jsonl", {}, {}, facts={"tasks": "tasks.jsonl"})
        (folder / "tasks.jsonl").write_text("".join(tasks), encoding="utf-8")
        (folder / "a.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
        runs.append(judged(path, tmp_path / "out", f"night-{number}", *runs))
    streams = read(runs[1] / "manifest.json")["streams"]
    assert {name: row["records"]["accepted"] for name, row in streams.items()} == {STREAM: 1, "tasks": 2}
    assert [path.name for path in (runs[1] / "identities").iterdir()] == [KIND]


def test_an_earlier_baseline_stays(tmp_path: Path) -> None:
    """It is accepted already: what is found of the two is found on the new one."""
    again = {"expiration": {"expiresInDays": 1}}
    earlier = {name: measured({"name": name}) for name in ("1.yaml", "2.yaml", "3.yaml", "4.yaml")}
    later = {
        "1.yaml": earlier["1.yaml"],
        "2.yaml": measured({"name": "2.yaml"}, generatedAt="2026-08-03T12:00:00Z"),
        "3.yaml": measured({"name": "3.yaml"}, generatedAt="2026-08-02T12:00:00Z", **again),
        "4.yaml": measured({"name": "4.yaml"}, generatedAt="2026-08-04T12:00:00Z", **again),
    }
    runs: list[Path] = []
    for number, documents in enumerate((earlier, later)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, value in documents.items():
            (folder / name).write_text(emitted_text(signed(value)), encoding="utf-8")
        path = write_campaign(folder, "*.yaml", {"streams": {STREAM: {"format": "documents"}}}, {}, VERSION)
        runs.append(judged(path, tmp_path / "out", f"night-{number}", *runs))
    ran = Ran(0, "", runs[1])
    assert {row["shard"]: [one["code"] for one in row["findings"]] for row in ran.refused("rejected")} == {
        "1.yaml": ["duplicate-record"],
        "2.yaml": ["identity-collision"],
        "3.yaml": ["superseded-baseline"],
    }
    related = {row["shard"]: row["findings"][0]["related"] for row in ran.refused("rejected")}
    assert {name: [(one["shard"], one["run"]["run_id"]) for one in places] for name, places in related.items()} == {
        name: [(name, "night-0")] for name in related
    }
