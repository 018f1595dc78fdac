"""The trial before anything runs: what the sandbox must be, and that one which is not is refused."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from sandboxed import HONEST, KILLED, NEEDS_BUBBLEWRAP, PASSED, ran, sandbox

from pipeline.evaluate import seccomp
from pipeline.evaluate.execution import Result, harness
from pipeline.evaluate.interpreter import interpreter_at
from pipeline.evaluate.isolation import attempted, prove_isolation
from pipeline.evaluate.sandbox import Sandbox, find_bubblewrap, is_root, sandbox_with
from pipeline.exits import Exit, RunError

ATTEMPTS = Result(0, False, 22, (), 0)
NOBODY = 65534
SYSTEM_PYTHON = Path("/usr/bin/python3")
FILES = "def double(number):\n    for n in range(10 ** 7): open(str(n), 'w').close()\n"


def refused(act: Callable[[], Any]) -> tuple[Exit, str]:
    with pytest.raises(RunError) as raised:
        act()
    return raised.value.exit_code, raised.value.reason


@NEEDS_BUBBLEWRAP
def test_nothing_gets_out() -> None:
    assert attempted(sandbox()) == ATTEMPTS
    prove_isolation(sandbox())


def _as_nobody(results: Any, system: Sandbox) -> None:
    import sandboxed

    # What is loaded later is looked for where only root may look.
    "".encode("ascii")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    sandboxed.sandbox = lambda: system
    results.put((is_root(), attempted(system), ran(HONEST), ran(FILES)))


@NEEDS_BUBBLEWRAP
@pytest.mark.skipif(os.geteuid() != 0 or not SYSTEM_PYTHON.exists(), reason="only root becomes somebody else")
def test_nothing_gets_out_for_other_users_than_root() -> None:
    """Their rooms have a user namespace, root's have not."""
    system = sandbox_with(SYSTEM_PYTHON)
    harness()
    context = get_context("fork")
    results = context.SimpleQueue()
    process = context.Process(target=_as_nobody, args=(results, system))
    process.start()
    process.join()
    assert process.exitcode == 0
    assert results.get() == (False, ATTEMPTS, PASSED, KILLED)


def wrapped(folder: Path, script: str) -> Sandbox:
    """The sandbox with a bubblewrap that does something else."""
    path = folder / "bwrap"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return replace(sandbox(), bubblewrap=str(path))


@NEEDS_BUBBLEWRAP
@pytest.mark.parametrize(
    ("first", "succeeding"),
    [
        ("--ro-bind /etc /etc", "test_files_of_the_machine"),
        ("--proc /proc", "test_files_of_the_machine"),
        ("--setenv SECRET 1", "test_variables"),
    ],
)
def test_a_sandbox_that_is_open(tmp_path: Path, first: str, succeeding: str) -> None:
    # After the namespaces, before the bindings, so that the rooms open.
    script = f"""
for argument do
    shift
    case "$argument" in --perms) set -- "$@" ${{added:-{first}}}; added=" ";; esac
    set -- "$@" "$argument"
done
exec {find_bubblewrap()} "$@"
"""
    code, reason = refused(lambda: prove_isolation(wrapped(tmp_path, script)))
    assert code == Exit.INTEGRITY
    assert reason.startswith("the sandbox does not isolate: ")
    assert f"RoomOfTests::{succeeding}" in reason
    assert f"CandidatesRoom::{succeeding}" in reason


@NEEDS_BUBBLEWRAP
def test_looser_bounds_than_the_rooms_were_told(tmp_path: Path) -> None:
    script = f'ulimit -n 10\nexec {find_bubblewrap()} "$@"'
    code, reason = refused(lambda: prove_isolation(wrapped(tmp_path, script)))
    assert code == Exit.INTEGRITY
    assert reason.startswith("the sandbox does not ")


@NEEDS_BUBBLEWRAP
@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo 'bwrap: no permissions' >&2; exit 1", "bwrap: no permissions"),
        ("exit 0", "it said nothing"),
        ("kill -9 $$", "it said nothing"),
    ],
)
def test_a_sandbox_that_does_not_open(tmp_path: Path, script: str, why: str) -> None:
    said = refused(lambda: prove_isolation(wrapped(tmp_path, script)))
    assert said == (Exit.INTEGRITY, f"the sandbox does not open: {why}")


def test_no_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("bwrap") is None
    reason = "no bwrap on the path: code runs only in its sandbox; install bubblewrap"
    assert refused(sandbox_with) == (Exit.USAGE, reason)


def test_machines_whose_system_calls_are_not_known() -> None:
    assert refused(lambda: seccomp.program("riscv64")) == (
        Exit.USAGE,
        "code runs on x86_64, aarch64 only, this machine is riscv64",
    )
    for machine in ("x86_64", "aarch64"):
        program = seccomp.program(machine)
        assert len(program) % 8 == 0
        # It ends by allowing, and begins by looking at the architecture.
        assert program[-8:] == bytes.fromhex("060000000000ff7f")
        assert program[:8] == bytes.fromhex("2000000004000000")


def test_interpreters(tmp_path: Path) -> None:
    own = interpreter_at()
    assert own.version == sys.version_info[:2]
    assert own.name.endswith(f" {sys.version.split()[0]}")
    assert own.inside.parent == Path("/python/bin")
    none = tmp_path / "python"
    assert refused(lambda: interpreter_at(none)) == (
        Exit.USAGE,
        f"{none}: is no Python that can be asked: FileNotFoundError",
    )
    none.write_text("#!/bin/sh\necho '{}'\n", encoding="utf-8")
    none.chmod(0o755)
    assert refused(lambda: interpreter_at(none))[1] == f"{none}: is no Python that can be asked: KeyError"
    old = {"name": "CPython 3.10.1", "version": [3, 10], "executable": "", "prefix": "", "stdlib": [], "library": None}
    none.write_text(f"#!/bin/sh\necho '{json.dumps(old)}'\n", encoding="utf-8")
    assert refused(lambda: interpreter_at(none))[1] == f"{none}: is CPython 3.10.1; rooms need 3.11 or later"
