"""Preference pairs as rows of a chosen and a rejected response.

Columns: TRL's conversational preference type with an explicit prompt (TRL documentation, "Dataset formats and types"),
and the lines of OpenAI's preference fine-tuning (OpenAI documentation, "Direct preference optimization").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import orjson

from pipeline.export.fields import changes
from pipeline.export.values import Choices, ExportRow, Neither, Reason, Record, Ties
from transforms.records import Json

_BY_PLACE = "said by which response is chosen"
_A, _B, _PATCH = "response_a", "response_b", "golden_patch"


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where a format has prompt, preferred and other response, and the row of these three."""

    prompt: str
    chosen: str
    rejected: str
    row: Callable[[list[Json], str, str], Json]


def trl_preference(record: Record, choices: Choices) -> tuple[ExportRow, ...] | Reason:
    """`prompt`, `chosen` and `rejected`, each a list of messages."""
    return _rows(record.value, choices, _TRL)


def openai_preference(record: Record, choices: Choices) -> tuple[ExportRow, ...] | Reason:
    """`input.messages`, `preferred_output` and `non_preferred_output`."""
    return _rows(record.value, choices, _OPENAI)


def _rows(value: Json, choices: Choices, layout: _Layout) -> tuple[ExportRow, ...] | Reason:
    pairs = _pairs(value["preference"], choices)
    if isinstance(pairs, Reason):
        return pairs
    if any(value[chosen] == value[rejected] for chosen, rejected in pairs):
        return Reason.IDENTICAL_TEXTS
    return tuple(_row(value, chosen, rejected, layout) for chosen, rejected in pairs)


def _pairs(preference: str, choices: Choices) -> tuple[tuple[str, str], ...] | Reason:
    """The members that a record prefers to one another, (chosen, rejected)."""
    if preference == "tie":
        return ((_A, _B), (_B, _A)) if choices.ties is Ties.BOTH else Reason.TIE
    if preference == "neither":
        return ((_PATCH, _A), (_PATCH, _B)) if choices.neither is Neither.GOLDEN_PATCH else Reason.NEITHER
    return ((_A, _B),) if preference == "A" else ((_B, _A),)


def _row(value: Json, chosen: str, rejected: str, layout: _Layout) -> ExportRow:
    messages = [{"role": message["role"], "content": message["content"]} for message in value["messages"]]
    renamed = (
        ("/messages/*/role", f"{layout.prompt}/*/role"),
        ("/messages/*/content", f"{layout.prompt}/*/content"),
        (f"/{chosen}", f"{layout.chosen}/0/content"),
        (f"/{rejected}", f"{layout.rejected}/0/content"),
    )
    row = layout.row(messages, value[chosen], value[rejected])
    return ExportRow(orjson.dumps(row), changes(value, renamed, (("/preference", _BY_PLACE),)))


def _assistant(text: str) -> list[Json]:
    return [{"role": "assistant", "content": text}]


def _trl_row(messages: list[Json], chosen: str, rejected: str) -> Json:
    return {"prompt": messages, "chosen": _assistant(chosen), "rejected": _assistant(rejected)}


def _openai_row(messages: list[Json], chosen: str, rejected: str) -> Json:
    outputs = {"preferred_output": _assistant(chosen), "non_preferred_output": _assistant(rejected)}
    return {"input": {"messages": messages}, **outputs}


_TRL = _Layout("/prompt", "/chosen", "/rejected", _trl_row)
_OPENAI = _Layout("/input/messages", "/preferred_output", "/non_preferred_output", _openai_row)
