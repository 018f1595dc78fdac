"""`assay sample`: the same arguments give the same bytes, and a run finds what `expected.json` says."""

from __future__ import annotations

import filecmp
from pathlib import Path

import pytest
from commands import assay, read, run

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "manifests" / "sample"


def write(output: Path, records: int, seed: int = 1) -> Path:
    said = assay("sample", "--output", output, "--records", str(records), "--seed", str(seed))
    path = output / "campaign.json"
    assert (said.code, said.out, said.err) == (0, f"{path}\nnext: assay run {path} --output out\n", "")
    return path


def files_of(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def differing(one: Path, other: Path) -> list[str]:
    """The files whose bytes differ; both folders must hold the same names."""
    assert files_of(one) == files_of(other)
    return sorted(name for name in files_of(one) if not filecmp.cmp(one / name, other / name, shallow=False))


def test_the_committed_sample_is_what_the_command_writes(tmp_path: Path) -> None:
    write(tmp_path / "new", 240)
    assert differing(tmp_path / "new", COMMITTED) == []


def test_the_seed_decides_the_bytes(tmp_path: Path) -> None:
    for name, seed in (("one", 7), ("same", 7), ("other", 8)):
        write(tmp_path / name, 240, seed)
    assert differing(tmp_path / "one", tmp_path / "same") == []
    shards = [f"shards/annotations-{index:05d}.jsonl" for index in range(3)]
    assert differing(tmp_path / "one", tmp_path / "other") == [shards[0], f"{shards[1]}.gz", shards[2]]


@pytest.mark.parametrize(("records", "seed"), [(1, 1), (17, 1), (240, 1), (240, 2), (1000, 1), (3000, 1), (3000, 5)])
def test_a_run_finds_what_is_expected(tmp_path: Path, records: int, seed: int) -> None:
    path = write(tmp_path / "sample", records, seed)
    assert assay("check", path).code == 0
    made = read(run(path, tmp_path / "out") / "manifest.json")["streams"]
    assert {name: {key: row[key] for key in ("records", "codes")} for name, row in made.items()} == read(
        path.with_name("expected.json")
    )
    assert made["annotations"]["records"]["read"] == records


def test_every_fault_is_there_from_240_records_on(tmp_path: Path) -> None:
    write(tmp_path / "least", 240)
    write(tmp_path / "more", 3000)
    least, more = (read(tmp_path / name / "expected.json")["annotations"]["codes"] for name in ("least", "more"))
    assert set(least) == set(more)
    assert len(least) == 37


def test_a_folder_that_is_not_empty(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    said = assay("sample", "--output", tmp_path)
    assert (said.code, said.out, said.err) == (2, "", f"assay: {tmp_path} is not an empty folder\n")
    assert files_of(tmp_path) == ["notes.txt"]


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    write(tmp_path / "new", 3)


def test_a_file_in_the_folders_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    said = assay("sample", "--output", tmp_path / "file")
    assert (said.code, said.out, said.err) == (2, "", f"assay: {tmp_path / 'file'} is not an empty folder\n")


@pytest.mark.parametrize("records", ["0", "-1", "many"])
def test_a_number_that_is_none(tmp_path: Path, records: str) -> None:
    said = assay("sample", "--output", tmp_path / "new", "--records", records)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "new").exists()
