"""The two ways reading a shard fails: its bytes are at fault, or its file cannot be read as planned."""

from __future__ import annotations

from transforms.records import ShardFault


class ShardError(Exception):
    """A fault of the shard's bytes, found while they stream; no record of the shard may be published.

    Generators cannot return a value to a caller that is still iterating, so the fault travels as an
    exception from the reader to whoever judges the block, and becomes the value `fault` there.
    """

    def __init__(self, fault: ShardFault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return f"{self.fault.code}: {self.fault.message}"


class UnreadableShard(Exception):
    """The file is missing, unreadable, or no longer the bytes that were planned: a broken environment."""
