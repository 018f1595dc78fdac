"""The campaign of every kind: each fault is found where it stands, with facts and without them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import processes
import pytest
from commands import assay, read, run
from golden_campaigns import Ran, by_plain_functions
from test_golden import agree
from test_sample import COMMITTED, differing

from pipeline.catalogue import catalogue
from pipeline.sample.groups import GROUPS
from pipeline.sample.pairwise import FAULTS
from pipeline.sample.scenarios import SCENARIOS
from pipeline.stream_settings import raised_by
from transforms.joins.table import JOINS
from transforms.kinds import FACTS, KINDS
from transforms.records import Severity

RECORDS = 50
CAMPAIGN, STANDALONE = "campaign.json", "standalone.json"
NAMES = pytest.mark.parametrize("name", [CAMPAIGN, STANDALONE])
WARNINGS = {code.code for code in catalogue().values() if code.severity is Severity.WARN}
# Codes that nothing but a fact can give. The others of a join with facts are given within a record too.
FACT_CODES = {code.code for join in JOINS if join.fact in FACTS for code in join.codes} - {
    code.code for kind in KINDS.values() for rule in kind.rules for code in rule.codes
}
# No task here states a domain, and no policy is for it: the campaign with rubrics has that case.
FACT_CODES -= {"domain-mismatch"}


@dataclass(frozen=True)
class Row:
    """A row of expected.json."""

    stream: str
    line: int
    code: str
    facts: bool


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kinds") / "sample"
    said = assay("sample", "--kinds", "--output", folder, "--records", str(RECORDS))
    path = folder / CAMPAIGN
    assert (said.code, said.out, said.err) == (0, f"{path}\nnext: assay run {path} --output out\n", "")
    return folder


@pytest.fixture(scope="module")
def runs(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Both campaigns, run by the command."""
    output = tmp_path_factory.mktemp("runs")
    return {name: Ran(0, "", run(sample / name, output / name)) for name in (CAMPAIGN, STANDALONE)}


@pytest.fixture(scope="module")
def expected(sample: Path) -> list[Row]:
    return [Row(**row) for row in read(sample / "expected.json")]


def found(ran: Ran) -> dict[tuple[str, int], list[str]]:
    """The codes of every refused record, by stream and line."""
    return {
        (stream, int(line)): codes for stream in ran.manifest["streams"] for line, codes in ran.lines(stream).items()
    }


def refusals(ran: Ran, expected: list[Row], *absent: str) -> dict[tuple[str, int], list[str]]:
    """What `found` must give for the subject streams in a campaign without some facts."""
    silent = {code.code for join in JOINS if join.fact in absent for code in join.codes}
    refused = {
        (row.stream, row.line): [row.code]
        for row in expected
        if row.stream != "tasks" and row.code not in WARNINGS and not (row.facts and row.code in silent)
    }
    # Groups of two preference pairs stand at the end of their stream; a code that one of the two has is the second's.
    first = ran.manifest["streams"]["annotations"]["records"]["read"] - 2 * len(GROUPS) + 1
    for index, group in enumerate(GROUPS):
        for which in (0, 1):
            codes = sorted(code for code, count in group.codes.items() if count == 2 or which == 1)
            if codes:
                refused["annotations", first + 2 * index + which] = codes
    return refused


def test_the_committed_campaign_is_what_the_command_writes(sample: Path) -> None:
    assert differing(sample, COMMITTED.parent / "kinds") == []


@NAMES
def test_both_campaigns_are_fit_to_run(sample: Path, name: str) -> None:
    said = assay("check", sample / name)
    assert (said.code, said.out, said.err) == (0, f"{sample / name}: fit to run\n", "")


@NAMES
def test_both_ways_to_run_give_the_same_bytes(sample: Path, runs: dict[str, Ran], name: str, tmp_path: Path) -> None:
    assert agree(by_plain_functions(sample / name, tmp_path).folder, runs[name].folder)


def test_workers_of_several_processes_give_the_same_bytes(sample: Path, runs: dict[str, Ran], tmp_path: Path) -> None:
    done = processes.assay(
        "run", sample / CAMPAIGN, "--output", tmp_path, "--run-id", "golden", "--quiet", *processes.workers(2)
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert agree(tmp_path / "golden", runs[CAMPAIGN].folder)


def test_cuts_into_blocks_change_no_finding(sample: Path, runs: dict[str, Ran], tmp_path: Path) -> None:
    """Texts of one document and the quotations from it are then parked in many files."""
    path = changed(sample, tmp_path, lambda manifest: manifest["limits"].update(block_bytes=1024))
    cut, whole = Ran(0, "", run(path, tmp_path)), runs[CAMPAIGN]
    assert len(list((cut.folder / "accepted" / "documents").iterdir())) > 10
    assert agree(by_plain_functions(path, tmp_path / "plain").folder, cut.folder)
    for outcome in ("rejected", "held"):
        rows = [sorted(ran.refused(outcome), key=lambda row: (row["stream"], row["line"])) for ran in (cut, whole)]
        assert rows[0] == rows[1]
    assert cut.manifest["streams"] == whole.manifest["streams"]


@NAMES
def test_the_runs_are_whole(runs: dict[str, Ran], name: str) -> None:
    said = assay("verify", runs[name].folder, "--inputs")
    assert (said.code, said.out, said.err) == (0, f"{runs[name].folder}: whole\n", "")


def test_every_fault_is_expected(expected: list[Row]) -> None:
    codes = Counter(row.code for row in expected)
    assert codes == Counter((*(scenario.code for scenario in SCENARIOS), *(fault.code for fault in FAULTS)))
    assert {row.code for row in expected if row.facts} == FACT_CODES | {
        "evidence-digest-mismatch",
        "document-digest-mismatch",
    }


def test_with_facts_each_record_has_what_is_expected_and_no_other_has_any(
    runs: dict[str, Ran], expected: list[Row]
) -> None:
    ran = runs[CAMPAIGN]
    of_tasks = {place: codes for place, codes in found(ran).items() if place[0] == "tasks"}
    assert found(ran) == refusals(ran, expected) | of_tasks
    # Tasks are issued for the groups as well, and repeat or contradict each other as these do.
    assert Counter(code for codes in of_tasks.values() for code in codes) == {
        "duplicate-record": 2,
        "task-conflict": 2,
        "unusable-expected-answer": 1,
    }
    assert all(of_tasks[row.stream, row.line] == [row.code] for row in expected if row.stream == "tasks")


def test_warnings_are_counted_and_refuse_nothing(runs: dict[str, Ran], expected: list[Row]) -> None:
    warned = {name: stream["warned"] for name, stream in runs[CAMPAIGN].manifest["streams"].items() if stream["warned"]}
    # Both records whose ids look alike have the code.
    assert warned == {
        "answers": {"look-alike-id": 2},
        "tasks": {"look-alike-id": 2},
        "traces": {"latency-mismatch": 1},
    }
    rows = {(row.stream, row.line) for row in expected if row.code in WARNINGS}
    assert {stream for stream, _ in rows} == {"answers", "traces"}
    assert rows & found(runs[CAMPAIGN]).keys() == set()


def test_without_facts_all_else_is_found(runs: dict[str, Ran], expected: list[Row]) -> None:
    ran = runs[STANDALONE]
    streams = ran.manifest["streams"]
    assert streams.keys() == {"annotations", "answers", "conversations", "derivations", "traces"}
    assert found(ran) == refusals(ran, expected, *FACTS)
    assert {code for stream in streams.values() for code in stream["codes"]} & FACT_CODES == set()


def test_the_books_of_facts(runs: dict[str, Ran]) -> None:
    books = {name: stream["records"] for name, stream in runs[CAMPAIGN].manifest["streams"].items()}
    for name in ("assignments", "documents", "executions"):
        assert books[name]["read"] == books[name]["accepted"] > 0
    assert books["tasks"]["held"] == 0


# facts that are missing, and facts that are absent


def changed(sample: Path, output: Path, change: Any) -> Path:
    """A copy of the campaign with facts, its manifest changed; it reads the same shards."""
    manifest = read(sample / CAMPAIGN)
    for stream in manifest["streams"].values():
        stream["input"] = str(sample / stream["input"])
    rubrics = {
        "rubrics": {name: row | {"path": str(sample / row["path"])} for name, row in manifest["rubrics"].items()}
    }
    manifest |= rubrics
    change(manifest)
    path = output / CAMPAIGN
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return path


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_must_be_there_or_declared_absent(sample: Path, fact: str, tmp_path: Path) -> None:
    neither = changed(sample, tmp_path, lambda manifest: manifest["streams"].pop(fact))
    message = f"undeclared-absence: /without: there are no {fact}; add them, or list '{fact}' here\n"
    assert assay("check", neither).out == message
    both = changed(sample, tmp_path, lambda manifest: manifest.update({"without": [fact]}))
    message = f"undeclared-absence: /without/0: says there are no {fact}, and there are\n"
    assert assay("check", both).out == message


def test_several_absences_are_all_told(sample: Path, tmp_path: Path) -> None:
    def change(manifest: Any) -> None:
        for name in (*FACTS, "assignments"):
            del manifest["streams"][name]
        manifest["rubrics"] = {}

    said = assay("check", changed(sample, tmp_path, change), "--format", "json")
    assert (said.code, said.findings) == (2, [("undeclared-absence", "/without")] * 4)


JOINED_WITH = {
    "documents": {"unknown-document": ("answers", "conversations")},
    "executions": {"unlogged-call": ("conversations", "traces")},
    "tasks": {"unknown-task": ("annotations", "answers", "conversations", "derivations", "traces")},
}


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_that_is_missing_refuses_all_that_needs_it(sample: Path, fact: str, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_bytes(b"")

    def change(manifest: Any) -> None:
        manifest["streams"][fact]["input"] = str(tmp_path / "none.jsonl")

    streams = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path)).manifest["streams"]
    ((code, needing),) = JOINED_WITH[fact].items()
    assert tuple(name for name, stream in sorted(streams.items()) if code in stream["codes"]) == needing
    assert all(streams[name]["records"]["accepted"] == 0 for name in needing)


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_that_is_absent_asks_nothing(sample: Path, expected: list[Row], fact: str, tmp_path: Path) -> None:
    def change(manifest: Any) -> None:
        del manifest["streams"][fact]
        manifest["without"] = [fact]

    ran = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path))
    of_subjects = {place: codes for place, codes in found(ran).items() if place[0] != "tasks"}
    assert of_subjects == refusals(ran, expected, fact)


@pytest.mark.parametrize("action", ["hold", "allow"])
def test_policies_for_what_facts_say(sample: Path, runs: dict[str, Ran], action: str, tmp_path: Path) -> None:
    def change(manifest: Any) -> None:
        for stream in manifest["streams"].values():
            own = (code for code in sorted(FACT_CODES) if stream["kind"] in raised_by(code))
            stream["joins"] = dict.fromkeys(own, action)

    ran = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path))
    by_facts = {place: codes for place, codes in found(runs[CAMPAIGN]).items() if set(codes) <= FACT_CODES}
    assert len(by_facts) == len(FACT_CODES) - len(WARNINGS & FACT_CODES)
    held = {(row["stream"], row["line"]) for row in ran.refused("held")}
    assert by_facts.keys() & held == (by_facts.keys() if action == "hold" else set())
    assert by_facts.keys() & {(row["stream"], row["line"]) for row in ran.refused("rejected")} == set()
    before = runs[CAMPAIGN].manifest["streams"]
    assert {name: stream["codes"] for name, stream in ran.manifest["streams"].items()} == {
        name: stream["codes"] for name, stream in before.items()
    }
