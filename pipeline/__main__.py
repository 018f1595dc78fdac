"""The `assay` command: every end of it, good or bad, is an exit code and at most one line of complaint."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

import click

from pipeline.cli import assay
from pipeline.descendants import end_descendants
from pipeline.exits import Exit, RunError, reason_of
from pipeline.report.printable import printable

_INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM)


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit."""
    _open_standard_streams()
    for number in _INTERRUPTIONS:
        # What a shell has set to be ignored, as for jobs in the background, stays so.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _abandon)
    if isinstance(sys.stdout, TextIOWrapper):
        # A name or a sign that the output's encoding lacks is shown escaped, as on standard error; it ends no run.
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.exit(run_command(list(sys.argv[1:] if argv is None else argv)))


def _open_standard_streams() -> None:
    """Open those that the caller has closed on nothing: what is opened next would get their numbers."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number, which is this one; worker processes get it, too.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", closefd=False))


def run_command(argv: list[str]) -> int:
    """Run the command line and give its exit code; KeyboardInterrupt is the caller's."""
    try:
        result = assay.main(argv, prog_name="assay", standalone_mode=False)
    except RunError as error:
        return _complain(error.reason, error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return Exit.USAGE
    except click.ClickException as error:
        return _complain(error.format_message(), Exit.USAGE)
    except click.Abort as error:
        raise KeyboardInterrupt from error
    except (BrokenPipeError, SystemExit):
        # Nobody reads on, which is fine; click ends by itself for that alone.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except OSError as error:
        return _complain(reason_of(error), Exit.INTEGRITY)
    except Exception as error:
        if "ASSAY_TRACEBACK" in os.environ:
            raise
        reason = f"internal error: {type(error).__name__}: {error}".splitlines()[0][:300]
        return _complain(f"{reason} (set ASSAY_TRACEBACK=1 to see where)", Exit.INTERNAL)
    return int(result) if isinstance(result, int) else Exit.OK


def _complain(reason: str, code: Exit) -> Exit:
    click.echo(f"assay: {printable(reason)}", err=True)
    return code


def _abandon(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Leave at once, and take the worker processes along.

    An exception would not do: a runner takes it for a failure of the step that it interrupts, and its
    threads would go on working until their bundle ends.
    """
    for number in _INTERRUPTIONS:
        signal.signal(number, signal.SIG_IGN)
    after_a_bar = b"\n" if sys.stderr.isatty() else b""
    os.write(sys.stderr.fileno(), after_a_bar + b"assay: interrupted; nothing was committed\n")
    end_descendants()
    os._exit(Exit.INTERRUPTED)


if __name__ == "__main__":
    main()
