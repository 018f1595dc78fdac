"""The campaign with rubrics on other machines, in other blocks and shards, and without some of the facts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import processes
import pytest
from acceptance_runs import DECIDED, Record, changed, decisions, found, lines_of, one_spelling, task_of
from commands import assay, run
from golden_campaigns import Ran, by_plain_functions
from test_golden import agree

# whatever the machine, the blocks, and the order in which evidence comes


def test_workers_of_several_processes_give_the_same_bytes(sample: Path, ran: Ran, tmp_path: Path) -> None:
    done = processes.assay("run", sample, "--output", tmp_path, "--run-id", "golden", "--quiet", *processes.workers(2))
    assert (done.returncode, done.stderr) == (0, "")
    assert agree(tmp_path / "golden", ran.folder)


def test_cuts_into_blocks_change_no_decision(sample: Path, ran: Ran, tmp_path: Path) -> None:
    path = changed(sample, tmp_path, lambda manifest: manifest["limits"].update(block_bytes=1024))
    done = processes.assay("run", path, "--output", tmp_path, "--run-id", "golden", "--quiet", *processes.workers(2))
    assert (done.returncode, done.stderr) == (0, "")
    cut = Ran(0, "", tmp_path / "golden")
    assert len(list((cut.folder / "decisions" / "annotations").iterdir())) > 20
    assert decisions(cut) == decisions(ran)
    assert found(cut) == found(ran)
    assert cut.manifest["streams"] == ran.manifest["streams"]
    assert agree(by_plain_functions(path, tmp_path / "plain").folder, cut.folder)


def giver(line: bytes) -> str:
    """Who gave a piece of evidence."""
    value = json.loads(line)
    return one_spelling(value.get("reviewer", value.get("adjudicator", value["record_sha256"][0])))


def rearranged(sample: Path, output: Path) -> Path:
    """The campaign with evidence in other shards: one for each who gave it, in the reverse order of their names."""
    folder = output / "rearranged"
    shutil.copytree(sample.parent, folder)
    for stream in ("reviews", "adjudications", "code-executions", "assignments", "safety-annotations"):
        lines = lines_of(sample, stream)
        for shard in (folder / "shards").glob(f"{stream}-*.jsonl"):
            shard.unlink()
        for number, name in enumerate(sorted({giver(line) for line in lines}, reverse=True)):
            own = [line for line in lines if giver(line) == name]
            path = folder / "shards" / f"{stream}-{number:05d}.jsonl"
            path.write_bytes(b"".join(line + b"\n" for line in own))
    return folder / "campaign.json"


def essence(row: Record) -> Record:
    """A decision without the order in which evidence came and without which of several alike is named for a gate."""
    lists = ("accepting", "rejecting", "dissent", "reviews", "adjudications", "executions")
    gates = [(gate["gate"], gate["answer"], gate["detail"]) for gate in row["gates"]]
    criteria = [criterion | {"scores": sorted(criterion["scores"])} for criterion in row["criteria"]]
    return row | {name: sorted(row[name], key=repr) for name in lists} | {"gates": gates, "criteria": criteria}


def test_the_order_of_evidence_decides_nothing(sample: Path, ran: Ran, tmp_path: Path) -> None:
    path = rearranged(sample, tmp_path)
    assert len(list((path.parent / "shards").glob("reviews-*.jsonl"))) == 9
    other = Ran(0, "", run(path, tmp_path))
    assert list(map(essence, decisions(other))) == list(map(essence, decisions(ran)))
    assert decisions(other) != decisions(ran)
    for name, stream in ran.manifest["streams"].items():
        assert other.manifest["streams"][name] == stream


# without some of the facts


def test_without_documents_nothing_is_known_of_sources(sample: Path, tmp_path: Path) -> None:
    def change(manifest: Record) -> None:
        del manifest["streams"]["documents"]
        manifest["without"] = ["documents"]

    ran = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path))
    lines = (*lines_of(sample, "answers"), *lines_of(sample, "clinical"))
    cites = {value["task_id"]: bool(value["citations"]) for value in map(json.loads, lines)}
    about = [row for row in decisions(ran) if row["stream"] in ("answers", "clinical")]
    assert len(about) == len(cites) - 1
    for row in about:
        answer = {gate["gate"]: gate["answer"] for gate in row["gates"]}
        silent = "missing" if cites[task_of(sample, row)] else "pass"
        assert (answer["source_integrity"], answer["quote_alignment"]) == (silent, silent)
        assert row["outcome"] != "accepted" or silent == "pass"


def test_without_evidence_all_that_needs_it_is_held(sample: Path, tmp_path: Path) -> None:
    def change(manifest: Record) -> None:
        for name in ("reviews", "adjudications", "code-executions", "safety-annotations"):
            del manifest["streams"][name]
        manifest["without"] = ["adjudications", "code-executions", "reviews"]

    ran = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path))
    books = {name: ran.manifest["streams"][name]["records"] for name in DECIDED}
    assert [row["accepted"] for row in books.values()] == [0, 0, 0, 0]
    codes = {code for name in DECIDED for code in ran.manifest["streams"][name]["codes"]}
    # Machines still find what is wrong with code, quotations and final answers.
    assert {f"gate-failed/{gate}" for gate in ("syntax_valid", "quote_alignment", "answer_matches")} <= codes
    assert {"gate-failed/required_tests_pass", "gate-failed/claim_support", "review-disagreement"} & codes == set()


@pytest.mark.parametrize("other", [{"language": "rust"}, {"version": "3.12"}], ids=["language", "version"])
def test_code_that_no_evaluator_judges_is_held(other: Record, sample: Path, ran: Ran, tmp_path: Path) -> None:
    path = changed(
        sample, tmp_path, lambda manifest: manifest["streams"]["annotations"]["acceptance"]["code"].update(other)
    )
    said = assay("run", path, "--output", tmp_path, "--run-id", "golden", "--quiet")
    assert said.code == 0
    assert "assay: warning: acceptance-limited: /streams/annotations/acceptance/code: " in said.err
    held = Ran(0, "", tmp_path / "golden")
    assert agree(by_plain_functions(path, tmp_path / "plain").folder, held.folder)
    before, after = (
        {place(row): row for row in decisions(one) if row["stream"] == "annotations"} for one in (ran, held)
    )
    assert before.keys() == after.keys()
    accepted = {at for at, row in before.items() if row["outcome"] == "accepted"}
    assert len(accepted) > 10
    assert {(after[at]["outcome"], *after[at]["codes"]) for at in accepted} == {("held", "gate-evidence-missing")}
    assert "accepted" not in {row["outcome"] for row in after.values()}


def place(row: Record) -> tuple[str, int]:
    return row["shard"], row["line"]
