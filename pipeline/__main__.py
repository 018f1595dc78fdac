"""The `assay` command: every end of it, good or bad, is an exit code and at most one line of complaint."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

from pipeline.cli import assay
from pipeline.exits import Exit, RunError


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        code = run_command(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        _abandon()
    sys.exit(code)


def run_command(argv: list[str]) -> int:
    """Run the command line and give its exit code; KeyboardInterrupt is the caller's."""
    try:
        result = assay.main(argv, prog_name="assay", standalone_mode=False)
    except RunError as error:
        return _complain(error.reason, error.exit_code)
    except click.ClickException as error:
        return _complain(error.format_message(), Exit.USAGE)
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except Exception as error:
        if "ASSAY_TRACEBACK" in os.environ:
            raise
        reason = f"internal error: {type(error).__name__}: {error}".splitlines()[0][:300]
        return _complain(f"{reason} (set ASSAY_TRACEBACK=1 to see where)", Exit.INTERNAL)
    return int(result) if isinstance(result, int) else Exit.OK


def _complain(reason: str, code: Exit) -> Exit:
    click.echo(f"assay: {reason}", err=True)
    return code


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _abandon() -> NoReturn:
    """Leave at once: a runner's threads would go on working until their bundle ends."""
    click.echo("assay: interrupted; nothing was committed", err=True)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(Exit.INTERRUPTED)


if __name__ == "__main__":
    main()
