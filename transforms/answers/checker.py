"""Check a final answer against the one its task expects: `check_answer`.

Numbers and choices are checked in the calling process. Equality of expressions, which may take unbounded time, is
decided in another (`worker`) that can be killed: one for each calling process, started with the first question,
started anew after it was killed, closed at exit.
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

import transforms
from transforms.answers.expected import ChoiceExpected, Expected, NumericExpected, SymbolicExpected
from transforms.answers.fuel import Fuel
from transforms.answers.messages import read_message, write_message
from transforms.answers.numeric import check_numeric
from transforms.answers.question import Decision, read
from transforms.answers.surface import bare
from transforms.answers.verdict import (
    ANSWER_CHECK_TIMEOUT,
    RIGHT,
    SYMBOLIC_ANSWER_MISMATCH,
    UNPARSABLE_ANSWER,
    AnswerVerdict,
    UnparsableError,
)
from transforms.rules.text import excerpt, normalised

CPU_SECONDS = 10
"""What one question may take. `Fuel` ends nearly all of them long before, at the same place on every machine."""
_WALL_MILLISECONDS = 120_000
_PATIENCE_SECONDS = 1.0
_PACKAGE_ROOT = Path(transforms.__file__).parents[1]
# How a worker may die of a question: anything else is a bug, or a broken environment.
_DEATHS = {-signal.SIGXCPU, -signal.SIGKILL, -signal.SIGSEGV, -signal.SIGABRT, -signal.SIGBUS}


class Checker:
    """Checks answers, with one worker process of its own. Safe for threads; not to be shared by processes."""

    def __init__(self, fuel: Fuel | None = None, cpu_seconds: int = CPU_SECONDS) -> None:
        self._fuel = fuel or Fuel()
        self._cpu_seconds = cpu_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def check(self, final_answer: str, expected: Expected) -> AnswerVerdict:
        """The verdict on an answer; as `check_answer`."""
        if isinstance(expected, NumericExpected):
            return check_numeric(final_answer, expected)
        if isinstance(expected, ChoiceExpected):
            return _check_choice(final_answer, expected)
        return self._check_symbolic(final_answer, expected)

    def _check_symbolic(self, final_answer: str, expected: SymbolicExpected) -> AnswerVerdict:
        try:
            question = read(final_answer, expected)
        except UnparsableError as fault:
            return AnswerVerdict(UNPARSABLE_ANSWER, str(fault))
        if question.given == question.wanted:
            return RIGHT
        decision = self._decided(final_answer, expected)
        if decision is Decision.SAME:
            return RIGHT
        if decision is Decision.DIFFERENT:
            return AnswerVerdict(SYMBOLIC_ANSWER_MISMATCH, f"{excerpt(final_answer)} is not what the task expects")
        message = f"whether {excerpt(final_answer)} is what the task expects was not decided within bounds"
        return AnswerVerdict(ANSWER_CHECK_TIMEOUT, message)

    def _decided(self, answer: str, expected: SymbolicExpected) -> Decision:
        question = {
            "answer": answer,
            "expected": [expected.expression, expected.variables, expected.equivalence],
            "fuel": [self._fuel.evaluations, self._fuel.calls, self._fuel.calls_per_step],
        }
        with self._lock:
            process = self._ready()
            reply = _exchange(process, question)
            if reply is not None:
                return Decision(reply["decision"])
            code, self._process = _end(process), None
        if code not in _DEATHS:
            raise RuntimeError(f"the process that checks answers ended with {code}")
        return Decision.UNDECIDED

    def _ready(self) -> subprocess.Popen[bytes]:
        """The worker; a new one where there is none, or where it was killed while it had nothing to do."""
        if self._process is not None and self._process.poll() is not None:
            _end(self._process)
            self._process = None
        if self._process is None:
            self._process = self._started()
        return self._process

    def _started(self) -> subprocess.Popen[bytes]:
        """A new worker, ready. Raises RuntimeError where it does not start."""
        paths = [str(_PACKAGE_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "transforms.answers.worker", str(self._cpu_seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            # Hash order is the same in every worker: sympy's work, and so what fuel it takes, depends on it.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": "0"},
            start_new_session=True,  # an interrupt at the terminal is the parent's to handle
        )
        if _reply(process) is None:
            raise RuntimeError(f"the process that checks answers did not start: it ended with {_end(process)}")
        return process

    def close(self) -> None:
        """End the worker, if there is one."""
        with self._lock:
            if self._process is not None:
                _end(self._process)
                self._process = None


def _exchange(process: subprocess.Popen[bytes], question: dict[str, Any]) -> Any:
    """The reply to a question; None where the process died of it, or gave none in time."""
    assert process.stdin is not None
    try:
        write_message(process.stdin, question)  # type: ignore[arg-type]
    except BrokenPipeError:
        return None
    return _reply(process)


def _reply(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    poller = select.poll()
    poller.register(process.stdout, select.POLLIN)
    return read_message(process.stdout) if poller.poll(_WALL_MILLISECONDS) else None  # type: ignore[arg-type]


def _end(process: subprocess.Popen[bytes]) -> int:
    """Close the pipes and reap the process, which ends with its input; a busy one is killed. Gives its exit code."""
    assert process.stdin is not None
    with process:
        process.stdin.close()
        try:
            process.wait(timeout=_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.returncode


def _check_choice(final_answer: str, expected: ChoiceExpected) -> AnswerVerdict:
    """The label or text itself, in parentheses or not; white space and case make no difference."""
    try:
        given = normalised(bare(final_answer)).casefold()
    except UnparsableError as fault:
        return AnswerVerdict(UNPARSABLE_ANSWER, str(fault))
    wanted = normalised(expected.value).casefold()
    if given in (wanted, f"({wanted})", f"{wanted})"):
        return RIGHT
    return AnswerVerdict(SYMBOLIC_ANSWER_MISMATCH, f"{excerpt(final_answer)} is not the choice that the task expects")


@cache
def _checker_of(_process_id: int) -> Checker:
    """The checker of this process. A forked child gets its own: it must not write to its parent's worker."""
    checker = Checker()
    atexit.register(checker.close)
    return checker


def check_answer(final_answer: str, expected: Expected) -> AnswerVerdict:
    """What is to be said of the text of a final answer; `expected` is sound (`soundness.fault_of`).

    Takes bounded time for any text, and gives the same verdict whenever it is asked. Raises RuntimeError where the
    process that decides symbolic answers cannot be started.
    """
    return _checker_of(os.getpid()).check(final_answer, expected)
