"""What a record is about, as digests: the task, the content that was issued, the pair that was compared.

Two texts are the same here when they are the same code points: white space matters in code, so the
normalisation of the rules within a record is not applied.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import IntEnum

from transforms.digests import canonical_json
from transforms.records import Json


class Standing(IntEnum):
    """Which candidate a comparison prefers, whatever seat each had."""

    LESSER = 0
    GREATER = 1
    TIE = 2
    NEITHER = 3


@dataclass(frozen=True, slots=True)
class Subject:
    """Digests of 32 bytes each.

    `task` is that of the task's id; `content` that of what the task showed to its contributor, in the order shown;
    `pair` that of prompt and candidates in either order, or None where nothing is compared;
    `standing` says which of the pair is preferred (LESSER: the one with the lesser digest).
    """

    task: bytes
    content: bytes
    pair: bytes | None = None
    standing: Standing = Standing.NEITHER


def _digest(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def pairwise_subject(value: Json, plain: bool) -> Subject:
    """The subject of a valid pairwise-v2 record; `plain` as in `canonical_json`."""
    prompt = _digest(canonical_json(value["messages"], plain=plain))
    a = _digest(value["response_a"].encode())
    b = _digest(value["response_b"].encode())
    lesser, greater = (a, b) if a <= b else (b, a)
    return Subject(
        task=_digest(value["task_id"].encode()),
        content=_digest(b"content", prompt, a, b),
        pair=_digest(b"pair", prompt, lesser, greater),
        standing=_standing(value["preference"], a, b),
    )


def _standing(preference: str, a: bytes, b: bytes) -> Standing:
    if preference == "tie":
        return Standing.TIE
    if preference == "neither":
        return Standing.NEITHER
    preferred, other = (a, b) if preference == "A" else (b, a)
    return Standing.LESSER if preferred <= other else Standing.GREATER
