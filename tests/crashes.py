"""Crashes of a run where a test wants them, and what the next attempt does anew."""

from __future__ import annotations

from typing import NoReturn

import pytest

from transforms.blocks import resume


class Crash(BaseException):
    """As a kill: nobody tidies up."""


def crash(*_: object, **__: object) -> NoReturn:
    raise Crash


class Counts:
    """How often blocks are staged and settled, not counting those that are taken over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.staged: list[str] = []
        self.settled: list[str] = []
        stage, settle = resume.stage_block, resume.settle_block

        def staging(ordinal, block, *rest):  # type: ignore[no-untyped-def]
            self.staged.append(block.stem)
            return stage(ordinal, block, *rest)

        def settling(staged, *rest):  # type: ignore[no-untyped-def]
            self.settled.append(staged.block.stem)
            return settle(staged, *rest)

        monkeypatch.setattr(resume, "stage_block", staging)
        monkeypatch.setattr(resume, "settle_block", settling)
