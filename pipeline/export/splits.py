"""The held-out split: by a hash of the task alone, so that a task stands in one split in all streams and runs."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache

from pipeline.exits import Exit, RunError
from pipeline.export.values import HeldOut
from transforms.digests import digest
from transforms.records import Json
from transforms.rules.text import normalised

_SHARE = re.compile(r"0?\.[0-9]{1,18}", re.ASCII)
_HASH_BYTES = 8


class Split(StrEnum):
    """The two splits, and the folders of their files."""

    TRAIN = "train"
    HELD_OUT = "held-out"


def held_out(share: str | None, salt: str | None) -> HeldOut | None:
    """The split that options ask for, None for none. Raises RunError for a share that is none, or a salt alone."""
    if share is None:
        if salt is not None:
            raise RunError(Exit.USAGE, "--salt belongs to --held-out")
        return None
    exact = Decimal(share) if _SHARE.fullmatch(share) else Decimal()
    if not exact:
        raise RunError(Exit.USAGE, "--held-out takes a decimal between 0 and 1, such as 0.1")
    try:
        (salt or "").encode()
    except UnicodeEncodeError as error:
        raise RunError(Exit.USAGE, "--salt is no UTF-8") from error
    return HeldOut(exact, salt or "")


def split_key(value: Json, record_sha256: str) -> str:
    """What the split of a record depends on: its task's id, or its own digest for records of no task.

    An id counts as rules compare texts: without white space and invisible characters, in NFC.
    """
    task = value.get("task_id")
    return normalised(task) if isinstance(task, str) else record_sha256


def split_of(key: str, held: HeldOut) -> Split:
    """Held out is a key whose hash, read as a fraction of all hashes, lies below the share.

    The hash is the first 8 bytes, big-endian, of SHA-256 over salt, one zero byte, and key, in UTF-8.
    """
    number = int.from_bytes(digest(held.salt.encode(), b"\0", key.encode())[:_HASH_BYTES], "big")
    return Split.HELD_OUT if number < _bound(held.share) else Split.TRAIN


@cache
def _bound(share: Decimal) -> Fraction:
    """What the numbers of hashes that are held out lie below, exactly."""
    return Fraction(share) * (1 << 8 * _HASH_BYTES)
