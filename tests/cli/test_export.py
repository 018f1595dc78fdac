"""`assay export`: exact files, the same bytes each time, and nothing at all where something is wrong."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from commands import Said, assay, read
from export_runs import records, write_run
from golden_campaigns import GOLDEN, STREAM
from tampering import output_row, seal

CASES = {
    "trl-preference": ("--held-out", "0.30", "--salt", "golden"),
    "openai-preference": ("--ties", "both", "--neither", "golden-patch"),
    "conversational": (),
    "jsonl": ("--stream", STREAM, "--stream", "derivations"),
}
PAIRS = f"accepted/{STREAM}/0.jsonl-b00000.parquet"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, which tests must leave as it is."""
    return write_run(tmp_path_factory.mktemp("export"))


def export(run: Path, output: Path, form: str, *flags: str | Path) -> Said:
    return assay("export", run, "--output", output, "--format", form, *flags)


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def lineage(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / "lineage.parquet").to_pylist()
    return rows


def as_golden(folder: Path) -> dict[str, str]:
    """An export's files as text: the lineage as lines of JSON, and whatever versions change left out."""
    manifest = read(folder / "export.json")
    files = {
        row["path"]: (folder / row["path"]).read_text("utf-8")
        for row in manifest["outputs"]
        if row["path"] != "lineage.parquet"
    }
    rows = lineage(folder)
    assert {row.pop("run_manifest_sha256") for row in rows} == {manifest["run"].pop("manifest_sha256")}
    files["lineage.jsonl"] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    del manifest["versions"]
    for row in manifest["outputs"]:
        if row["path"] == "lineage.parquet":
            del row["bytes"], row["sha256"]  # of the version that wrote it
    files["export.json"] = json.dumps(manifest, indent=2) + "\n"
    return files


@pytest.mark.parametrize("form", CASES)
def test_golden(form: str, run: Path, tmp_path: Path) -> None:
    said = export(run, tmp_path / "x", form, *CASES[form])
    assert (said.code, said.err) == (0, "")
    golden = GOLDEN / "exports" / form
    assert as_golden(tmp_path / "x") == {name: data.decode() for name, data in contents(golden).items()}
    sums = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=tmp_path / "x", capture_output=True)
    assert (sums.returncode, sums.stderr) == (0, b"")
    assert len(sums.stdout.splitlines()) == len(contents(tmp_path / "x")) - 1


@pytest.mark.parametrize("form", CASES)
def test_the_same_bytes_from_another_place(form: str, run: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(run, tmp_path / "elsewhere"))
    export(run, tmp_path / "one", form, *CASES[form])
    export(moved, tmp_path / "deep" / "two", form, *CASES[form])
    assert contents(tmp_path / "one") == contents(tmp_path / "deep" / "two")


@pytest.mark.parametrize("form", CASES)
def test_the_lineage_tells_of_every_accepted_record_and_of_every_row(form: str, run: Path, tmp_path: Path) -> None:
    export(run, tmp_path / "x", form, *CASES[form])
    rows, streams = lineage(tmp_path / "x"), read(tmp_path / "x" / "export.json")["streams"]
    accepted = [
        (stream, *place)
        for stream in sorted(streams)
        for path in sorted((run / "accepted" / stream).glob("*.parquet"))
        for place in zip(
            *(pq.read_table(path)[f"assay_{name}"].to_pylist() for name in ("shard", "line", "record_sha256")),
            strict=True,
        )
    ]
    told = [(row["stream"], row["shard"], row["line"], row["record_sha256"]) for row in rows]
    assert list(dict.fromkeys(told)) == accepted
    placed = [(row["export_file"], row["export_line"]) for row in rows if row["outcome"] == "exported"]
    lines = {name: data.count(b"\n") for name, data in contents(tmp_path / "x").items() if name.endswith(".jsonl")}
    assert sorted(placed) == sorted((name, line) for name, count in lines.items() for line in range(1, count + 1))
    assert all((row["reason"] is None) == (row["outcome"] == "exported") for row in rows)


def test_archival_lines_have_the_digest_of_their_record(run: Path, tmp_path: Path) -> None:
    export(run, tmp_path / "x", "jsonl")
    files = {name: data.split(b"\n") for name, data in contents(tmp_path / "x").items() if name.endswith(".jsonl")}
    for row in lineage(tmp_path / "x"):
        line = files[row["export_file"]][row["export_line"] - 1]
        assert hashlib.sha256(line).hexdigest() == row["record_sha256"]


def test_nothing_of_rejected_and_held_records(run: Path, tmp_path: Path) -> None:
    export(run, tmp_path / "x", "jsonl", "--include-private")
    text = "".join(
        (tmp_path / "x" / "data" / name).read_text("utf-8") for name in ("annotations.jsonl", "answers.jsonl")
    )
    accepted = {json.loads(line)["task_id"] for line in text.split("\n") if line}
    everything = {value["task_id"] for name in (STREAM, "answers") for value in records()[name]}
    assert everything - accepted == {"pair-5", "pair-6", "qa-3"}


def test_a_task_stands_in_one_split_whatever_is_exported(run: Path, tmp_path: Path) -> None:
    splits: dict[str, set[str]] = {}
    for form in CASES:
        export(run, tmp_path / form, form, "--held-out", "0.5")
        for row in lineage(tmp_path / form):
            if row["split"]:
                assert row["export_file"] == f"{row['split']}/{row['stream']}.jsonl"
                splits.setdefault(row["record_sha256"], set()).add(row["split"])
    assert {len(found) for found in splits.values()} == {1}
    assert set.union(*splits.values()) == {"train", "held-out"}


def flip(run: Path) -> None:
    data = bytearray((run / PAIRS).read_bytes())
    data[len(data) // 2] ^= 1
    (run / PAIRS).write_bytes(data)


def remove(run: Path) -> None:
    (run / PAIRS).unlink()


def change_the_manifest(run: Path) -> None:
    (run / "manifest.json").write_bytes((run / "manifest.json").read_bytes().replace(b"golden", b"g0lden", 1))


def change_a_record_and_seal(run: Path) -> None:
    table = pq.read_table(run / PAIRS, partitioning=None)
    name = "assay_archival_bytes"
    cells = [b"{}", *table.column(name).to_pylist()[1:]]
    pq.write_table(table.set_column(table.schema.get_field_index(name), name, [cells]), run / PAIRS)
    seal(run, lambda manifest: output_row(manifest, PAIRS).update(rows=table.num_rows))


@pytest.mark.parametrize("forge", [flip, remove, change_the_manifest, change_a_record_and_seal])
def test_a_run_that_was_tampered_with(forge: Callable[[Path], None], run: Path, tmp_path: Path) -> None:
    forge(copy := Path(shutil.copytree(run, tmp_path / "run")))
    said = export(copy, tmp_path / "x", "trl-preference")
    assert (said.code, said.out, said.err.count("\n")) == (3, "", 1), said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_what_was_written_is_removed_where_writing_fails(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device", "x")

    monkeypatch.setattr("pipeline.export.export.commit", fail)
    said = export(run, tmp_path / "x", "jsonl")
    assert (said.code, said.err) == (3, "assay: No space left on device: x\n")
    assert not (tmp_path / "x").exists()


USAGE = {
    "no run": ("nowhere", (), "nowhere is no committed run"),
    "an unknown stream": ("run", ("--stream", "tasks"), "has no stream tasks; trl-preference carries annotations"),
    "a stream of another kind": ("run", ("--stream", "answers"), "stream answers holds grounded-qa-v1"),
    "no share": ("run", ("--held-out", "10%"), "a decimal between 0 and 1"),
    "a salt for nothing": ("run", ("--salt", "s"), "--salt belongs to --held-out"),
}


@pytest.mark.parametrize("name", USAGE)
def test_usage(name: str, run: Path, tmp_path: Path) -> None:
    folder, flags, complaint = USAGE[name]
    said = export(run if folder == "run" else tmp_path / folder, tmp_path / "x", "trl-preference", *flags)
    assert (said.code, said.out) == (2, "")
    assert complaint in said.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", [("--ties", "both"), ("--neither", "drop")])
def test_options_that_a_format_has_no_use_for(option: tuple[str, str], run: Path, tmp_path: Path) -> None:
    said = export(run, tmp_path / "x", "conversational", *option)
    assert (said.code, said.err) == (
        2,
        f"assay: {option[0]} is about preference pairs, which conversational has none of\n",
    )


def test_a_folder_that_is_there_already(run: Path, tmp_path: Path) -> None:
    assert export(run, tmp_path / "x", "jsonl").code == 0
    before = contents(tmp_path / "x")
    again = f"assay: {tmp_path / 'x'} exists already; give a new folder, or remove it first\n"
    assert export(run, tmp_path / "x", "jsonl").err == again
    (tmp_path / "empty").mkdir()
    said = export(run, tmp_path / "empty", "jsonl")
    without = (
        f"assay: {tmp_path / 'empty'} exists already, without export.json; give a new folder, or remove it first\n"
    )
    assert (said.code, said.err) == (2, without)
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert export(run, tmp_path / "link", "jsonl").code == 2
    assert (contents(tmp_path / "x"), list((tmp_path / "empty").iterdir())) == (before, [])


def test_a_run_is_added_to_by_nobody(run: Path) -> None:
    said = export(run, run / "x", "jsonl")
    assert (said.code, "lies within a run" in said.err) == (2, True)
    assert assay("verify", run).code == 0


def test_what_it_says(run: Path, tmp_path: Path) -> None:
    said = export(run, tmp_path / "x", "trl-preference")
    assert said.out == (
        f"{tmp_path / 'x'}: 4 rows as trl-preference\n"
        "  annotations: 4 of 6 records, 4 rows, 1 dropped (neither), 1 dropped (tie)\n"
        "  answers: left out, holds grounded-qa-v1\n"
        "  derivations: left out, holds math-derivation-v1\n"
        "  talks: left out, holds agent-trace-v2\n"
        "  traces: left out, holds agent-trace-v1\n"
        "  data/annotations.jsonl: 4 rows\n"
        "  lineage.parquet: 6 rows\n"
    )
