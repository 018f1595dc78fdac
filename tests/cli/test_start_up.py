"""Help comes at once: it loads neither Beam nor Arrow."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from pipeline.__main__ import run_command
code = run_command(sys.argv[1:])
print(code, *sorted(name for name in sys.modules if "." not in name), file=sys.stderr)
"""
HEAVY = {"apache_beam", "pyarrow", "numpy", "jsonschema", "jsonschema_rs", "tqdm"}


def loaded(*arguments: str) -> set[str]:
    """The top-level modules that a command of exit code 0 has loaded."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True)
    code, *modules = done.stderr.split()
    assert (code, done.stdout[-1:]) == ("0", "\n")
    return set(modules)


@pytest.mark.parametrize(
    "arguments",
    [
        *(["--help"], ["-h"], ["--version"]),
        *([command, "--help"] for command in ("check", "explain", "pin", "run", "sample", "verify")),
    ],
    ids=" ".join,
)
def test_help(arguments: list[str]) -> None:
    assert loaded(*arguments) & HEAVY == set()


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "blank-record"]], ids=" ".join)
def test_an_explanation(arguments: list[str]) -> None:
    assert "apache_beam" not in loaded(*arguments)
