"""The attempts, in the candidate's room as `solution` and in that of the tests as `attempts`: none may get anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest import TestCase

import attempts  # type: ignore[import-not-found]
import solution  # type: ignore[import-not-found]

_HOST = json.loads(Path(__file__).with_name("host.json").read_bytes())


class _Room:
    room: Any

    def test_files_of_the_machine(self) -> None:
        assert self.room.seen(_HOST["unseen"]) == []

    def test_writing(self) -> None:
        assert self.room.written() == []

    def test_sockets(self) -> None:
        assert self.room.sockets() == []

    def test_names(self) -> None:
        assert self.room.resolved() == []

    def test_processes(self) -> None:
        assert self.room.processes() == []

    def test_threads(self) -> None:
        most = _HOST["limits"]["NPROC"]
        assert 2 <= self.room.threads(2 * most) <= most

    def test_memory(self) -> None:
        assert self.room.memory_beyond_bounds() == []

    def test_rights(self) -> None:
        assert self.room.rights() == []

    def test_variables(self) -> None:
        assert set(self.room.variables()) <= set(_HOST["variables"])

    def test_limits(self) -> None:
        limits = {name: [most, most] for name, most in _HOST["limits"].items()}
        assert {name: list(pair) for name, pair in self.room.limits().items()} == limits


class CandidatesRoom(_Room, TestCase):
    """Where the code of a record runs."""

    room = solution

    def test_the_tests_cannot_be_seen(self) -> None:
        """The code cannot look up what is expected of it."""
        assert solution.seen(["/suite"]) == []


class RoomOfTests(_Room, TestCase):
    """Where its tests run."""

    room = attempts

    def test_the_code_cannot_be_seen(self) -> None:
        """The tests know the code by what it does only."""
        assert attempts.seen(["/candidate"]) == []
