"""Exports open in Hugging Face `datasets`, and have the columns that each format's documentation names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import assay
from export_runs import write_run

from transforms.structure import check, compile_validator
from transforms.terms import Validator

TEXT = {"type": "string", "minLength": 1}


def closed(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


SPOKEN = {"type": "array", "minItems": 1, "items": closed(role={"enum": ["system", "user", "assistant"]}, content=TEXT)}
ANSWER = {"type": "array", "minItems": 1, "maxItems": 1, "items": closed(role={"const": "assistant"}, content=TEXT)}
CALLS = {
    "type": "array",
    "minItems": 1,
    "items": closed(id=TEXT, type={"const": "function"}, function=closed(name=TEXT, arguments=TEXT)),
}
CALLING = closed(role={"const": "assistant"}, content={"type": "string"}, tool_calls=CALLS)
RETURNED = closed(role={"const": "tool"}, tool_call_id=TEXT, name=TEXT, content=TEXT)
TURNS = {"type": "array", "minItems": 2, "items": {"oneOf": [SPOKEN["items"], CALLING, RETURNED]}}
# The rows as the documentation of each format has them.
DOCUMENTED = {
    "trl-preference": closed(prompt=SPOKEN, chosen=ANSWER, rejected=ANSWER),
    "openai-preference": closed(input=closed(messages=SPOKEN), preferred_output=ANSWER, non_preferred_output=ANSWER),
    "conversational": closed(messages=TURNS),
}
Load = Callable[..., Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("loads"))


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Hugging Face's `load_dataset`, offline."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    import datasets

    def opened(name: Path | str, **options: Any) -> Any:
        return datasets.load_dataset(str(name), cache_dir=str(tmp_path / "cache"), **options)

    return opened


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.open(encoding="utf-8")]


@pytest.mark.parametrize("form", DOCUMENTED)
def test_the_documented_columns(form: str, run: Path, tmp_path: Path) -> None:
    assay("export", run, "--output", tmp_path / "x", "--format", form)
    compiled = compile_validator(DOCUMENTED[form], Validator())
    found = rows(tmp_path / "x" / "data")
    assert found
    assert [finding for row in found for finding in check(row, compiled, 9)] == []


def without_nulls(value: Any) -> Any:
    """What `datasets` gives: members that other messages of the column have are null."""
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    if isinstance(value, dict):
        return {name: without_nulls(member) for name, member in value.items() if member is not None}
    return value


def test_preferences_load_with_their_splits(run: Path, tmp_path: Path, load: Load) -> None:
    flags = ("--format", "trl-preference", "--held-out", "0.3", "--salt", "golden")
    assay("export", run, "--output", tmp_path / "x", *flags)
    loaded = load(tmp_path / "x")
    assert loaded["train"].column_names == ["prompt", "chosen", "rejected"]
    assert loaded["train"].to_list() == rows(tmp_path / "x" / "train")
    assert loaded["test"].to_list() == rows(tmp_path / "x" / "held-out")


def test_conversations_with_and_without_calls_load_together(run: Path, tmp_path: Path, load: Load) -> None:
    assay("export", run, "--output", tmp_path / "x", "--format", "conversational")
    loaded = load(tmp_path / "x")
    assert loaded.column_names == {"train": ["messages"]}
    assert without_nulls(loaded["train"].to_list()) == rows(tmp_path / "x" / "data")


@pytest.mark.parametrize("form", [*DOCUMENTED, "jsonl"])
def test_the_file_of_a_stream_loads_alone(form: str, run: Path, tmp_path: Path, load: Load) -> None:
    assay("export", run, "--output", tmp_path / "x", "--format", form)
    path = next((tmp_path / "x" / "data").glob("a*.jsonl"))
    loaded = load("json", data_files=str(path))["train"]
    own = [json.loads(line) for line in path.open(encoding="utf-8")]
    assert without_nulls(loaded.to_list()) == without_nulls(own)
