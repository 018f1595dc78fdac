"""Engines of Beam that are programs of their own, started for tests: Prism, and a pool of Python workers."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from source_tree import ROOT

MODULE = ROOT / "tests" / "engines" / "prism"
PACKAGE = "github.com/apache/beam/sdks/v2/go/cmd/prism"
_START_SECONDS = 60


@dataclass(frozen=True)
class Server:
    """A program that listens on a port of this machine; its log tells what it did."""

    port: int
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def finished_jobs(self) -> list[str]:
        """Prism: the jobs that it brought to an end."""
        lines = [line for line in self.log.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
        rows = [json.loads(line) for line in lines]
        return [row["job"] for row in rows if row["msg"] == "pipeline done!"]

    @property
    def started_workers(self) -> int:
        """A pool: how many workers engines asked it for."""
        return self.log.read_text(encoding="utf-8").count("Starting worker with command")


def prism_flags(prism: Server) -> tuple[str, ...]:
    return ("--runner=PrismRunner", f"--job_endpoint=localhost:{prism.port}")


def pool_flags(pool: Server) -> tuple[str, ...]:
    return ("--environment_type=EXTERNAL", f"--environment_config=localhost:{pool.port}")


def build_prism() -> Path:
    """The program, built once from the module that tests/engines/prism pins and kept below `out/`."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("PRISM IS NOT TESTED: there is no go on the PATH")
    pins = b"".join((MODULE / name).read_bytes() for name in ("go.mod", "go.sum"))
    binary = ROOT / "out" / "engines" / f"prism-{hashlib.sha256(pins).hexdigest()[:16]}"
    if not binary.exists():
        binary.parent.mkdir(parents=True, exist_ok=True)
        draft = binary.with_name(f"{binary.name}.{os.getpid()}")
        command = [go, "build", "-mod=readonly", "-trimpath", "-o", str(draft), PACKAGE]
        subprocess.run(command, cwd=MODULE, env={**os.environ, "GOTOOLCHAIN": "local"}, check=True)
        draft.replace(binary)
    return binary


@contextmanager
def started(
    command: Sequence[str], port: int, log: Path, environment: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """A server at work, with all its processes ended afterwards."""
    with log.open("wb") as file:
        everything = {**os.environ, **(environment or {})}
        # Not in the project's folder: a worker would import from there.
        process = subprocess.Popen(
            command, stdout=file, stderr=file, env=everything, cwd=log.parent, start_new_session=True
        )
    try:
        _wait_until_it_listens(port, process, log)
        yield Server(port, log, process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, 9)
        process.wait()


@contextmanager
def prism_server(binary: Path, folder: Path) -> Iterator[Server]:
    port = free_port()
    command = [str(binary), f"--job_port={port}", "--serve_http=false", "--log_kind=json"]
    with started(command, port, folder / "prism.log") as server:
        yield server


@contextmanager
def worker_pool(
    folder: Path, environment: Mapping[str, str] | None = None, within: Sequence[str] = ()
) -> Iterator[Server]:
    """A pool that starts a process of this interpreter for each worker that an engine asks for."""
    port = free_port()
    module = "apache_beam.runners.worker.worker_pool_main"
    command = [*within, sys.executable, "-m", module, f"--service_port={port}"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    here = {"PATH": path, "PYTHONPATH": str(ROOT), **(environment or {})}
    with started(command, port, folder / "pool.log", here) as server:
        yield server


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait_until_it_listens(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(_START_SECONDS * 10):
        assert process.poll() is None, log.read_text(encoding="utf-8")
        try:
            socket.create_connection(("localhost", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"nothing listens after {_START_SECONDS} s: {log.read_text(encoding='utf-8')}")
