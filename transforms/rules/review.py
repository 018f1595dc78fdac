"""The rules within one review-v1 record: what a reviewer, a person or a pinned judge, says of one annotation.

No finding quotes what a reviewer wrote, a name or a time included: it may repeat a clinical record.
"""

from __future__ import annotations

from collections.abc import Iterator

from transforms.acceptance.gate_names import ANSWERED_BY_REVIEWS
from transforms.people import person
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules import evidence
from transforms.rules.baseline_dates import TIMESTAMP
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import EMPTY_TEXT, empty_text, excerpt, has_visible, normalised

REVIEW_GATE = Code(
    "review-gate",
    Stage.RULES,
    Severity.REJECT,
    "A review speaks of a gate that its rubric does not have, or that no review can answer.",
    '"gates": {"required_tests_pass": true} in a review: only a trusted execution can say so',
    "Drop what the review says of that gate; if the rubric's version is wrong, have the annotation reviewed under the "
    "right one.",
)
REVIEW_CLAIMS = Code(
    "review-claims",
    Stage.RULES,
    Severity.REJECT,
    "A review's claims do not add up: one stands twice and would be counted twice, or claim_support is said to hold "
    "against a material claim that the cited evidence does not support.",
    '"gates": {"claim_support": true} beside a claim with "material": true, "support": "contradicted"',
    "Have the reviewer list each claim once, and say of claim_support what follows from the claims.",
)
CODES: tuple[Code, ...] = (REVIEW_GATE, REVIEW_CLAIMS)

_CLAIM_SUPPORT, _SUPPORTED = "claim_support", "supported"
_JUDGE = ("model", "prompt_sha256", "parameters_sha256")
# Every member that holds no prose.
_PLAIN = frozenset({"schema_version", "task_id", "record_sha256", "reviewer", "rubric_version", "vote", "scores"}) | {
    "gates", "judge", "reviewed_at"
}  # fmt: skip


def private(value: Json | None) -> bool:
    """Whether the review's bytes must stay out of refused files.

    A review does not say whether its annotation is clinical, and what its author wrote may repeat it. `value` is any
    parsed object, valid or not, or None for a line that could not be parsed.
    """
    return value is None or not value.keys() <= _PLAIN


def _check_text(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for name in ("reviewer", "comment"):
        if name in value and not has_visible(value[name]):
            yield empty_text(f"/{name}")
    for index, claim in enumerate(value.get("claims", ())):
        if not has_visible(claim["text"]):
            yield empty_text(f"/claims/{index}/text")


def _check_reviewer(value: Json, context: RuleContext) -> Iterator[Finding]:
    """A person whom the campaign admits, or a judge exactly as it pins it; neither under the other's name."""
    terms, name = context.evidence, person(value["reviewer"])
    if terms.anyone:
        return
    pinned = terms.judges.get(name)
    if "judge" not in value:
        if pinned is not None:
            yield evidence.unauthorized("/reviewer", "the reviewer is a judge, and the review names no model")
        elif terms.reviewers is not None and name not in terms.reviewers:
            yield evidence.unauthorized("/reviewer", "the reviewer is none of the campaign's reviewers")
        return
    if pinned is None:
        yield evidence.unauthorized("/reviewer", "the reviewer is none of the campaign's judges")
        return
    for member in _JUDGE:
        if value["judge"][member] != getattr(pinned, member):
            yield evidence.unauthorized(f"/judge/{member}", "the campaign pins this judge with another")


def _check_missing_criteria(value: Json, context: RuleContext) -> Iterator[Finding]:
    rubric = evidence.rubric_of(value, context)
    for criterion in rubric.criteria if rubric else ():
        if criterion.qualification is None and criterion.id not in value["scores"]:
            yield Finding(evidence.REVIEW_CRITERIA.code, f"there is no score for {excerpt(criterion.id)}", "/scores")


def _check_gates(value: Json, context: RuleContext) -> Iterator[Finding]:
    rubric = evidence.rubric_of(value, context)
    known = {gate.name for gate in rubric.gates} if rubric else ANSWERED_BY_REVIEWS
    for name in value.get("gates", {}):
        if name not in ANSWERED_BY_REVIEWS:
            yield Finding(REVIEW_GATE.code, f"no review can answer {excerpt(name)}", f"/gates/{name}")
        elif name not in known:
            yield Finding(REVIEW_GATE.code, f"the rubric has no gate {excerpt(name)}", f"/gates/{name}")


def _check_repeated_claims(value: Json, _context: RuleContext) -> Iterator[Finding]:
    first: dict[str, int] = {}
    for index, claim in enumerate(value.get("claims", ())):
        earlier = first.setdefault(normalised(claim["text"]), index)
        if earlier != index and has_visible(claim["text"]):
            message = f"the same text as claim {earlier}, counted from 0"
            yield Finding(REVIEW_CLAIMS.code, message, f"/claims/{index}/text")


def _check_claim_support(value: Json, _context: RuleContext) -> Iterator[Finding]:
    if not value.get("gates", {}).get(_CLAIM_SUPPORT):
        return
    for index, claim in enumerate(value.get("claims", ())):
        if claim["material"] and claim["support"] != _SUPPORTED:
            message = (
                f"claim_support is said to hold, and material claim {index}, counted from 0, is {claim['support']}"
            )
            yield Finding(REVIEW_CLAIMS.code, message, f"/gates/{_CLAIM_SUPPORT}")
            return


def _check_instant(value: Json, _context: RuleContext) -> Iterator[Finding]:
    return evidence.check_instant(value, "reviewed_at")


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((evidence.UNAUTHORIZED_EVIDENCE,), _check_reviewer),
    Rule((evidence.UNKNOWN_REVIEW_RUBRIC,), evidence.check_rubric_version),
    Rule((evidence.REVIEW_CRITERIA,), _check_missing_criteria),
    Rule((evidence.REVIEW_CRITERIA,), evidence.check_unknown_criteria),
    Rule((evidence.SCORE_OUT_OF_SCALE,), evidence.check_scale),
    Rule((REVIEW_GATE,), _check_gates),
    Rule((REVIEW_CLAIMS,), _check_repeated_claims),
    Rule((REVIEW_CLAIMS,), _check_claim_support),
    Rule((TIMESTAMP,), _check_instant),
)
