"""The rules within one math-derivation-v1 record: a problem, what is assumed, the steps, and the final answer.

Whether the answer is right needs the answer its task expects: see `transforms.answers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import (
    CONVERSATION_TOO_LARGE,
    EMPTY_TEXT,
    empty_text,
    has_visible,
    normalised,
    size_findings,
)

DUPLICATE_STEP = Code(
    "duplicate-step",
    Stage.RULES,
    Severity.REJECT,
    "Two steps of the derivation are the same text once white space and invisible characters are set aside.",
    '"derivation": ["v = a t", "v = 3 · 2", "v  =  a t"]',
    "Remove the repeated step, or have the contributor write what it was meant to say.",
)
CODES: tuple[Code, ...] = (DUPLICATE_STEP,)


def _texts(value: Json) -> Iterator[tuple[str, str]]:
    """Every text of the record with its pointer."""
    yield "/problem", value["problem"]
    for name in ("assumptions", "derivation"):
        yield from ((f"/{name}/{index}", text) for index, text in enumerate(value[name]))
    yield "/final_answer", value["final_answer"]


def _check_text(value: Json, _context: RuleContext) -> Sequence[Finding]:
    return [empty_text(pointer) for pointer, text in _texts(value) if not has_visible(text)]


def _check_steps(value: Json, _context: RuleContext) -> Sequence[Finding]:
    """Every step that repeats an earlier one. Empty steps are empty-text's affair."""
    findings = []
    first: dict[str, int] = {}
    for index, step in enumerate(value["derivation"]):
        if not has_visible(step):
            continue
        earlier = first.setdefault(normalised(step), index)
        if earlier != index:
            findings.append(
                Finding(DUPLICATE_STEP.code, f"the step repeats /derivation/{earlier}", f"/derivation/{index}")
            )
    return findings


def conversation(value: Json) -> Iterator[str]:
    """The texts that count against the bounds on a conversation."""
    return (text for _, text in _texts(value))


def _check_size(value: Json, context: RuleContext) -> Sequence[Finding]:
    return size_findings(conversation(value), context.limits)


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((DUPLICATE_STEP,), _check_steps),
    Rule((CONVERSATION_TOO_LARGE,), _check_size),
)
