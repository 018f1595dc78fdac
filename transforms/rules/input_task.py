"""Rules for a task as it was issued: something to see, and an expected answer that answers can be checked against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import schemas
from transforms.answers.soundness import fault_of
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import EMPTY_TEXT, empty_text, has_visible
from transforms.structure import Compiled, check, compile_validator
from transforms.terms import Validator

UNUSABLE_EXPECTED_ANSWER = Code(
    "unusable-expected-answer",
    Stage.RULES,
    Severity.REJECT,
    "A task's expected answer is one that no answer can be checked against.",
    'an expression in the variables x and y where "domain" names x alone, or a unit that does not exist',
    "Correct the expected answer as docs/rules-math.md says, or state null where no machine checks it.",
)
CODES: tuple[Code, ...] = (UNUSABLE_EXPECTED_ANSWER,)

_TEXTS = ("response_a", "response_b", "prompt", "question", "problem")
_EXPECTED = "/expected_answer"
_MOST_FINDINGS = 8


def _check_text(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for name in _TEXTS:
        if name in value and not has_visible(value[name]):
            yield empty_text(f"/{name}")
    for index, message in enumerate(value.get("messages", ())):
        if not has_visible(message["content"]):
            yield empty_text(f"/messages/{index}/content")


def _check_expected_answer(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """The form by its own schema, with that schema's codes; then what a schema cannot say."""
    expected = value["expected_answer"]
    if expected is None:
        return
    broken = check(expected, _form(), _MOST_FINDINGS)
    if broken:
        yield from (replace(finding, pointer=_EXPECTED + finding.pointer) for finding in broken)
    elif fault := fault_of(expected):
        yield Finding(UNUSABLE_EXPECTED_ANSWER.code, fault, _EXPECTED)


@cache
def _form() -> Compiled:
    return compile_validator(schemas.load_schema("documents", "expected-answer-v1"), Validator())


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((UNUSABLE_EXPECTED_ANSWER,), _check_expected_answer),
)
