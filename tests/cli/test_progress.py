"""What a run says while it works and when it has ended, on a terminal and elsewhere."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import termios
from pathlib import Path

import pytest
from processes import assay, sample, start, the_complaint, workers

from pipeline.__main__ import run_command
from pipeline.report.text import render_summary
from transforms.terms import MIB

# "judging:  35%|███▌      | 3.10M/8.86M [00:01<00:02, 2.48MB/s, 95 of 1,058 records refused]"
METER = re.compile(
    r"judging: +(?P<percent>\d+)%\|[^|]*\| [\d.]+[kM]?/[\d.]+[kM] "
    r"\[\d\d:\d\d<(\d\d:\d\d|\?), +([\d.]+[kM]?|\?)B/s, [\d,]+ of [\d,]+ records refused\]"
)
SECONDS_OF_WORK = 16_000


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("progress") / "campaign", 400)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("large") / "campaign", SECONDS_OF_WORK, {"limits": {"block_bytes": MIB}})


def summary(output: Path) -> str:
    """What standard output must be: the summary of the run "r", and nothing else."""
    manifest = json.loads((output / "r" / "manifest.json").read_bytes())
    return render_summary(manifest, output / "r")


def read_terminal(terminal: int) -> str:
    """All that is written to a pseudo-terminal until its last writer has closed it."""
    pieces = []
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            # Linux: no writer is left.
            break
        if not piece:
            break
        pieces.append(piece)
    return b"".join(pieces).decode()


@pytest.mark.parametrize("flags", [(), workers(2)], ids=["in one process", "in many"])
def test_a_bar_on_a_terminal(flags: tuple[str, ...], large: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with (tmp_path / "stdout").open("wb") as stdout:
        arguments = ("run", large, "--output", tmp_path, "--run-id", "r", *flags)
        process = start(*arguments, environment={}, stdout=stdout, stderr=theirs)
    os.close(theirs)
    said = read_terminal(ours)
    os.close(ours)
    assert process.wait() == 0
    # Every state overwrites the one before; a terminal writes "\n" as "\r\n".
    assert (said[:1], said[-2:], said.count("\n")) == ("\r", "\r\n", 1)
    states = [METER.fullmatch(state.removesuffix("\x1b[K")) for state in said[1:-2].split("\r")]
    assert None not in states
    percents = [int(state["percent"]) for state in states if state]
    assert percents == sorted(percents)
    assert 0 < percents[-1] <= 100
    assert (tmp_path / "stdout").read_text(encoding="utf-8") == summary(tmp_path)


def test_a_bar_on_a_narrow_terminal(large: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 60))
    process = start(*("run", large, "--output", tmp_path), environment={}, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = read_terminal(ours)
    os.close(ours)
    assert process.wait() == 0
    states = [state.removesuffix("\x1b[K") for state in said[1:-2].split("\r")]
    assert {len(state) for state in states} == {59}


def test_an_interruption_leaves_the_bar_alone(large: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = start("run", large, "--output", tmp_path, "--run-id", "r", environment={}, stderr=theirs)
    os.close(theirs)
    said = os.read(ours, 65536).decode()
    process.terminate()
    said += read_terminal(ours)
    os.close(ours)
    assert process.wait() == 130
    assert said.startswith("\rjudging: ")
    assert said.endswith("\x1b[K\r\nassay: interrupted; nothing was committed\r\n")


def test_lines_elsewhere(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pipeline.progress._LINE_SECONDS", 0.02)
    assert run_command(["run", str(campaign), "--output", str(tmp_path), "--run-id", "r"]) == 0
    said = capfd.readouterr()
    assert said.out == summary(tmp_path)
    assert said.err.endswith("\n")
    states = [METER.fullmatch(line) for line in said.err[:-1].split("\n")]
    assert len(states) > 2
    assert None not in states


def test_a_short_run_elsewhere_says_nothing(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    # Short is what ends before the first line is due, however busy the machine is.
    monkeypatch.setattr("pipeline.progress._LINE_SECONDS", 1000)
    assert run_command(["run", str(campaign), "--output", str(tmp_path), "--run-id", "r"]) == 0
    said = capfd.readouterr()
    assert (said.out, said.err) == (summary(tmp_path), "")


def test_quiet(campaign: Path, tmp_path: Path) -> None:
    done = assay("run", campaign, "--output", tmp_path, "--run-id", "r", "--quiet")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", summary(tmp_path))


def test_quiet_is_not_silent_about_failures(campaign: Path, tmp_path: Path) -> None:
    done = assay("run", campaign, "--output", tmp_path, "--quiet", "--input", "annotations=none")
    assert (done.returncode, done.stdout) == (3, "")
    assert the_complaint(done.stderr).startswith("stream annotations: no file matches ")


def test_json(campaign: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = ["--run-id", "r", "--quiet", "--format", "json"]
    assert run_command(["run", str(campaign), "--output", str(tmp_path), *flags]) == 0
    said = capfd.readouterr()
    manifest = json.loads((tmp_path / "r" / "manifest.json").read_bytes())
    kept = {key: manifest[key] for key in ("run_id", "streams", "warnings")}
    assert (json.loads(said.out), said.err) == (
        {"folder": str(tmp_path / "r"), **kept, "campaign_warnings": []},
        "",
    )
