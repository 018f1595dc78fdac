"""`assay cat`: archival records as lines or as an Arrow stream, and what ends it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from baseline_records import signed
from baseline_runs import measured, run_of_documents
from golden_campaigns import STREAM
from loaded_runs import rows_of, run_in_small_groups
from processes import COMMAND

from pipeline.committed.run import open_run
from transforms.baselines.emitted_text import emitted_text

ARCHIVAL = "assay_archival_bytes"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that tests leave as it is."""
    return run_in_small_groups(tmp_path_factory.mktemp("cat"))


def cat(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, "cat", *map(str, arguments)], capture_output=True, check=False)


def lines_of(run: Path, *streams: str) -> list[bytes]:
    return [row[ARCHIVAL] + b"\n" for row in rows_of(open_run(run), *streams)]


def test_every_record_byte_for_byte(whole: Path) -> None:
    said = cat(whole)
    assert (said.returncode, said.stderr) == (0, b"")
    assert said.stdout == b"".join(lines_of(whole))


def test_a_part(whole: Path) -> None:
    expected = lines_of(whole, "answers", "traces")
    chosen = ("--stream", "traces", "--stream", "answers")
    parts = [cat(whole, *chosen, "--shard", f"{index}/3").stdout for index in range(3)]
    assert b"".join(parts) == b"".join(expected)
    said = cat(whole, *chosen, "--start", "2", "--limit", "5", "--records")
    assert (said.returncode, said.stdout) == (0, b"".join(expected[2:7]))


def test_an_arrow_stream(whole: Path) -> None:
    said = cat(whole, "--stream", "answers", "--format", "arrow", "--start", "1", "--limit", "4")
    assert (said.returncode, said.stderr) == (0, b"")
    table = pa.ipc.open_stream(said.stdout).read_all()
    assert table.to_pylist() == rows_of(open_run(whole), "answers")[1:5]


def test_an_arrow_stream_without_rows(whole: Path) -> None:
    said = cat(whole, "--stream", "answers", "--format", "arrow", "--limit", "0")
    table = pa.ipc.open_stream(said.stdout).read_all()
    assert (table.num_rows, table.column_names[0]) == (0, "task_id")


def test_documents_are_lines_that_can_be_run_again(tmp_path: Path) -> None:
    run = run_of_documents(tmp_path, {"a.yaml": measured({"model": "small-4"})})
    [line] = cat(run).stdout.splitlines()
    text = emitted_text(signed(measured({"model": "small-4"})))
    assert json.loads(line) == {"document": text}
    assert text.encode() == rows_of(open_run(run), STREAM)[0][ARCHIVAL]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--stream", "none"], "has no stream 'none'"),
        (["--shard", "4/4"], "no shard 4 of 4: the first is 0, the last 3"),
        (["--shard", "1"], "Invalid value for '--shard': '1' is not I/N, such as 0/4."),
        (["--shard", "-1/4"], "Invalid value for '--shard': '-1/4' is not I/N, such as 0/4."),
        (["--start", "1000000"], "position 1000000 is not in shard 0 of 1"),
        (["--format", "arrow"], "streams have different columns: choose one"),
    ],
)
def test_usage(whole: Path, options: list[str], said: str) -> None:
    done = cat(whole, *options)
    assert (done.returncode, done.stdout) == (2, b"")
    [line] = done.stderr.decode().splitlines()
    assert said in line


def test_no_run(tmp_path: Path) -> None:
    done = cat(tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().endswith("is no committed run: No such file or directory\n")


@pytest.mark.parametrize("form", ["jsonl", "arrow"])
def test_a_changed_file_ends_it_before_its_first_row(whole: Path, tmp_path: Path, form: str) -> None:
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    [path] = (run / "accepted" / "answers").iterdir()
    data = path.read_bytes()
    path.write_bytes(data[:20] + bytes([data[20] ^ 1]) + data[21:])
    done = cat(run, "--stream", "answers", "--format", form)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.decode() == f"assay: {path}: its SHA-256 is not the listed one\n"


@pytest.mark.parametrize("options", [[], ["--stream", "tasks", "--format", "arrow"]], ids=["lines", "arrow"])
def test_a_reader_that_has_seen_enough(whole: Path, options: list[str]) -> None:
    process: Any = subprocess.Popen(
        [*COMMAND, "cat", whole, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    process.stdout.read(1)
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("form", ["jsonl", "arrow"])
def test_a_full_disk_is_no_fault_of_the_run(whole: Path, form: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "cat", whole, "--stream", "tasks", "--format", form], stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 3
    assert done.stderr.startswith(b"assay: No space left on device\n")


def test_help_loads_nothing_heavy() -> None:
    script = "import sys; from pipeline.__main__ import run_command; run_command(['cat', '--help'])"
    script += "; print(sorted({'pyarrow', 'numpy', 'apache_beam'} & sys.modules.keys()), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stderr == b"[]\n"
