"""Runs `assay` as a process of its own, over sample campaigns of many blocks."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from golden_campaigns import merged

from pipeline.sample.campaign import write_sample
from transforms.terms import KIB

COMMAND = (sys.executable, "-m", "pipeline")
SEED = 3


def workers(count: int) -> tuple[str, str]:
    """The flags for that many worker processes."""
    return ("--direct_running_mode=multi_processing", f"--direct_num_workers={count}")


def sample(folder: Path, records: int, campaign: Mapping[str, Any] | None = None) -> Path:
    """A sample campaign in blocks of 64 KiB, with a merge patch for its manifest; the manifest's path."""
    path = write_sample(folder, records, SEED)
    manifest = json.loads(path.read_text(encoding="utf-8"))
    patched = merged(merged(manifest, {"limits": {"block_bytes": 64 * KIB}}), campaign or {})
    path.write_text(json.dumps(patched), encoding="utf-8")
    return path


def assay(*arguments: str | Path, environment: Mapping[str, str] | None = None, **how: Any) -> Any:
    """The finished process: `returncode`, `stdout` and `stderr` as text."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        **how,
    )


def start(*arguments: str | Path, environment: Mapping[str, str], **how: Any) -> subprocess.Popen[bytes]:
    """A process at work, in a process group of its own; `how` says where its output goes."""
    return subprocess.Popen(
        [*COMMAND, *map(str, arguments)], env={**os.environ, **environment}, start_new_session=True, **how
    )


def wait_for(folder: Path, pattern: str, process: subprocess.Popen[bytes]) -> None:
    """Return once the folder has such a file, while the process is at work."""
    while not any(folder.rglob(pattern)):
        assert process.poll() is None, "the run ended before it could be disturbed"
        time.sleep(0.01)


def digests(root: Path) -> dict[str, str]:
    """Every file below `root`, with its SHA-256."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file()
    }


def the_complaint(error: str) -> str:
    """Standard error, which must be one line of ours and no more; without its beginning and end."""
    assert (error[:7], error[-1:], error.count("\n"), "\r" in error) == ("assay: ", "\n", 1, False), error
    return error[7:-1]
