"""Comparisons of the A/B interface as a campaign: found where they stand, kept whole, joined, verified."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import rfc8785
from commands import assay, read, run
from golden_campaigns import Ran, by_plain_functions
from tampering import seal
from test_golden import agree
from test_sample import COMMITTED, differing

from pipeline.sample.bundles import pairwise_task
from pipeline.sample.manifest import shipped_pins
from pipeline.sample.pairwise import line
from pipeline.sample.workbench import FAULTS, LEFT_IN_SOURCE, SOURCE
from transforms.adapters import workbench_ab
from transforms.digests import merkle_root

RECORDS = 40
STREAM = "comparisons"
SHARD = f"{STREAM}-00000.jsonl"
ACCEPTED = f"accepted/{STREAM}/{SHARD}-b00000.parquet"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workbench") / "sample"
    said = assay("sample", "--workbench", "--output", folder, "--records", str(RECORDS))
    path = folder / "campaign.json"
    assert (said.code, said.out, said.err) == (0, f"{path}\nnext: assay run {path} --output out\n", "")
    return path


@pytest.fixture(scope="module")
def ran(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return Ran(0, "", run(sample, tmp_path_factory.mktemp("ran")))


def lines_of(sample: Path) -> list[bytes]:
    return (sample.parent / "shards" / SHARD).read_bytes().splitlines()


def refused(ran: Ran) -> dict[int, dict[str, Any]]:
    rows = [row for outcome in ("rejected", "held") for row in ran.refused(outcome)]
    return {row["line"]: row for row in rows if row["stream"] == STREAM}


def accepted(folder: Path) -> list[dict[str, Any]]:
    files = sorted((folder / "accepted" / STREAM).glob("*.parquet"))
    return [row for file in files for row in pq.read_table(file, partitioning=None).to_pylist()]


def changed(sample: Path, folder: Path, change: Any) -> Path:
    """The campaign with another manifest; it reads the same shards unless that says otherwise."""
    folder.mkdir(exist_ok=True)
    manifest = read(sample)
    for stream in manifest["streams"].values():
        stream["input"] = str(sample.parent / stream["input"])
    for pin in manifest["rubrics"].values():
        pin["path"] = str(sample.parent / pin["path"])
    change(manifest)
    path = folder / "campaign.json"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return path


def test_the_committed_campaign_is_what_the_command_writes(sample: Path) -> None:
    assert differing(sample.parent, COMMITTED.parent / "workbench") == []


def test_it_is_fit_to_run(sample: Path) -> None:
    said = assay("check", sample)
    assert (said.code, said.out, said.err) == (0, f"{sample}: fit to run\n", "")


def test_each_fault_is_found_where_it_stands_and_nothing_else_is(sample: Path, ran: Ran) -> None:
    expected = read(sample.with_name("expected.json"))
    assert {code.code for code in workbench_ab.CODES} <= {row["code"] for row in expected}
    found = {
        number: [(finding["code"], finding["pointer"]) for finding in row["findings"]]
        for number, row in refused(ran).items()
    }
    assert found == {row["line"]: [(row["code"], row["pointer"])] for row in expected}
    assert len(found) == len(FAULTS) + 1


def test_both_ways_to_run_give_the_same_bytes(sample: Path, ran: Ran, tmp_path: Path) -> None:
    assert agree(by_plain_functions(sample, tmp_path).folder, ran.folder)


def test_refused_records_keep_the_source_whole(sample: Path, ran: Ran) -> None:
    lines = lines_of(sample)
    for number, row in refused(ran).items():
        data = lines[number - 1]
        assert row["raw"].encode() == data
        assert (row["record_sha256"], row["byte_length"]) == (sha256(data).hexdigest(), len(data))


def test_accepted_records_stand_beside_their_source(sample: Path, ran: Ran) -> None:
    lines, rows = lines_of(sample), accepted(ran.folder)
    assert len(rows) == RECORDS
    offset = 0
    for number, row in enumerate(rows, 1):
        data = lines[number - 1]
        value = workbench_ab.adapt(json.loads(data), frozenset(LEFT_IN_SOURCE))
        kept = rfc8785.dumps(value)
        assert (row["assay_archival_bytes"], row["assay_record_sha256"]) == (kept, sha256(kept).hexdigest())
        assert (row["assay_source_bytes"], row["assay_source_sha256"]) == (data, sha256(data).hexdigest())
        assert (row["assay_line"], row["assay_byte_offset"], row["assay_byte_length"]) == (number, offset, len(data))
        assert (row["schema_version"], row["assay_schema_version"]) == ("pairwise-v2", "pairwise-v2")
        offset += len(data) + 1


def test_other_streams_have_no_columns_for_a_source(ran: Ran) -> None:
    [file] = (ran.folder / "accepted" / "annotations").glob("*.parquet")
    assert [name for name in pq.read_schema(file).names if name.startswith("assay_source")] == []


def test_the_manifest_names_the_adapter_and_its_source(ran: Ran) -> None:
    pin = shipped_pins([SOURCE])[SOURCE]["sha256"]
    streams = ran.manifest["streams"]
    assert streams[STREAM]["adapter"] == {"source": SOURCE, "version": "1", "schema_sha256": pin}
    assert "adapter" not in streams["annotations"]
    kept = f"campaign/schemas/{SOURCE}.json"
    assert {"role": "schema", "version": SOURCE, "path": kept, "sha256": pin} in ran.manifest["documents"]
    assert sha256((ran.folder / kept).read_bytes()).hexdigest() == pin


def test_joins_see_the_record_and_name_the_source(sample: Path, ran: Ran) -> None:
    [finding] = refused(ran)[RECORDS + len(FAULTS) + 1]["findings"]
    assert finding["related"] == [{"stream": "annotations", "shard": "annotations-00000.jsonl", "line": 1}]


def test_without_leave_a_criterion_of_its_own_refuses_every_record(sample: Path, tmp_path: Path) -> None:
    def change(manifest: Any) -> None:
        del manifest["streams"][STREAM]["adapter"]["left_in_source"]

    made = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path))
    assert made.manifest["streams"][STREAM]["records"]["accepted"] == 0
    rows = refused(made)
    pointers = {finding["pointer"] for number in range(1, RECORDS + 1) for finding in rows[number]["findings"]}
    assert pointers == {f"/criteria/{name}" for name in LEFT_IN_SOURCE}


@pytest.mark.parametrize("payload", ["raw", "digest-only"])
def test_facts_meet_the_record_and_refusals_keep_the_source(sample: Path, payload: str, tmp_path: Path) -> None:
    """A task that was issued with another answer, one that names another rubric, and no others."""
    values = [json.loads(data) for data in lines_of(sample)[:3]]
    tasks = [pairwise_task(workbench_ab.adapt(value, frozenset(LEFT_IN_SOURCE))) for value in values]
    tasks[1]["response_b"] += " Changed."
    tasks[2]["rubric_version"] = "code-review-v0"
    (tmp_path / "tasks.jsonl").write_bytes(b"".join(line(task) + b"\n" for task in tasks))

    def change(manifest: Any) -> None:
        manifest["schemas"] |= shipped_pins(["input-task-v1"])
        manifest["streams"]["tasks"] = {
            "kind": "input-task-v1",
            "versions": ["input-task-v1"],
            "input": str(tmp_path / "tasks.jsonl"),
        }
        manifest["without"] = []
        manifest["rejects"] = {"payload": payload}

    rows = refused(made := Ran(0, "", run(changed(sample, tmp_path, change), tmp_path)))
    assert [row["assay_line"] for row in accepted(made.folder)] == [1]
    found = {number: [one["code"] for one in rows[number]["findings"]] for number in (2, 3, 4)}
    assert found == {2: ["task-mismatch"], 3: ["version-not-assigned"], 4: ["unknown-task"]}
    kept = [rows[number].get("raw") for number in (2, 3, 4)]
    assert kept == ([data.decode() for data in lines_of(sample)[1:4]] if payload == "raw" else [None] * 3)
    assert assay("verify", made.folder).code == 0


def test_verify_checks_the_run(ran: Ran) -> None:
    assert assay("verify", ran.folder, "--inputs").code == 0


@pytest.mark.parametrize("column", ["assay_source_bytes", "assay_source_sha256"])
def test_verify_finds_a_source_that_was_changed(sample: Path, column: str, tmp_path: Path) -> None:
    folder = run(sample, tmp_path)
    table = pq.read_table(folder / ACCEPTED, partitioning=None)
    cells = table.column(column).to_pylist()
    cells[2] = cells[3]
    index = table.schema.get_field_index(column)
    pq.write_table(table.set_column(index, table.schema.field(index), [cells]), folder / ACCEPTED)
    seal(folder)
    said = assay("verify", folder, "--format", "json")
    assert (said.code, said.findings) == (3, [("record-changed", ACCEPTED)])


def test_verify_finds_a_source_that_was_left_out(sample: Path, tmp_path: Path) -> None:
    folder = run(sample, tmp_path)
    table = pq.read_table(folder / ACCEPTED, partitioning=None)
    pq.write_table(table.drop_columns(["assay_source_bytes", "assay_source_sha256"]), folder / ACCEPTED)
    seal(folder)
    said = assay("verify", folder, "--format", "json")
    assert (said.code, said.findings) == (3, [("file-changed", ACCEPTED)])


def test_blocks_and_compression_change_nothing_of_the_records(sample: Path, ran: Ran, tmp_path: Path) -> None:
    def change(manifest: Any) -> None:
        manifest["limits"]["block_bytes"] = 20_000

    def but_files(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return sorted(rows, key=lambda row: row["assay_line"])

    cut = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path))
    assert len(list((cut.folder / "accepted" / STREAM).glob("*.parquet"))) > 2
    assert but_files(accepted(cut.folder)) == accepted(ran.folder)
    assert refused(cut) == refused(ran)
    assert merkle_root([]) != cut.manifest["merkle_root"]


def test_a_source_s_schema_of_the_campaign_s_own(sample: Path, tmp_path: Path) -> None:
    """It may say more, and not less."""
    schema = read(COMMITTED.parents[1] / "schemas" / "records" / SOURCE / "schema.json")

    def pinned(text: bytes) -> Any:
        (tmp_path / "own.json").write_bytes(text)
        return lambda manifest: manifest["schemas"].update(
            {SOURCE: {"path": "own.json", "sha256": sha256(text).hexdigest()}}
        )

    stricter = json.dumps({**schema, "required": [*schema["required"], "comments"]}).encode()
    made = Ran(0, "", run(changed(sample, tmp_path, pinned(stricter)), tmp_path))
    assert made.manifest["streams"][STREAM]["records"]["accepted"] == RECORDS
    required = [name for name in schema["required"] if name != "choice"]
    laxer = json.dumps({**schema, "required": required}).encode()
    said = assay("check", changed(sample, tmp_path, pinned(laxer)), "--format", "json")
    assert (said.code, said.findings) == (2, [("kind-misfit", f"/streams/{STREAM}/adapter/source")])
