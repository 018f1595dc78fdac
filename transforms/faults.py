"""Failures of the environment: not of a record, not of a campaign, and no bug."""

from __future__ import annotations

import re

# Within the marks, a runner may have added the name of its step.
_MARK = re.compile(r"\[\[assay: (.*?)(?: \[while running '.*?'\])? :assay\]\]", re.DOTALL)


class EnvironmentFault(Exception):
    """The run cannot go on: an input vanished or cannot be read, a disk is full.

    A runner hands a worker's exception on as text only, so the reason is marked in it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"[[assay: {self.reason} :assay]]"


def reason_in(text: str) -> str | None:
    """The reason of an EnvironmentFault that a runner's error text carries, or None."""
    found = _MARK.search(text)
    return found.group(1) if found else None
