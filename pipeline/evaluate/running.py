"""A room that runs: what it prints, bounded while it is read; how many files it has; and its end."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

from pipeline.evaluate.sandbox import WORK, Command

_CHUNK_BYTES = 1 << 16
_INFO_BYTES = 1 << 12
_SIGNALLED = 128


class Stream:
    """What a room writes to a pipe. `kept` is the first of it, `count` how many bytes it was so far."""

    def __init__(self, file: IO[bytes], most: int, keep: int) -> None:
        self.file, self._most, self._keep = file, most, keep
        self.kept, self.count = bytearray(), 0

    @property
    def is_over(self) -> bool:
        """Whether it was more than is allowed."""
        return self.count > self._most

    def take(self) -> bool:
        """Take what is there, waiting for the first byte of it; False at the end."""
        data = os.read(self.file.fileno(), _CHUNK_BYTES)
        self.count += len(data)
        self.kept += data[: self._keep - len(self.kept)]
        return bool(data)

    def take_all(self) -> None:
        """Take the rest, or as much as makes it too much."""
        while not self.is_over and self.take():
            pass


class Running:
    """A started room; it is ended with `opened` at the latest."""

    def __init__(self, command: Command, line: int, errors: int, opened: ExitStack) -> None:
        self._info, self._told, self._pid = command.info, b"", 0
        self.process = subprocess.Popen(
            command.arguments,
            stdin=line,
            stdout=subprocess.PIPE,
            stderr=errors,
            pass_fds=command.passed,
            env={},
            bufsize=0,
        )
        opened.callback(self.close)

    def end(self) -> None:
        """Kill all of it: a namespace of processes ends with its first, and that one with bubblewrap."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """End it, and close what it was read by."""
        self.end()
        for file in (self.process.stdout, self.process.stderr):
            if file:
                file.close()

    def exit_status(self) -> int | None:
        """Its exit status once it has ended by itself, None where a signal ended it."""
        status = self.process.wait()
        return status if 0 <= status < _SIGNALLED else None

    def files(self) -> int:
        """How many files stand in its folder now, 0 where that cannot be seen (any more)."""
        with suppress(OSError, ValueError, KeyError):
            if not self._pid:
                self._told += os.read(self._info, _INFO_BYTES)
                self._pid = int(json.loads(self._told)["child-pid"])
            status = os.statvfs(Path("/proc", str(self._pid), "root", WORK.relative_to("/")))
            return status.f_files - status.f_ffree
        return 0
