"""`assay run` on Dataflow refuses in one line what could not end well, before it reads a shard."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Said, assay
from small_campaign import write_small

GIVEN = ("--runner=DataflowRunner", "--project=some-project", "--region=europe-west1", "--temp_location=gs://b/temp")


def refused(folder: Path, output: Path | str, *flags: str) -> Said:
    return assay("run", write_small(folder), "--output", output, "--quiet", *flags)


@pytest.mark.parametrize("left_out", ["project", "region", "temp_location"])
def test_a_flag_is_missing(tmp_path: Path, left_out: str) -> None:
    flags = [flag for flag in GIVEN if not flag.startswith(f"--{left_out}=")]
    said = refused(tmp_path, "gs://b/out", *flags)
    assert said == Said(2, "", f"assay: the DataflowRunner needs --{left_out}\n")


def test_a_folder_of_this_machine(tmp_path: Path) -> None:
    said = refused(tmp_path, tmp_path / "out", *GIVEN)
    line = f"assay: --output {tmp_path}/out: Dataflow's workers read and write gs:// URLs alone\n"
    assert said == Said(2, "", line)
    assert not (tmp_path / "out").exists()


def test_shards_of_this_machine(tmp_path: Path) -> None:
    said = refused(tmp_path, "gs://b/out", *GIVEN)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("assay: stream ")
    assert said.err.endswith(": Dataflow's workers read and write gs:// URLs alone\n")


def test_an_earlier_run_of_this_machine(tmp_path: Path) -> None:
    said = refused(tmp_path, "gs://b/out", "--history", str(tmp_path / "run"), *GIVEN)
    line = f"assay: --history {tmp_path}/run: Dataflow's workers read and write gs:// URLs alone\n"
    assert said == Said(2, "", line)
