"""The trial of the sandbox before any candidate's code runs in it."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.evaluate.bounds import cpu_seconds
from pipeline.evaluate.discovery import discover
from pipeline.evaluate.execution import Result, execute
from pipeline.evaluate.sandbox import Sandbox, variables
from pipeline.evaluate.suites import LoadedSuite
from pipeline.exits import Exit, RunError

_PROBE = Path(__file__).parent / "probe"
_SECONDS = 60
_MACHINE = ("etc/passwd", "etc/shadow", "home", "mnt", "proc", "root", "run", "sys", "tmp", "var")


def prove_isolation(sandbox: Sandbox) -> None:
    """Try to get out of both rooms. Raises RunError where they do not open, or an attempt succeeds."""
    result = attempted(sandbox)
    if result.exit_status != 0:
        names = ", ".join(name.partition("::")[2] for name in result.failed) or f"{result.errors} attempts did not end"
        raise RunError(Exit.INTEGRITY, f"the sandbox does not isolate: {names}")


def attempted(sandbox: Sandbox) -> Result:
    """How the attempts ended, as tests that pass where the room is closed."""
    attempts, tests = ((_PROBE / name).read_bytes() for name in ("attempts.py", "test_rooms.py"))
    files = {"attempts.py": attempts, "host.json": json.dumps(_host(sandbox)).encode(), "test_rooms.py": tests}
    return execute(sandbox, attempts.decode(), LoadedSuite(files, "", discover(files)), _SECONDS)


def _host(sandbox: Sandbox) -> dict[str, object]:
    """What must not be seen of this machine, and what must hold in the rooms."""
    bounds, own = sandbox.bounds, {Path.home(), Path.cwd(), Path(__file__).parent, sandbox.interpreter.prefix / "bin"}
    return {
        "unseen": sorted({f"/{name}" for name in _MACHINE} | {str(path) for path in own if path != Path("/")}),
        "variables": sorted(variables()),
        "limits": {
            "CPU": cpu_seconds(_SECONDS),
            "AS": bounds.memory_bytes,
            "NPROC": bounds.processes,
            "FSIZE": bounds.file_bytes,
            "NOFILE": bounds.open_files,
            "CORE": 0,
            "MSGQUEUE": 0,
        },
    }
