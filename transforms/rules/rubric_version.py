"""The rule that kinds with a `rubric_version` share: the campaign must pin the rubric that a record names."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import excerpt

UNSUPPORTED_RUBRIC_VERSION = Code(
    "unsupported-rubric-version",
    Stage.RULES,
    Severity.REJECT,
    "The record was judged under a rubric version that the campaign does not list.",
    '"rubric_version": "code-review-v0" in a campaign that pins code-review-v1',
    "Pin that rubric in the campaign, or have the task judged again under a pinned one.",
)


def _check(value: Json, context: RuleContext) -> Sequence[Finding]:
    """No finding where the campaign declares no rubric at all."""
    version = value["rubric_version"]
    if not context.rubrics or version in context.rubrics:
        return ()
    message = f"the campaign does not list rubric {excerpt(version)}"
    return (Finding(UNSUPPORTED_RUBRIC_VERSION.code, message, "/rubric_version"),)


RULE = Rule((UNSUPPORTED_RUBRIC_VERSION,), _check, by_rubric=True)
