"""The table of export formats: which kinds each carries, and how."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass

from pipeline.committed.archival import is_line
from pipeline.export.card import CONVERSATION, PREFERENCE, Columns
from pipeline.export.conversations import agent_conversation, agent_trace, derivation, grounded_answer
from pipeline.export.preferences import openai_preference, trl_preference
from pipeline.export.values import Changes, Choices, ExportRow, Mapping, Record
from transforms.digests import canonical_json
from transforms.kinds import KINDS

_WHOLE_AS_TEXT = Changes(normalised=(("", "written as RFC 8785 text"),))


def archival(record: Record, _choices: Choices) -> tuple[ExportRow, ...]:
    """The archival bytes; of records that are no JSON on one line, the RFC 8785 form of their value.

    To some readers a carriage return ends a line too, so only a last one may stand in what counts as a line here.
    """
    if b"\r" not in record.archival.removesuffix(b"\r") and is_line(record.archival):
        return (ExportRow(record.archival),)
    return (ExportRow(canonical_json(record.value), _WHOLE_AS_TEXT),)


@dataclass(frozen=True, slots=True)
class Format:
    """A format: how it maps each kind that it carries.

    `has_pairs` says that ties and neithers have to be decided for it. `columns` are those of its rows, None where they
    are the records' own, or no library's.
    """

    mappings: Table[str, Mapping]
    has_pairs: bool = False
    columns: Columns | None = None


FORMATS: Table[str, Format] = {
    "trl-preference": Format({"pairwise-v2": trl_preference}, has_pairs=True, columns=PREFERENCE),
    "openai-preference": Format({"pairwise-v2": openai_preference}, has_pairs=True),
    "conversational": Format(
        {
            "agent-trace-v1": agent_trace,
            "agent-trace-v2": agent_conversation,
            "grounded-qa-v1": grounded_answer,
            "math-derivation-v1": derivation,
        },
        columns=CONVERSATION,
    ),
    "jsonl": Format(dict.fromkeys(KINDS, archival)),
}
