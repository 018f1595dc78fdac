"""Help comes at once: it loads neither Beam nor Arrow."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pipeline.__main__ import run_command

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
        *(
            [command, "--help"]
            for command in ("baseline", "cat", "check", "diff", "explain", "pin", "run", "sample", "verify")
        ),
    ],
    ids=" ".join,
)
def test_help(arguments: list[str]) -> None:
    assert loaded(*arguments) & HEAVY == set()


@pytest.mark.parametrize("arguments", [["explain"], ["explain", "blank-record"]], ids=" ".join)
def test_an_explanation(arguments: list[str]) -> None:
    assert "apache_beam" not in loaded(*arguments)


@pytest.mark.parametrize("arguments", [[], ["baseline"]], ids=["assay", "assay baseline"])
def test_no_command_is_help_and_a_usage_error(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(arguments) == 2
    said = capsys.readouterr()
    usage = " ".join(["Usage: assay", *arguments, "[OPTIONS] COMMAND [ARGS]..."])
    assert (said.out, said.err.splitlines()[0]) == ("", usage)
