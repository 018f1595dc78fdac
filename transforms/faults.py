"""Failures of the environment: not of a record, not of a campaign, and no bug."""

from __future__ import annotations

import re

# Within the marks, a runner may have added the name of its step.
_MARK = re.compile(r"\[\[assay(?P<input> input)?: (?P<reason>.*?)(?: \[while running '.*?'\])? :assay\]\]", re.DOTALL)


class EnvironmentFault(Exception):
    """The run cannot go on: an input vanished or cannot be read, a disk is full.

    `is_input` says that an input is no longer what was planned: then nothing is worth keeping for another attempt. A
    runner hands a worker's exception on as text only, so all of this is marked in it.
    """

    def __init__(self, reason: str, is_input: bool = False) -> None:
        super().__init__(reason, is_input)  # of which a runner makes a new one
        self.reason, self.is_input = reason, is_input

    def __str__(self) -> str:
        return f"[[assay{' input' if self.is_input else ''}: {self.reason} :assay]]"


def fault_in(text: str) -> EnvironmentFault | None:
    """The EnvironmentFault that a runner's error text carries, or None."""
    found = _MARK.search(text)
    return EnvironmentFault(found["reason"], is_input=found["input"] is not None) if found else None
