"""Runs `assay` over a file system that fails on purpose (`failing_files.c`), many times without starting anew.

A server process loads everything once, with the failing file system preloaded, and forks for each command: what runs
is the whole command, and its workers inherit the file system as it does.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).with_suffix(".c")
SEED = 20
# How many operations are tried of each sort of failure; "all" tries each in turn.
POINTS = os.environ.get("ASSAY_FAULT_POINTS", "40")

_SERVER = """
import ctypes, json, os, sys
import pipeline.graph, pipeline.job, pipeline.cli.run, pipeline.report.findings
from pipeline.__main__ import main
for request in map(json.loads, sys.stdin):
    child = os.fork()
    if not child:
        os.setsid()
        nowhere, said = os.open(os.devnull, os.O_RDWR), os.open(request["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for number, handle in ((0, nowhere), (1, nowhere), (2, said)):
            os.dup2(handle, number)
        os.environ.update(request["environment"])
        ctypes.CDLL(None).failing_arm()
        main(request["arguments"])
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code (or the negative signal), standard error, operations counted."""

    code: int
    said: str
    operations: int


class FailingFiles:
    """The server. `folder` is where it keeps what it needs itself."""

    def __init__(self, folder: Path) -> None:
        if shutil.which("gcc") is None:
            pytest.skip("THE FAILING FILE SYSTEM IS NOT TESTED: there is no gcc")
        library = folder / "failing_files.so"
        build = ["gcc", "-Wall", "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"]
        subprocess.run(build, check=True)
        self._said, self._counter = folder / "said", folder / "counter"
        environment = {**os.environ, "LD_PRELOAD": str(library)}
        self._server = subprocess.Popen(
            [sys.executable, "-c", _SERVER], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, *arguments: str | Path, folder: Path, how: str = "count", at: int = 0, part: str = "") -> Ended:
        """Run `assay` while operation `at` of those below `folder`, on paths that hold `part`, fails as `how` says."""
        assert self._server.stdin and self._server.stdout
        self._counter.write_bytes(bytes(8))
        names = ("FOLDER", "COUNTER", "HOW", "AT", "PART")
        values = (folder, self._counter, how, at, part)
        environment = {f"FAILING_{name}": str(value) for name, value in zip(names, values, strict=True)}
        request: dict[str, Any] = {"arguments": [*map(str, arguments)], "said": str(self._said)}
        print(json.dumps({**request, "environment": environment}), file=self._server.stdin, flush=True)
        code = int(self._server.stdout.readline())
        counted = int.from_bytes(self._counter.read_bytes(), sys.byteorder)
        return Ended(code, self._said.read_text(encoding="utf-8"), counted)

    def close(self) -> None:
        """End the server."""
        assert self._server.stdin and self._server.stdout
        self._server.stdin.close()
        self._server.wait(timeout=60)
        self._server.stdout.close()


def points(operations: int, most: str = POINTS) -> list[int]:
    """Which of so many operations to disturb: each, or a sample by a fixed seed, the first and the last among it."""
    every = range(1, operations + 1)
    if most == "all" or int(most) >= operations:
        return list(every)
    return sorted({1, operations, *random.Random(SEED).sample(every, int(most) - 2)})
