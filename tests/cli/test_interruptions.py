"""A run that is disturbed while it works: by an interruption, by a kill, by the death of a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import time
import uuid
from pathlib import Path

import pytest
from processes import assay, digests, sample, start, the_complaint, wait_for, workers

from transforms.terms import MIB

ENOUGH_TO_INTERRUPT = 20_000
MANY = workers(2)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign whose run takes long enough to be disturbed."""
    return sample(tmp_path_factory.mktemp("large") / "campaign", ENOUGH_TO_INTERRUPT, {"limits": {"block_bytes": MIB}})


class Disturbed:
    """A run of the large campaign in a process that is found again among all, with its workers."""

    def __init__(self, campaign: Path, tmp_path: Path, *flags: str) -> None:
        self._mark, self._said = uuid.uuid4().hex, tmp_path / "said"
        self.folder = tmp_path / "out" / "r"
        arguments = ("run", campaign, "--output", self.folder.parent, "--run-id", "r", "--quiet", *flags)
        with self._said.open("wb") as said:
            # A shell in the background has its children ignore this signal.
            self.process = start(
                *arguments,
                environment={"ASSAY_TEST": self._mark},
                stdout=said,
                stderr=said,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        wait_for(self.folder.parent, "r/.staging/**/*.arrow", self.process)

    def family(self) -> set[int]:
        """The process and all below it that are alive."""
        found = set()
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                if self._mark.encode() in path.read_bytes():
                    found.add(int(path.parent.name))
            except OSError:
                continue
        return found

    def await_all(self) -> None:
        """Return when none of them is alive; those that were killed may need a moment."""
        for _ in range(200):
            if not self.family():
                return
            time.sleep(0.05)
        raise AssertionError(f"still alive: {self.family()}")

    def end(self) -> tuple[int, str]:
        """Exit code, and what was said."""
        code = self.process.wait(timeout=60)
        return code, self._said.read_text(encoding="utf-8")


needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found by /proc")


@needs_proc
@pytest.mark.parametrize("flags", [(), MANY], ids=["in one process", "in many"])
@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_an_interruption(by: signal.Signals, flags: tuple[str, ...], large: Path, tmp_path: Path) -> None:
    disturbed = Disturbed(large, tmp_path, *flags)
    assert len(disturbed.family()) >= (3 if flags else 1)
    # A terminal interrupts all processes of the group, a supervisor ends the one that it knows.
    send = os.killpg if by is signal.SIGINT else os.kill
    send(disturbed.process.pid, by)
    assert disturbed.end() == (130, "assay: interrupted; nothing was committed\n")
    assert not (disturbed.folder / "manifest.json").exists()
    disturbed.await_all()


def test_an_interruption_that_the_shell_keeps_away(large: Path, tmp_path: Path) -> None:
    """A job in the background of a script ignores it."""
    process = start(
        *("run", large, "--output", tmp_path / "elsewhere", "--quiet"),
        environment={},
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)
    assert process.returncode == 0


@needs_proc
def test_a_kill_and_the_same_command_again(large: Path, tmp_path: Path) -> None:
    undisturbed = tmp_path / "undisturbed"
    assert assay("run", large, "--output", undisturbed, "--run-id", "r", "--quiet").returncode == 0
    disturbed = Disturbed(large, tmp_path, *MANY)
    disturbed.process.kill()
    assert disturbed.end() == (-signal.SIGKILL, "")
    assert not (disturbed.folder / "manifest.json").exists()
    again = assay("run", large, "--output", tmp_path / "out", "--run-id", "r", "--quiet")
    assert (again.returncode, again.stderr) == (0, "")
    assert digests(disturbed.folder) == digests(undisturbed / "r")


@needs_proc
def test_a_worker_that_dies(large: Path, tmp_path: Path) -> None:
    """As when memory runs out."""
    disturbed = Disturbed(large, tmp_path, *MANY)
    os.kill(max(disturbed.family() - {disturbed.process.pid}), signal.SIGKILL)
    code, said = disturbed.end()
    assert code == 4
    assert the_complaint(said).startswith("internal error: ")
    assert not (disturbed.folder / "manifest.json").exists()
