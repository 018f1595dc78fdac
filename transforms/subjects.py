"""What a record is about, as digests: the task, the content that was issued, the pair that was compared.

Two texts are the same here when they are the same code points: white space matters in code, so the
normalisation of the rules within a record is not applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from transforms.digests import canonical_json, digest
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


def pairwise_subject(value: Json, plain: bool) -> Subject:
    """The subject of a valid pairwise-v2 record; `plain` as in `canonical_json`."""
    prompt, a, b = _shown(value, plain)
    lesser, greater = (a, b) if a <= b else (b, a)
    return Subject(
        task=_task(value),
        content=digest(b"pairwise", prompt, a, b),
        pair=digest(b"pair", prompt, lesser, greater),
        standing=_standing(value["preference"], a, b),
    )


def agent_trace_subject(value: Json, _plain: bool) -> Subject:
    """The subject of a valid agent-trace-v1 record: its prompt."""
    return Subject(_task(value), _one_text("agent_trace", value["prompt"]))


def agent_trace_v2_subject(value: Json, _plain: bool) -> Subject:
    """The subject of a valid agent-trace-v2 record: its first user message."""
    messages = (event for event in value["events"] if event["type"] == "message" and event["role"] == "user")
    first = next(messages, None)
    return Subject(_task(value), _one_text("agent_trace", first["content"] if first else ""))


def grounded_qa_subject(value: Json, _plain: bool) -> Subject:
    """The subject of a valid grounded-qa-v1 record: its question."""
    return Subject(_task(value), _one_text("grounded_qa", value["question"]))


def math_derivation_subject(value: Json, _plain: bool) -> Subject:
    """The subject of a valid math-derivation-v1 record: its problem."""
    return Subject(_task(value), _one_text("math_derivation", value["problem"]))


_SHOWS = {"agent_trace": "prompt", "grounded_qa": "question", "math_derivation": "problem"}


def input_task_subject(value: Json, plain: bool) -> Subject:
    """The subject of a valid input-task-v1 record: the same content as that of its annotations."""
    kind = value["kind"]
    if kind == "pairwise":
        return Subject(_task(value), digest(b"pairwise", *_shown(value, plain)))
    return Subject(_task(value), _one_text(kind, value[_SHOWS[kind]]))


def _task(value: Json) -> bytes:
    return digest(value["task_id"].encode())


def _shown(value: Json, plain: bool) -> tuple[bytes, bytes, bytes]:
    """Digests of the messages and of both candidates."""
    messages = canonical_json(value["messages"], plain=plain)
    return digest(messages), digest(value["response_a"].encode()), digest(value["response_b"].encode())


def _one_text(kind: str, text: str) -> bytes:
    return digest(kind.encode(), b"\0", text.encode())


def _standing(preference: str, a: bytes, b: bytes) -> Standing:
    if preference == "tie":
        return Standing.TIE
    if preference == "neither":
        return Standing.NEITHER
    preferred, other = (a, b) if preference == "A" else (b, a)
    return Standing.LESSER if preferred <= other else Standing.GREATER
