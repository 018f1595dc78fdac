"""Two rooms at once, joined by one line: started, watched and ended together."""

from __future__ import annotations

import selectors
import socket
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass

from pipeline.evaluate.running import Running, Stream
from pipeline.evaluate.sandbox import Room, Sandbox

_REPORT_BYTES = 16 << 20
_TICK_SECONDS = 0.05
_FIRST_BYTES = 400
# A room opens in a tenth of a second, and late on a machine that is busy: that is not the code's fault.
_OPENING_SECONDS = 60
# Of the report, once both rooms are open.
_OPENING_LINES = 2


@dataclass(frozen=True, slots=True)
class Ended:
    """How a pair of rooms ended.

    `exit_status` is that of the tests, None where they were killed; `timed_out` is about the time after both rooms
    were open, or about that until then, where they never were; `report` what the tests wrote to standard output;
    `said` the first bytes that the candidate's room and that of the tests printed.
    """

    exit_status: int | None
    timed_out: bool
    report: bytes
    said: tuple[bytes, bytes]


def run_pair(sandbox: Sandbox, candidate: Room, tests: Room, timeout_seconds: int) -> Ended:
    """Run the tests to their end, to that of their time, or until a room goes beyond a bound that is watched here."""
    with ExitStack() as opened:
        ends = [opened.enter_context(end) for end in socket.socketpair()]
        commands = [sandbox.command(room, timeout_seconds, opened) for room in (candidate, tests)]
        started = Running(commands[0], ends[0].fileno(), subprocess.STDOUT, opened)
        testing = Running(commands[1], ends[1].fileno(), subprocess.PIPE, opened)
        for end in ends:
            # Each room has its own; what holds no other sees the other's end.
            end.close()
        return _watched(started, testing, sandbox, timeout_seconds)


def _watched(candidate: Running, tests: Running, sandbox: Sandbox, seconds: int) -> Ended:
    printed, report, complained = candidate.process.stdout, tests.process.stdout, tests.process.stderr
    assert printed and report and complained
    told = Stream(report, _REPORT_BYTES, _REPORT_BYTES)
    prints = [Stream(file, sandbox.bounds.output_bytes, _FIRST_BYTES) for file in (printed, complained)]
    is_open = is_over = timed_out = False
    deadline = time.monotonic() + _OPENING_SECONDS
    with selectors.DefaultSelector() as selector:
        for stream in (told, *prints):
            selector.register(stream.file, selectors.EVENT_READ, stream)
        while report in selector.get_map() and not is_over and not timed_out:
            for key, _ in selector.select(_TICK_SECONDS):
                if not key.data.take():
                    selector.unregister(key.fileobj)
            if not is_open and told.kept.count(b"\n") >= _OPENING_LINES:
                is_open, deadline = True, time.monotonic() + seconds
            timed_out = time.monotonic() >= deadline
            files = max(candidate.files(), tests.files())
            is_over = files > sandbox.bounds.files or any(stream.is_over for stream in (told, *prints))
    if is_over or timed_out:
        tests.end()
    status = tests.exit_status()
    candidate.end()
    for stream in prints:
        # What was printed and not read yet counts as well, so that it does not matter who was faster.
        stream.take_all()
        is_over = is_over or stream.is_over
    said = (bytes(prints[0].kept), bytes(prints[1].kept))
    return Ended(None if is_over else status, timed_out, bytes(told.kept), said)
