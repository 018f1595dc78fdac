"""Exit codes, and the exception that carries one with its one-line reason."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What the command's exit status says."""

    OK = 0
    BEYOND_THRESHOLDS = 1
    USAGE = 2
    INTEGRITY = 3
    INTERNAL = 4
    INTERRUPTED = 130


class RunError(Exception):
    """The command cannot do what was asked; `reason` is one line for standard error."""

    def __init__(self, exit_code: Exit, reason: str) -> None:
        super().__init__(reason)
        self.exit_code = exit_code
        self.reason = reason


def reason_of(error: OSError) -> str:
    """What the system says of a failure, in one line, and of which file."""
    named = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{named}"


def going_on(error: RunError, folder: object) -> RunError:
    """The same error, with what to do once its cause is gone: `folder` holds finished blocks."""
    return RunError(error.exit_code, f"{error.reason}; the same command goes on from what {folder} holds")


class InputFault(RunError):
    """An input is unusable or changed: what was made of it is worth nothing to a later attempt at the run."""
