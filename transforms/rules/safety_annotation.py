"""The rules within one safety-annotation-v1 record: how a response stands to a versioned safety policy.

What it says must be decidable for each rate on its own: refusals, agreement with false premises, harmful content,
embedded instructions. A classifier's signal and the decision of somebody who read the context stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator

from transforms.people import person
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import EMPTY_TEXT, empty_text, has_substance, has_visible

SAFETY_CONTRADICTION = Code(
    "safety-contradiction",
    Stage.RULES,
    Severity.REJECT,
    "A safety annotation contradicts itself: a form of harmful content, or a followed instruction, that is not "
    "present; an exception for a prohibited request; or a classifier as its own contextual adjudicator.",
    '"harmful": {"present": false, "form": "quotation"}',
    "Have the annotation made again: nobody can tell which of the two statements was meant.",
)
UNKNOWN_SAFETY_POLICY = Code(
    "unknown-safety-policy",
    Stage.RULES,
    Severity.REJECT,
    "A safety annotation applies a policy version that the campaign does not pin, or an exception that the policy does "
    "not have.",
    '"policy_version": "assistant-v0" in a campaign that pins assistant-v1',
    "Pin that policy in the campaign, or have the response judged again under a pinned one.",
)
CODES: tuple[Code, ...] = (SAFETY_CONTRADICTION, UNKNOWN_SAFETY_POLICY)


def _check_text(value: Json, _context: RuleContext) -> Iterator[Finding]:
    decided = value["contextual_adjudication"]
    for pointer, name in (("/annotator", value["annotator"]), ("/contextual_adjudication/by", decided["by"])):
        if not has_visible(name):
            yield empty_text(pointer)
    if not has_substance(decided["reason"]):
        yield empty_text("/contextual_adjudication/reason", substance=True)


def _check_policy(value: Json, context: RuleContext) -> Iterator[Finding]:
    """No finding where the campaign pins no safety policy at all."""
    policies, version = context.evidence.safety_policies, value["policy_version"]
    if not policies:
        return
    exceptions, exception = policies.get(version), value["request"].get("exception")
    if exceptions is None:
        yield Finding(UNKNOWN_SAFETY_POLICY.code, "the campaign does not pin this safety policy", "/policy_version")
    elif exception is not None and exception not in exceptions:
        yield Finding(UNKNOWN_SAFETY_POLICY.code, "the safety policy has no such exception", "/request/exception")


def _check_contradictions(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for pointer, message in _contradictions(value):
        yield Finding(SAFETY_CONTRADICTION.code, message, pointer)


def _contradictions(value: Json) -> Iterator[tuple[str, str]]:
    if person(value["contextual_adjudication"]["by"]) == person(value["classifier"]["name"]):
        yield "/contextual_adjudication/by", "the classifier cannot be its own contextual adjudicator"
    if "exception" in value["request"] and not value["request"]["permitted"]:
        yield "/request/exception", "an exception permits the request, which is said not to be permitted"
    harmful = value.get("harmful", {})
    if "form" in harmful and not harmful["present"]:
        yield "/harmful/form", "harmful content has a form and is said not to be present"
    embedded = value.get("embedded_instruction", {"followed": False})
    if embedded["followed"] and not embedded["present"]:
        yield "/embedded_instruction/followed", "an instruction is followed that is said not to be present"


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((UNKNOWN_SAFETY_POLICY,), _check_policy),
    Rule((SAFETY_CONTRADICTION,), _check_contradictions),
)
