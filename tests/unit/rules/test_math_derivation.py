"""The fixtures of math-derivation-v1 through parsing, structure and rules; then each rule by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import schemas
from transforms.parsing.json_strict import parse
from transforms.records import Finding, Severity, Stage
from transforms.rules import math_derivation, text
from transforms.rules.rule import RuleContext, apply
from transforms.schema_check import check_schema
from transforms.structure import Compiled, check, compile_validator, declared_version
from transforms.terms import Limits, Validator

VERSION = "math-derivation-v1"
FOLDER = schemas.schema_path("records", VERSION).parent
EXPECTED: dict[str, list[str]] = json.loads((FOLDER / "reject" / "index.json").read_text())


@pytest.fixture(scope="module", params=("jsonschema-rs", "jsonschema"))
def compiled(request: pytest.FixtureRequest) -> Compiled:
    return compile_validator(schemas.load_schema("records", VERSION), Validator(request.param))


def judged(path: Path, compiled: Compiled) -> list[str]:
    """The codes that stages 2 to 4 report, as `transforms.judge` does."""
    parsed = parse(path.read_bytes(), Limits().max_depth)
    if isinstance(parsed, Finding):
        return [parsed.code]
    assert declared_version(parsed.value, None, {VERSION}) == VERSION
    findings = check(parsed.value, compiled, 100) or apply(math_derivation.RULES, parsed.value, RuleContext())
    return sorted({finding.code for finding in findings})


def test_the_schema_is_sound_and_names_itself() -> None:
    schema = schemas.load_schema("records", VERSION)
    assert check_schema(VERSION, schema) == ()
    assert schema["$id"] == f"urn:assay:schema:{VERSION}"


def test_the_index_lists_the_rejected_files() -> None:
    files = sorted(path.name for path in (FOLDER / "reject").iterdir())
    assert files == sorted([*EXPECTED, "index.json"])
    assert list(EXPECTED) == sorted(EXPECTED)


@pytest.mark.parametrize("path", sorted((FOLDER / "accept").iterdir()), ids=lambda path: path.stem)
def test_accepted_fixtures(path: Path, compiled: Compiled) -> None:
    assert judged(path, compiled) == []


@pytest.mark.parametrize("name", EXPECTED)
def test_rejected_fixtures(name: str, compiled: Compiled) -> None:
    assert EXPECTED[name] == sorted(EXPECTED[name]) != []
    assert judged(FOLDER / "reject" / name, compiled) == EXPECTED[name]


def record(**changes: Any) -> dict[str, Any]:
    value: dict[str, Any] = {
        "task_id": "t-1",
        "problem": "How fast is it?",
        "assumptions": ["g is constant."],
        "derivation": ["v = g t", "v = 19.62 m/s"],
        "final_answer": "19.62 m/s",
        "reasoning_score": 4,
    }
    return value | changes


def found(value: dict[str, Any], limits: Limits | None = None) -> list[tuple[str, str]]:
    context = RuleContext(limits or Limits())
    return [(finding.code, finding.pointer) for finding in apply(math_derivation.RULES, value, context)]


def test_a_sound_record_has_no_findings() -> None:
    assert found(record()) == []
    assert found(record(assumptions=[], derivation=["1"], final_answer="∞")) == []


@pytest.mark.parametrize("blank", [" ", "\u200b", "\u2800", "\u0301", "\n\t", "\U000e0041"])
def test_a_text_with_nothing_visible_is_empty(blank: str) -> None:
    assert found(record(problem=blank)) == [("empty-text", "/problem")]
    assert found(record(assumptions=["a", blank])) == [("empty-text", "/assumptions/1")]
    assert found(record(derivation=[blank, "b"])) == [("empty-text", "/derivation/0")]
    assert found(record(final_answer=blank)) == [("empty-text", "/final_answer")]


def test_every_empty_text_is_named() -> None:
    empty = record(problem=" ", assumptions=[" "], derivation=[" ", " "], final_answer=" ")
    assert found(empty) == [
        ("empty-text", "/problem"),
        ("empty-text", "/assumptions/0"),
        ("empty-text", "/derivation/0"),
        ("empty-text", "/derivation/1"),
        ("empty-text", "/final_answer"),
    ]


@pytest.mark.parametrize("other", ["v = g t", "v=g t", " v =\tg\u200bt\n", "v = g\u00a0t"])
def test_a_step_that_repeats_another(other: str) -> None:
    findings = apply(math_derivation.RULES, record(derivation=["v = g t", "then", other]), RuleContext())
    assert findings == (Finding("duplicate-step", "the step repeats /derivation/0", "/derivation/2"),)
    assert findings[0].severity is Severity.REJECT


def test_steps_equal_once_composed_are_the_same() -> None:
    assert found(record(derivation=["café", "cafe\u0301"])) == [("duplicate-step", "/derivation/1")]


def test_every_repetition_is_named_and_points_at_the_first() -> None:
    findings = apply(math_derivation.RULES, record(derivation=["a", "b", "a", "b", "a"]), RuleContext())
    assert [(finding.pointer, finding.message) for finding in findings] == [
        ("/derivation/2", "the step repeats /derivation/0"),
        ("/derivation/3", "the step repeats /derivation/1"),
        ("/derivation/4", "the step repeats /derivation/0"),
    ]


@pytest.mark.parametrize("steps", [["x = 1", "x = -1"], ["X", "x"], ["a", "a."], ["ﬁ", "fi"]])
def test_steps_that_differ(steps: list[str]) -> None:
    assert found(record(derivation=steps)) == []


def test_a_step_may_equal_the_problem_an_assumption_or_the_answer() -> None:
    assert found(record(problem="x", assumptions=["x"], derivation=["x"], final_answer="x")) == []


def test_all_texts_count_towards_the_size() -> None:
    value = record(problem="p" * 10, assumptions=["a" * 10], derivation=["d" * 10, "e" * 10], final_answer="f" * 10)
    assert found(value, Limits(max_conversation_characters=50)) == []
    assert found(value, Limits(max_conversation_characters=49)) == [("conversation-too-large", "")]
    assert found(value, Limits(max_conversation_bytes=50)) == []
    assert found(value, Limits(max_conversation_bytes=49)) == [("conversation-too-large", "")]


def test_the_rows() -> None:
    assert [code.code for code in math_derivation.CODES] == ["duplicate-step"]
    assert {code.stage for rule in math_derivation.RULES for code in rule.codes} == {Stage.RULES}
    shared = {code for rule in math_derivation.RULES for code in rule.codes} - {*math_derivation.CODES}
    assert shared == {*text.CODES}
