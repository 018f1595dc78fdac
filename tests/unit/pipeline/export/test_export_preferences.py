"""Preference pairs as rows: exact lines, exact changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from small_records import WHY, pair

from pipeline.export.formats import FORMATS
from pipeline.export.values import Changes, Choices, ExportRow, Neither, Reason, Record, Ties

PATCH = "Say neither, but this."
TRL, OPENAI = "trl-preference", "openai-preference"


def mapped(name: str, value: dict[str, Any], **choices: Any) -> tuple[ExportRow, ...] | Reason:
    record = Record("pairwise-v2", value, json.dumps(value).encode())
    return FORMATS[name].mappings["pairwise-v2"](record, Choices(name, **choices))


def rows(name: str, value: dict[str, Any], **choices: Any) -> list[Any]:
    found = mapped(name, value, **choices)
    assert not isinstance(found, Reason)
    return [json.loads(row.line) for row in found]


def test_a_trl_row() -> None:
    found = mapped(TRL, pair(preference="B"))
    line = (
        b'{"prompt":[{"role":"user","content":"why?"}],"chosen":[{"role":"assistant","content":"right"}],'
        b'"rejected":[{"role":"assistant","content":"left"}]}'
    )
    changes = Changes(
        dropped=("/task_id", "/rationale", "/golden_patch", "/schema_version", "/rubric_version", "/ratings"),
        renamed=(
            ("/messages/*/role", "/prompt/*/role"),
            ("/messages/*/content", "/prompt/*/content"),
            ("/response_b", "/chosen/0/content"),
            ("/response_a", "/rejected/0/content"),
        ),
        normalised=(("/preference", "said by which response is chosen"),),
    )
    assert found == (ExportRow(line, changes),)


def test_an_openai_row() -> None:
    assert rows(OPENAI, pair()) == [
        {
            "input": {"messages": WHY},
            "preferred_output": [{"role": "assistant", "content": "left"}],
            "non_preferred_output": [{"role": "assistant", "content": "right"}],
        }
    ]


@pytest.mark.parametrize("name", [TRL, OPENAI])
def test_no_preference_no_row(name: str) -> None:
    assert mapped(name, pair(preference="tie")) is Reason.TIE
    assert mapped(name, pair(preference="neither", golden_patch=PATCH)) is Reason.NEITHER
    assert mapped(name, pair(preference="neither", golden_patch=PATCH), ties=Ties.BOTH) is Reason.NEITHER
    assert mapped(name, pair(preference="tie"), neither=Neither.GOLDEN_PATCH) is Reason.TIE


def chosen_and_rejected(found: list[Any]) -> list[tuple[str, str]]:
    return [(row["chosen"][0]["content"], row["rejected"][0]["content"]) for row in found]


def test_a_tie_in_both_orders() -> None:
    found = rows(TRL, pair(preference="tie"), ties=Ties.BOTH)
    assert chosen_and_rejected(found) == [("left", "right"), ("right", "left")]


def test_the_golden_patch_is_preferred_to_either() -> None:
    found = rows(TRL, pair(preference="neither", golden_patch=PATCH), neither=Neither.GOLDEN_PATCH)
    assert chosen_and_rejected(found) == [(PATCH, "left"), (PATCH, "right")]


@pytest.mark.parametrize("preference", ["A", "B", "tie"])
def test_a_text_is_never_preferred_to_itself(preference: str) -> None:
    value = pair(response_a="same", response_b="same", preference=preference)
    assert mapped(TRL, value, ties=Ties.BOTH) is Reason.IDENTICAL_TEXTS


def test_text_is_not_altered() -> None:
    text = " e\u0301\u00e9\u2028\u200b\tline\r\nnext\x00 "
    [row] = rows(TRL, pair(response_a=text, messages=[{"role": "user", "content": text}]))
    assert (row["prompt"][0]["content"], row["chosen"][0]["content"]) == (text, text)


def test_members_that_only_a_campaign_knows_are_told_of() -> None:
    value = pair(messages=[{"role": "user", "content": "why?", "at": 1}], **{"a/b~c": 1})
    [row] = mapped(TRL, value)
    assert isinstance(row, ExportRow)
    assert {"/messages/*/at", "/a~1b~0c"} <= set(row.changes.dropped)
    assert json.loads(row.line)["prompt"] == WHY
