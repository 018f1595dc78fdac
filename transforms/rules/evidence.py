"""What the kinds of evidence share: whose word counts, under which rubric, with which scores, and when it was given.

Evidence counts only from whom the campaign names, in the version and configuration that it pins (contract, section 6).
Where a campaign pins no rubric, nothing is asked of rubric versions, scores and gates; that is so for fixtures too.
"""

from __future__ import annotations

from collections.abc import Iterator

from transforms.acceptance.rubric import decimal
from transforms.acceptance.values import Rubric
from transforms.baselines.instants import parse_instant
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.baseline_dates import TIMESTAMP
from transforms.rules.rule import RuleContext
from transforms.rules.text import excerpt

UNAUTHORIZED_EVIDENCE = Code(
    "unauthorized-evidence",
    Stage.RULES,
    Severity.REJECT,
    "Evidence comes from a reviewer, judge, adjudicator or executor that the campaign does not name, or from one in "
    "another version, configuration or qualification, or from other tests than those pinned for the task.",
    '"executor": {"name": "sandbox", "version": "1.5.0", …} where the campaign pins version "1.4.0"',
    "Name and pin the source in the campaign's `evidence` if it is to be trusted; otherwise have the review, the "
    "decision or the run made again by one that is.",
)
UNKNOWN_REVIEW_RUBRIC = Code(
    "unknown-review-rubric",
    Stage.RULES,
    Severity.REJECT,
    "A review or an adjudication was made under a rubric version that the campaign does not pin.",
    '"rubric_version": "code-review-v0" in a campaign that pins code-review-v1',
    "Pin that rubric in the campaign, or have the annotation reviewed again under a pinned one.",
)
REVIEW_CRITERIA = Code(
    "review-criteria",
    Stage.RULES,
    Severity.REJECT,
    "The scores are not those that the rubric asks for: a criterion has none, or a score is for no criterion of it.",
    '"scores": {"correctness": 5} where the rubric also asks for readability',
    "Have the reviewer score every criterion of the rubric and no other; nothing is filled in or left out for them. "
    "An adjudication may score some of the criteria.",
)
SCORE_OUT_OF_SCALE = Code(
    "score-out-of-scale",
    Stage.RULES,
    Severity.REJECT,
    "A score lies outside the rubric's scale.",
    '"scores": {"correctness": 9} under a rubric whose scale is 1 to 5',
    "Have the reviewer score on the rubric's own scale; scores of another scale are never converted.",
)
CODES: tuple[Code, ...] = (UNAUTHORIZED_EVIDENCE, UNKNOWN_REVIEW_RUBRIC, REVIEW_CRITERIA, SCORE_OUT_OF_SCALE)


def unauthorized(pointer: str, message: str) -> Finding:
    """The finding that the member at `pointer` makes the evidence count for nothing."""
    return Finding(UNAUTHORIZED_EVIDENCE.code, message, pointer)


def rubric_of(value: Json, context: RuleContext) -> Rubric | None:
    """The rubric that a review or an adjudication names, None where it names none that the campaign pins."""
    return context.rubrics.get(value.get("rubric_version", ""))


def check_rubric_version(value: Json, context: RuleContext) -> Iterator[Finding]:
    """The rubric that is named, if any, must be one of the campaign's."""
    if context.rubrics and "rubric_version" in value and rubric_of(value, context) is None:
        yield Finding(UNKNOWN_REVIEW_RUBRIC.code, "the campaign does not pin this rubric", "/rubric_version")


def check_unknown_criteria(value: Json, context: RuleContext) -> Iterator[Finding]:
    """No score may be for a criterion that the rubric does not have."""
    rubric = rubric_of(value, context)
    if rubric is None:
        return
    known = {criterion.id for criterion in rubric.criteria}
    for name in value.get("scores", {}):
        if name not in known:
            message = f"rubric {excerpt(rubric.version)} has no criterion {excerpt(name)}"
            yield Finding(REVIEW_CRITERIA.code, message, f"/scores/{name}")


def check_scale(value: Json, context: RuleContext) -> Iterator[Finding]:
    """Scores must lie in the rubric's scale, both ends included; those of unknown criteria too."""
    rubric = rubric_of(value, context)
    if rubric is None:
        return
    for name, score in value.get("scores", {}).items():
        if not rubric.minimum <= decimal(score) <= rubric.maximum:
            message = f"{score} is outside the scale, {rubric.minimum} to {rubric.maximum}"
            yield Finding(SCORE_OUT_OF_SCALE.code, message, f"/scores/{name}")


def check_instant(value: Json, member: str) -> Iterator[Finding]:
    """The member must name an instant in UTC. It is not quoted: where formats are not asserted it is any text."""
    instant = parse_instant(value[member])
    if isinstance(instant, str):
        yield Finding(TIMESTAMP.code, f"{member} {instant}", f"/{member}")
