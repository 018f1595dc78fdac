"""The rules within one adjudication-v1 record: a named adjudicator's decision on one question about one annotation.

No finding quotes the reason, a name or a time: it may repeat a clinical record.
"""

from __future__ import annotations

from collections.abc import Iterator

from transforms.people import person
from transforms.records import Code, Finding, Json
from transforms.rules import evidence
from transforms.rules.baseline_dates import TIMESTAMP
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import EMPTY_TEXT, empty_text, excerpt, has_substance, has_visible

# All codes are shared with reviews.
CODES: tuple[Code, ...] = ()

_ACCEPTANCE = "acceptance"


def private(_value: Json | None) -> bool:
    """Every adjudication's bytes must stay out of refused files: its reason may repeat a clinical record."""
    return True


def _check_text(value: Json, _context: RuleContext) -> Iterator[Finding]:
    if not has_visible(value["adjudicator"]):
        yield empty_text("/adjudicator")
    if not has_substance(value["reason"]):
        yield empty_text("/reason", substance=True)


def _check_adjudicator(value: Json, context: RuleContext) -> Iterator[Finding]:
    """Whoever is named may decide on acceptance; every other subject needs the qualification of that name."""
    terms, name, subject = context.evidence, person(value["adjudicator"]), value["subject"]
    if terms.anyone:
        return
    qualifications = terms.adjudicators.get(name)
    if qualifications is None:
        yield evidence.unauthorized("/adjudicator", "the adjudicator is none of the campaign's")
    elif subject not in {_ACCEPTANCE, *qualifications}:
        yield evidence.unauthorized("/subject", f"the adjudicator is not qualified for {excerpt(subject)}")


def _check_instant(value: Json, _context: RuleContext) -> Iterator[Finding]:
    return evidence.check_instant(value, "decided_at")


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((evidence.UNAUTHORIZED_EVIDENCE,), _check_adjudicator),
    Rule((evidence.UNKNOWN_REVIEW_RUBRIC,), evidence.check_rubric_version),
    Rule((evidence.REVIEW_CRITERIA,), evidence.check_unknown_criteria),
    Rule((evidence.SCORE_OUT_OF_SCALE,), evidence.check_scale),
    Rule((TIMESTAMP,), _check_instant),
)
