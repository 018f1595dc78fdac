"""A file system that fails, falls short, is slow or runs full, at one operation of a run after the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from fault_trials import Trial


def test_all_files_of_a_run_are_watched(trial: Trial) -> None:
    """Each is opened, written and closed, at the least."""
    assert trial.run().operations > 3 * len(trial.plain)
    trial.forget()
    for name in {"unnamed", *(Path(path).name for path in trial.plain)} - {"manifest.json"}:
        assert trial.run(part=name).operations >= 3, name
        trial.forget()
    assert trial.run(part="manifest.json").operations == 1


def test_an_operation_that_fails(trial: Trial) -> None:
    ends = trial.disturb_in_turn("eio")
    assert ends[3] > 0.7 * ends.total()


def test_a_disk_that_is_full_from_then_on(trial: Trial) -> None:
    ends = trial.disturb_in_turn("full")
    assert ends[3] > 0.7 * ends.total()


def test_a_transfer_that_is_cut_short(trial: Trial) -> None:
    """A system call may transfer less than asked: that is no failure."""
    assert set(trial.disturb_in_turn("short")) == {0}


def test_a_slow_disk(trial: Trial) -> None:
    trial.must_be_well(trial.run(how="slow", at=1))


@pytest.mark.parametrize("how", ["eio", "full", "short", "kill"])
@pytest.mark.parametrize("part", ["unnamed", "manifest.json"])
def test_the_manifest_after_everything_else(part: str, how: str, trial: Trial) -> None:
    """It is written without a name, and gets its name in the end."""
    ends = trial.disturb_in_turn(how, part=part)
    assert ends[{"short": 0, "kill": -9}.get(how, 3)] >= 1


@pytest.mark.parametrize("how", ["eio", "full", "kill"])
def test_the_second_attempt_is_disturbed_as_well(how: str, trial: Trial) -> None:
    """What was kept is read again, and the rest of it written."""
    first = trial.run().operations // 2
    trial.forget()
    assert trial.run(how="kill", at=first).code == -9
    trial.must_be_well(trial.run(how=how, at=first // 3))
