"""The campaign of baselines: each fault is found where it stands, in files and in lines, and nothing else is."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import processes
import pyarrow.parquet as pq
import pytest
from commands import assay, read, run
from golden_campaigns import Ran, by_command, by_plain_functions
from test_golden import agree
from test_sample import COMMITTED, differing, files_of

from pipeline.sample.baselines.campaign import write_baselines_sample
from pipeline.sample.baselines.faults import CHANGES
from pipeline.sample.baselines.rewrites import REWRITES
from pipeline.verify import verify_run
from transforms.baselines import fingerprint
from transforms.baselines.derived import FINGERPRINT_FORM, IDENTITY
from transforms.joins import remeasurements
from transforms.parsing import json_reference, yaml_strict
from transforms.rules import mavai_baseline
from transforms.shards.lines import BLANK_RECORD
from transforms.structure import MISSING_VERSION, UNSUPPORTED_VERSION

RECORDS = 60
STREAMS = ("baselines", "exported")
WARNING = "failure-input-unknown"
# All that a baseline can get; of the schema's keywords those that the campaign breaks.
CODES = {
    row.code
    for row in (
        *mavai_baseline.CODES,
        *fingerprint.CODES,
        *remeasurements.CODES,
        *yaml_strict.PRECEDENCE,
        json_reference.INVALID_JSON,
        BLANK_RECORD,
        MISSING_VERSION,
        UNSUPPORTED_VERSION,
    )
} | {"duplicate-record"}
KEYWORDS = (
    "const enum exclusiveMaximum exclusiveMinimum maxLength maximum minLength minProperties minimum required type"
)

Found = dict[tuple[str, str, int], list[str]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("baselines") / "sample"
    said = assay("sample", "--baselines", "--output", folder, "--records", str(RECORDS), "--seed", "1")
    path = folder / "campaign.json"
    assert (said.code, said.out, said.err) == (0, f"{path}\nnext: assay run {path} --output out\n", "")
    return path


@pytest.fixture(scope="module")
def ran(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The campaign, run by the command."""
    return Ran(0, "", run(sample, tmp_path_factory.mktemp("run")))


def found(ran: Ran) -> Found:
    """The codes of every refused record, each finding once, by where it stands."""
    rows = [row for outcome in ("rejected", "held") for row in ran.refused(outcome)]
    places = {(row["stream"], row["shard"], row["line"]): [each["code"] for each in row["findings"]] for row in rows}
    assert len(places) == len(rows)
    return places


def expected(campaign: Path) -> Found:
    """What `found` must give."""
    rows = read(campaign.with_name("expected.json"))
    places = {(row["stream"], row["shard"], row["line"]): [row["code"]] for row in rows if row["code"] != WARNING}
    assert len(places) == len(rows) - 1
    return places


def books(ran: Ran) -> Counter[str]:
    """The records of both streams together."""
    return sum((Counter(ran.manifest["streams"][name]["records"]) for name in STREAMS), Counter())


def test_the_committed_campaign_is_what_the_command_writes(sample: Path) -> None:
    assert differing(sample.parent, COMMITTED.parent / "baselines") == []


def test_the_committed_campaign_is_small() -> None:
    folder = COMMITTED.parent / "baselines"
    names = files_of(folder)
    assert len(names) < 150
    assert sum((folder / name).stat().st_size for name in names) < 400_000


def test_the_seed_decides_the_bytes(sample: Path, tmp_path: Path) -> None:
    again, other = (write_baselines_sample(tmp_path / name, RECORDS, seed) for name, seed in (("1", 1), ("2", 2)))
    assert differing(again.parent, sample.parent) == []
    same = set(files_of(other.parent)) - set(differing(other.parent, sample.parent))
    (blank,) = (row["shard"] for row in read(other.with_name("expected.json")) if _is_blank_file(row))
    assert same == {"campaign.json", "expected.json", f"baselines/{blank}"}


def _is_blank_file(row: dict[str, Any]) -> bool:
    return (row["stream"], row["code"]) == ("baselines", BLANK_RECORD.code)


def test_it_is_fit_to_run(sample: Path) -> None:
    said = assay("check", sample)
    assert (said.code, said.out, said.err) == (0, f"{sample}: fit to run\n", "")


@pytest.mark.parametrize("other", ["--kinds", "--acceptance"])
def test_it_is_of_one_sort(other: str, tmp_path: Path) -> None:
    said = assay("sample", "--baselines", other, "--output", tmp_path / "new")
    complaint = "assay: --kinds, --baselines, --acceptance and --workbench exclude each other: give one\n"
    assert (said.code, said.out, said.err) == (2, "", complaint)
    assert not (tmp_path / "new").exists()


def test_both_ways_to_run_give_the_same_bytes(sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = by_plain_functions(sample, tmp_path / "plain")
    command = by_command(sample, tmp_path / "command", capsys)
    assert (command.code, command.complaint) == (0, "")
    assert agree(plain.folder, command.folder)
    assert found(plain) == found(command) == expected(sample)
    assert verify_run(command.folder) == ()


def test_workers_of_several_processes_give_the_same_bytes(sample: Path, ran: Ran, tmp_path: Path) -> None:
    done = processes.assay("run", sample, "--output", tmp_path, "--run-id", "golden", "--quiet", *processes.workers(2))
    assert (done.returncode, done.stderr) == (0, "")
    assert agree(tmp_path / "golden", ran.folder)


def test_the_run_is_whole(ran: Ran) -> None:
    said = assay("verify", ran.folder, "--inputs")
    assert (said.code, said.out, said.err) == (0, f"{ran.folder}: whole\n", "")


def test_every_code_is_there(sample: Path) -> None:
    codes = {row["code"] for row in read(sample.with_name("expected.json"))}
    assert codes == CODES | {f"schema/{keyword}" for keyword in KEYWORDS.split()}
    assert {fault.code for fault in (*CHANGES, *REWRITES)} == codes - {"duplicate-record"} - {
        row.code for row in remeasurements.CODES
    }


def test_each_record_has_what_is_expected_and_no_other_has_any(sample: Path, ran: Ran) -> None:
    assert found(ran) == expected(sample)
    refused = Counter(stream for stream, _, _ in expected(sample))
    for name in STREAMS:
        records = ran.manifest["streams"][name]["records"]
        assert (records["rejected"], records["held"]) == (refused[name], 0)
        assert records["read"] == records["accepted"] + refused[name]
    # Beside the honest ones: a copy's original, two latest measurements, four that are near, and the warned one.
    assert books(ran)["accepted"] == RECORDS + 1 + 2 + 4 + 1


def test_a_warning_refuses_nothing(sample: Path, ran: Ran) -> None:
    (row,) = (row for row in read(sample.with_name("expected.json")) if row["code"] == WARNING)
    warned = {name: stream["warned"] for name, stream in ran.manifest["streams"].items()}
    assert warned == {name: {WARNING: 1} if name == row["stream"] else {} for name in STREAMS}


def test_which_form_verified(sample: Path, ran: Ran) -> None:
    """Texts by their own bytes, objects by the rebuilt ones; and no identity is there twice."""
    forms, identities = Counter[tuple[str, str]](), Counter[str]()
    for name in STREAMS:
        for path in sorted((ran.folder / "accepted" / name).iterdir()):
            table = pq.read_table(path, columns=[FINGERPRINT_FORM, IDENTITY])
            forms.update((name, form) for form in table[FINGERPRINT_FORM].to_pylist())
            identities.update(table[IDENTITY].to_pylist())
    assert forms.keys() == {(name, form) for name in STREAMS for form in ("text", "emitter-text")}
    assert set(identities.values()) == {1}
    assert identities.total() == forms.total() == books(ran)["accepted"]


def test_cuts_into_blocks_change_no_finding(sample: Path, ran: Ran, tmp_path: Path) -> None:
    manifest: dict[str, Any] = read(sample)
    manifest["limits"]["block_bytes"] = 1024
    for stream in manifest["streams"].values():
        patterns = stream["input"] if isinstance(stream["input"], list) else [stream["input"]]
        stream["input"] = [str(sample.parent / pattern) for pattern in patterns]
    path = tmp_path / "campaign.json"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    cut = Ran(0, "", run(path, tmp_path))
    assert all(len(list((cut.folder / "accepted" / name).iterdir())) > 10 for name in STREAMS)
    assert found(cut) == found(ran)
    assert cut.manifest["streams"] == ran.manifest["streams"]


@pytest.mark.parametrize(("records", "seed"), [(1, 1), (30, 2), (300, 3)])
def test_a_run_finds_what_is_expected(records: int, seed: int, tmp_path: Path) -> None:
    path = write_baselines_sample(tmp_path / "sample", records, seed)
    ran = Ran(0, "", run(path, tmp_path))
    assert found(ran) == expected(path)
    assert books(ran)["accepted"] == records + 8
