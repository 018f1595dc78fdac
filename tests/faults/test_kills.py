"""kill -9 at random moments, and the same command again."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest
from fault_trials import Trial
from processes import assay, digests, start, the_complaint, workers

MOMENTS = 20
MANY = workers(2)
REPEATED = "--direct_runner_bundle_repeat=1"


def test_twenty_kills(trial: Trial) -> None:
    """Between two operations on its files a run changes nothing that lasts: these are all moments that there are."""
    operations = trial.run().operations
    for at in random.Random(7).sample(range(1, operations + 1), MOMENTS):
        trial.forget()
        ended = trial.run(how="kill", at=at)
        assert ended.code == -signal.SIGKILL
        trial.must_be_well(ended)


def test_a_run_that_is_killed_again_and_again(trial: Trial) -> None:
    """Each attempt goes on from the one before."""
    operations = trial.run().operations
    trial.forget()
    for share in (0.2, 0.3, 0.4, 0.5):
        ended = trial.run(how="kill", at=int(operations * share))
        assert ended.code == -signal.SIGKILL
    trial.must_be_well(ended)


def test_twenty_kills_of_a_run_in_many_processes(trial: Trial) -> None:
    """All at once, the driver and its workers, as when a machine goes down."""
    where = ("--output", trial.folder.parent, "--run-id", trial.folder.name, "--quiet")
    seconds = [0.0, _seconds(trial, *where)]
    draw = random.Random(8)
    for _ in range(MOMENTS):
        trial.forget()
        process = start("run", trial.campaign, *where, *MANY, environment={})
        time.sleep(draw.uniform(*seconds))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=60)
        committed = (trial.folder / "manifest.json").exists()
        if not committed:
            assert trial.run().code == 0
        assert digests(trial.folder) == trial.plain


def _seconds(trial: Trial, *where: str | Path) -> float:
    began = time.monotonic()
    assert start("run", trial.campaign, *where, *MANY, environment={}).wait(timeout=300) == 0
    return time.monotonic() - began


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_worker_that_is_killed(share: float, trial: Trial) -> None:
    """The driver ends by itself, in one line; what the worker had sealed is taken over."""
    at = int(trial.run(*MANY, part="annotations").operations * share)
    trial.forget()
    ended = trial.run(*MANY, how="kill", at=at, part="annotations")
    assert (ended.code, ended.said[:23]) == (4, "assay: internal error: ")
    assert not (trial.folder / "manifest.json").exists()
    trial.must_be_well(trial.run(*MANY))


_DIES = """
import os, signal, sys
if any("sdk_worker_main" in word for word in sys.orig_argv):
    try:
        os.mkdir({mark!r})
    except FileExistsError:
        if {only_one}:
            sys.orig_argv.clear()
    if sys.orig_argv:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("only_one", [True, False])
def test_a_worker_that_is_killed_before_it_connects(only_one: bool, trial: Trial, tmp_path: Path) -> None:
    """Beam alone would wait for ever."""
    (tmp_path / "site").mkdir()
    dies = _DIES.format(mark=str(tmp_path / "mark"), only_one=only_one)
    (tmp_path / "site" / "sitecustomize.py").write_text(dies, encoding="utf-8")
    where = ("--output", trial.folder.parent, "--run-id", trial.folder.name, "--quiet")
    done = assay("run", trial.campaign, *where, *MANY, environment={"PYTHONPATH": str(tmp_path / "site")})
    said = "internal error: RuntimeError: Worker subprocess exited with return code 137"
    assert (done.returncode, the_complaint(done.stderr)[: len(said)]) == (4, said)
    assert not (trial.folder / "manifest.json").exists()
    trial.must_be_well(trial.run(*MANY))


@pytest.mark.parametrize("flags", [(REPEATED,), (REPEATED, "--no-resume"), (REPEATED, *MANY)], ids=" ".join)
def test_bundles_that_run_twice(flags: tuple[str, ...], trial: Trial) -> None:
    trial.must_be_well(trial.run(*flags))
