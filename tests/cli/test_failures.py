"""What can go wrong with a run: its exit code, one line on standard error, and nothing committed."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
from processes import assay, digests, sample, the_complaint, workers

from pipeline.__main__ import run_command
from pipeline.campaign import Campaign, load_campaign
from pipeline.exits import Exit, RunError
from pipeline.graph import execute
from pipeline.options import beam_options
from pipeline.run import run

MANY = workers(2)
Refuse = Callable[..., str]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign for tests that leave it as it is."""
    return sample(tmp_path_factory.mktemp("small") / "campaign", 400)


@pytest.fixture
def refuse(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Refuse:
    """A function that runs a campaign as the run "r", checks the exit code, and gives the complaint."""

    def refuse(code: int, campaign: Path, *flags: str, run_id: str = "r") -> str:
        capfd.readouterr()
        arguments = ["run", str(campaign), "--output", str(tmp_path / "out"), f"--run-id={run_id}", "--quiet", *flags]
        ended = run_command(arguments)
        said = capfd.readouterr()
        assert (ended, said.out) == (code, "")
        return the_complaint(said.err)

    return refuse


@pytest.fixture(autouse=True)
def no_run_left(tmp_path: Path) -> Iterator[None]:
    """A test that commits a run, or that leaves a folder, takes it away itself."""
    yield
    assert not (tmp_path / "out" / "r").exists()


def test_python_without_docstrings(small: Path, tmp_path: Path) -> None:
    done = assay("run", small, "--output", tmp_path / "out", "--quiet", environment={"PYTHONOPTIMIZE": "2"})
    said = "Apache Beam reads its own docstrings: run without -OO or PYTHONOPTIMIZE=2"
    assert (done.returncode, the_complaint(done.stderr)) == (2, said)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams(closed: str, small: Path, tmp_path: Path) -> None:
    """As a daemon may start a command; no file of the run gets the number of one of them."""
    command = [sys.executable, "-m", "pipeline", "run", small, "--output", tmp_path / "closed", "--run-id", "r", *MANY]
    done = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *command], capture_output=True, check=False, timeout=300)
    assert (done.returncode, (tmp_path / "closed" / "r" / "manifest.json").exists()) == (0, True)
    assert assay("run", small, "--output", tmp_path / "open", "--run-id", "r", "--quiet").returncode == 0
    assert digests(tmp_path / "closed") == digests(tmp_path / "open")


# Inputs.


def test_no_file(small: Path, refuse: Refuse) -> None:
    said = refuse(3, small, "--input", f"annotations={small.parent}/none-*.jsonl")
    assert said == f"stream annotations: no file matches {small.parent}/none-*.jsonl"


def test_a_link_to_nothing(tmp_path: Path, refuse: Refuse) -> None:
    campaign = sample(tmp_path / "campaign", 3)
    link = campaign.parent / "shards" / "annotations-00009.jsonl"
    link.symlink_to("nowhere")
    assert refuse(3, campaign) == f"stream annotations: cannot look for shards: {link}: No such file or directory"


def unlink(path: Path) -> None:
    path.unlink()


def shorten(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 10)


def change(path: Path) -> None:
    """One byte in the middle, and the file's size and time stay."""
    before, data = path.stat(), bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def append(path: Path) -> None:
    """A record more, behind all that was planned."""
    with path.open("ab") as file:
        file.write(b"{}\n")


@pytest.mark.parametrize("name", ["annotations-00000.jsonl", "annotations-00001.jsonl.gz"])
@pytest.mark.parametrize(
    ("disturb", "reason"),
    [
        (unlink, "No such file or directory"),
        (shorten, "are not those that were planned: the file changed"),
        (change, "are not those that were planned: the file changed"),
        (append, "it changed while it was read"),
    ],
)
def test_a_shard_that_is_disturbed_after_planning(
    disturb: Callable[[Path], None], reason: str, name: str, tmp_path: Path
) -> None:
    path = sample(tmp_path / "campaign", 60)
    campaign = load_campaign(path)
    assert isinstance(campaign, Campaign)
    engine = partial(execute, beam_options([]), progress=False)

    def on_plan(*_: object) -> None:
        disturb(path.parent / "shards" / name)

    with pytest.raises(RunError) as caught:
        run(campaign, tmp_path / "out", engine, run_id="r", on_plan=on_plan)
    assert caught.value.exit_code == Exit.INTEGRITY
    assert f"{name}: " in caught.value.reason
    assert caught.value.reason.endswith(reason)


# Disks.


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 300 KiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("may not mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("flags", [(), MANY], ids=["in one process", "in many"])
def test_a_full_disk(flags: tuple[str, ...], small: Path, tiny_disk: Path) -> None:
    done = assay("run", small, "--output", tiny_disk, "--quiet", *flags)
    assert (done.returncode, done.stdout) == (3, "")
    assert not list(tiny_disk.rglob("manifest.json"))
    said = the_complaint(done.stderr)
    assert "No space left on device" in said
    assert said.endswith(f"; the same command goes on from what {next(tiny_disk.iterdir())} holds")
    assert "assay" not in said and "running" not in said


@pytest.mark.parametrize("limit", [1000, 100_000])
def test_files_that_may_not_grow(limit: int, small: Path, tmp_path: Path) -> None:
    """The smaller one stops the first file, the larger one that of the compressed shard."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = assay("run", small, "--output", tmp_path / "out", "--run-id", "r", "--quiet", preexec_fn=bound)
    assert (done.returncode, done.stdout) == (3, "")
    assert "File too large" in the_complaint(done.stderr)
    # The larger one lets blocks be finished that wait for another attempt, if any is judged before that shard.
    shutil.rmtree(tmp_path / "out" / "r", ignore_errors=True)


# The run's folder.


def test_a_committed_run_is_left_alone(small: Path, tmp_path: Path, refuse: Refuse) -> None:
    folder = tmp_path / "out" / "r"
    assert run_command(["run", str(small), "--output", str(tmp_path / "out"), "--run-id", "r", "--quiet"]) == 0
    before = digests(folder)
    assert refuse(2, small) == f"the run r is committed already: {folder}"
    assert digests(folder) == before
    folder.rename(tmp_path / "committed")


def test_another_process_writes_the_run(small: Path, tmp_path: Path, refuse: Refuse) -> None:
    folder = tmp_path / "out" / "r"
    folder.mkdir(parents=True)
    program = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX); print(); input()"
    holder = [sys.executable, "-c", program, str(folder)]
    with subprocess.Popen(holder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"\n"
        assert refuse(2, small) == "another process is writing the run r"
        other.kill()
    assert list(folder.iterdir()) == []
    folder.rmdir()


def test_the_lock_ends_with_the_run(small: Path, tmp_path: Path) -> None:
    assert run_command(["run", str(small), "--output", str(tmp_path / "out"), "--run-id", "r", "--quiet"]) == 0
    folder = tmp_path / "out" / "r"
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(handle)
    folder.rename(tmp_path / "committed")


def test_files_of_others_are_left_alone(small: Path, tmp_path: Path, refuse: Refuse) -> None:
    folder = tmp_path / "out" / "r"
    (folder / "accepted").mkdir(parents=True)
    (folder / "accepted" / "mine.txt").write_text("x", encoding="utf-8")
    (folder / "thesis.tex").write_text("y", encoding="utf-8")
    before = digests(folder)
    said = f"{folder} holds 'thesis.tex', which is no file of a run; choose another run id"
    assert refuse(2, small) == said
    assert digests(folder) == before
    folder.rename(tmp_path / "theirs")


@pytest.mark.parametrize("in_the_way", ["out", "out/r"])
def test_a_file_in_the_way(in_the_way: str, small: Path, tmp_path: Path, refuse: Refuse) -> None:
    path = tmp_path / in_the_way
    path.parent.mkdir(exist_ok=True)
    path.write_text("x", encoding="utf-8")
    reason = {"out": "Not a directory", "out/r": "File exists"}[in_the_way]
    assert refuse(2, small) == f"cannot create the run's folder {tmp_path}/out/r: {reason}"
    assert path.read_text(encoding="utf-8") == "x"
    path.unlink()


# Usage and campaign.


@pytest.mark.parametrize("run_id", ["", ".", "..", "../r", "a/b", ".r", "-r", "é", "a b", "r\n", "r" * 129])
def test_a_bad_run_id(run_id: str, small: Path, tmp_path: Path, refuse: Refuse) -> None:
    said = refuse(2, small, run_id=run_id)
    assert said.startswith("run id ")
    assert said.endswith(": use letters, digits, '.', '_' and '-' (at most 128)")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--input", "reviews=x.jsonl"], "--input reviews=x.jsonl: no stream 'reviews'; there are annotations"),
        (["--input", "annotations"], "--input annotations: write STREAM=PATTERN"),
        (["--input", "annotations="], "--input annotations=: write STREAM=PATTERN"),
        (["--worker"], "no such option: --worker"),
        (["--workers=3"], "no such option: --workers=3"),
        (["stray"], "no such option: stray"),
        (["--direct_num_workers=many"], "argument --direct_num_workers: invalid int value: 'many'"),
        (["--format", "xml"], "Invalid value for '--format': 'xml' is not one of 'text', 'json'."),
        (["--output"], "Option '--output' requires an argument."),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_bad_flags(flags: list[str], reason: str, small: Path, refuse: Refuse) -> None:
    assert refuse(2, small, *flags) == reason


@pytest.mark.parametrize("runner", ["Nope", "no.such.Runner"])
def test_a_runner_that_cannot_be_had(runner: str, small: Path, refuse: Refuse) -> None:
    assert refuse(2, small, f"--runner={runner}").startswith("Beam: ")


def test_dataflow_needs_to_be_told_where(small: Path, refuse: Refuse) -> None:
    assert refuse(2, small, "--runner=DataflowRunner") == "the DataflowRunner needs --project"


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ({"id": "No Name"}, "schema/pattern: /id: "),
        ({"streams": {"annotations": {"kind": "poems"}}}, "unknown-kind: /streams/annotations/kind: "),
        ({"rubrics": {"code-review-v1": {"sha256": "0" * 64}}}, "digest-mismatch: /rubrics/code-review-v1/sha256: "),
    ],
)
def test_a_bad_campaign(patch: Mapping[str, Any], said: str, tmp_path: Path, refuse: Refuse) -> None:
    campaign = sample(tmp_path / "campaign", 3, patch)
    assert refuse(2, campaign).startswith(f"{campaign}: {said}")


@pytest.mark.parametrize(("content", "said"), [(None, "No such file or directory"), ("{", "invalid-json: ")])
def test_a_campaign_that_cannot_be_read(content: str | None, said: str, tmp_path: Path, refuse: Refuse) -> None:
    campaign = tmp_path / "campaign.json"
    if content is not None:
        campaign.write_text(content, encoding="utf-8")
    assert said in refuse(2, campaign)


def test_thresholds(tmp_path: Path) -> None:
    thresholds = {"max_rejected_share": 0.05, "max_held_share": 0.5}
    campaign = sample(tmp_path / "campaign", 400, {"thresholds": thresholds})
    folder = tmp_path / "out" / "r"
    done = assay("run", campaign, "--output", tmp_path / "out", "--run-id", "r", "--quiet")
    assert done.returncode == 1
    books = json.loads((folder / "manifest.json").read_bytes())["streams"]["annotations"]["records"]
    rejected = books["rejected"]
    assert the_complaint(done.stderr) == f"{rejected} of 400 records rejected, the campaign allows 5.00%"
    assert run_command(["verify", str(folder)]) == 0
    folder.rename(tmp_path / "committed")


# Bugs.


def fail(*_: object, **__: object) -> NoReturn:
    raise LookupError("first line\nsecond line " + "x" * 1000)


@pytest.mark.parametrize(
    "place", ["transforms.blocks.resume.stage_block", "pipeline.run.publish", "pipeline.run.inspect"]
)
def test_a_bug(place: str, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuse: Refuse) -> None:
    monkeypatch.setattr(place.replace("run.inspect", "plan.inspect"), fail)
    said = refuse(4, small)
    assert said.startswith("internal error: LookupError: first line")
    assert said.endswith(" (set ASSAY_TRACEBACK=1 to see where)")
    assert len(said) < 400
    # Blocks that were finished before it wait for another attempt.
    assert (tmp_path / "out" / "r").exists() == (place == "pipeline.run.publish")
    shutil.rmtree(tmp_path / "out" / "r", ignore_errors=True)


def test_a_bug_is_shown_on_request(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transforms.blocks.resume.stage_block", fail)
    monkeypatch.setenv("ASSAY_TRACEBACK", "1")
    with pytest.raises(LookupError, match="second line"):
        run_command(["run", str(small), "--output", str(tmp_path / "out"), "--run-id", "r", "--quiet"])
