"""The campaign with rubrics: each record is decided as it must be, and for the reason that it must be."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from acceptance_runs import DECIDED, RECORDS, Rows, expected, found
from commands import assay, read, run
from golden_campaigns import Ran, by_plain_functions
from source_tree import ROOT
from test_golden import agree
from test_sample import COMMITTED, differing, files_of

from pipeline.sample.acceptance.campaign import CASES, write_acceptance_sample
from transforms.acceptance import decision_codes
from transforms.acceptance.gate_names import GATE_NAMES
from transforms.joins import evidence as evidence_join
from transforms.rules import code_execution, evidence, review, safety_annotation

FAMILIES = {decision_codes.GATE_FAILED.code, decision_codes.CRITERION_BELOW_MINIMUM.code}


# the campaign and its run


def test_the_committed_campaign_is_what_the_command_writes(sample: Path) -> None:
    assert differing(sample.parent, COMMITTED.parent / "acceptance") == []


def test_the_committed_campaign_is_small() -> None:
    folder = COMMITTED.parent / "acceptance"
    names = files_of(folder)
    assert len(names) == 21
    assert sum((folder / name).stat().st_size for name in names) < 650_000


def test_the_seed_decides_the_bytes(sample: Path, tmp_path: Path) -> None:
    again, other = (write_acceptance_sample(tmp_path / name, RECORDS, seed) for name, seed in (("1", 1), ("2", 2)))
    assert differing(again.parent, sample.parent) == []
    # Names of cases and what is done with them are the same whatever the seed; reviews name the records' new bytes.
    same = set(files_of(other.parent)) - set(differing(other.parent, sample.parent))
    assert {"rubrics/code-review-v1.json", "test-suites.json", "shards/documents-00000.jsonl"} <= same
    assert "shards/annotations-00000.jsonl" not in same


def test_the_rubric_for_code_is_the_documented_one(sample: Path) -> None:
    page = (ROOT / "docs" / "rubrics.md").read_text(encoding="utf-8")
    documented = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert documented is not None
    assert json.loads(documented[1]) == read(sample.parent / "rubrics" / "code-review-v1.json")


def test_it_is_fit_to_run(sample: Path) -> None:
    said = assay("check", sample)
    assert (said.code, said.out, said.err) == (0, f"{sample}: fit to run\n", "")


def test_it_is_of_one_sort(tmp_path: Path) -> None:
    said = assay("sample", "--acceptance", "--kinds", "--output", tmp_path / "new")
    complaint = "assay: --kinds, --baselines, --acceptance and --workbench exclude each other: give one\n"
    assert (said.code, said.out, said.err) == (2, "", complaint)
    assert not (tmp_path / "new").exists()


def test_both_ways_to_run_give_the_same_bytes(sample: Path, ran: Ran, tmp_path: Path) -> None:
    assert agree(by_plain_functions(sample, tmp_path).folder, ran.folder)


def test_the_run_is_whole(ran: Ran) -> None:
    said = assay("verify", ran.folder, "--inputs")
    assert (said.code, said.out, said.err) == (0, f"{ran.folder}: whole\n", "")


def test_each_record_has_what_is_expected_and_no_other_has_any(sample: Path, ran: Ran) -> None:
    assert found(ran) == expected(sample)
    for stream in ran.manifest["streams"].values():
        assert stream["warned"] == {}


@pytest.mark.parametrize(("records", "seed"), [(1, 1), (90, 2)])
def test_a_run_finds_what_is_expected(records: int, seed: int, tmp_path: Path) -> None:
    path = write_acceptance_sample(tmp_path / "sample", records, seed)
    ran = Ran(0, "", run(path, tmp_path))
    assert found(ran) == expected(path)
    accepted = sum(not case.codes for case in CASES) + records
    assert sum(ran.manifest["streams"][name]["records"]["accepted"] for name in DECIDED) == accepted


# every branch


def test_every_code_is_there(sample: Path) -> None:
    codes = {code for codes in expected(sample).values() for code in codes}
    modules = (decision_codes, evidence_join, evidence, review, code_execution, safety_annotation)
    assert {code.code for module in modules for code in module.CODES} - codes == FAMILIES
    assert {f"gate-failed/{gate.name}" for gate in GATE_NAMES} <= codes
    assert {code for code in codes if code.startswith("criterion-below-minimum/")} == {
        f"criterion-below-minimum/{name}"
        for name in (
            *("correctness", "instruction_adherence", "reasoning_evidence", "readability"),
            "patient_applicability",
        )
    }


def test_each_stream_has_every_outcome(ran: Ran) -> None:
    for name in DECIDED:
        books = ran.manifest["streams"][name]["records"]
        assert min(books["accepted"], books["rejected"], books["held"]) > 0
        # One answer says of itself that it is not clinical, against its task, and is refused before.
        undecided = 1 if name == "answers" else 0
        assert books["read"] == ran.manifest["streams"][name]["acceptance"]["decided"] + undecided


def test_every_gate_has_every_answer(rows: Rows) -> None:
    answers = defaultdict(set)
    for row in rows.values():
        for gate in row["gates"]:
            answers[gate["gate"]].add(gate["answer"])
    every = {"pass", "fail", "missing"}
    # Whether sources are there is always answered where there are documents to hold them against.
    assert answers == {gate.name: every for gate in GATE_NAMES} | {"source_integrity": {"pass", "fail"}}


def test_disagreement_is_held_or_rejected_as_the_rubric_says(rows: Rows) -> None:
    split = ("one-to-two", "one-to-one-held", "answer-one-to-one", "clinical-one-to-one", "derivation-one-to-one")
    assert [(rows[name]["outcome"], rows[name]["codes"]) for name in split] == [
        *[("held", ["review-disagreement"])] * 4,
        ("rejected", ["review-disagreement"]),
    ]
