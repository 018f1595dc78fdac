"""Runs `assay` in this process, through its command line, and keeps what it said."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from pipeline.__main__ import run_command
from transforms.storage.location import Location


@dataclass(frozen=True)
class Said:
    """Exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def findings(self) -> list[tuple[str, str]]:
        """(code, pointer) of each finding, where `--format json` was asked for."""
        return [(row["code"], row["pointer"]) for row in json.loads(self.out)]


def assay(*arguments: str | Location) -> Said:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run_command([str(argument) for argument in arguments])
    return Said(code, out.getvalue(), err.getvalue())


def run(campaign: Location, output: Path, *flags: str) -> Path:
    """A committed run of a campaign under `output`, and its folder."""
    said = assay("run", campaign, "--output", output, "--run-id", "golden", "--quiet", *flags)
    assert said.code == 0, said
    return output / "golden"


def read(path: Path) -> Any:
    """A JSON file's value."""
    return json.loads(path.read_text(encoding="utf-8"))
