"""What makes a rubric document usable, beyond its schema. Arithmetic is decimal throughout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, localcontext
from typing import Any

import schemas
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.structure import check, compile_validator
from transforms.terms import Validator

INVALID_RUBRIC = Code(
    "invalid-rubric",
    Stage.CAMPAIGN,
    Severity.CAMPAIGN,
    "A rubric cannot be used: weights that do not sum to exactly one, a repeated criterion, "
    "a minimum outside the scale, or a review policy that cannot be met.",
    "weights 0.45, 0.25, 0.2 and 0.11, which sum to 1.01",
    "Correct the rubric under a new version and pin it. Weights are read as the decimals that are written.",
)
CODES = (INVALID_RUBRIC,)
_BOUND = 100
# Enough digits for the exact sum of any doubles between 0 and 1 as they are written: 5e-324 has 324 places.
_EXACT = 400


def check_rubric(version: str, rubric: Any) -> tuple[Finding, ...]:
    """Everything wrong with a parsed rubric that the campaign lists as `version`."""
    compiled = compile_validator(schemas.load_schema("documents", "rubric-v1"), Validator())
    broken = check(rubric, compiled, _BOUND)
    if broken:
        return tuple(replace(finding, severity=Severity.CAMPAIGN) for finding in broken)
    return tuple(_faults(version, rubric))


def _faults(version: str, rubric: Json) -> Iterator[Finding]:
    if rubric["rubric_version"] != version:
        yield _fault("/rubric_version", f"says {rubric['rubric_version']!r}, the campaign lists it as {version!r}")
    scale = rubric["scale"]
    if scale["minimum"] >= scale["maximum"]:
        yield _fault("/scale", "the minimum is not below the maximum")
    with localcontext(prec=_EXACT):
        total = sum((decimal(criterion["weight"]) for criterion in rubric["criteria"]), Decimal(0))
    if total != 1:
        yield _fault("/criteria", f"the weights sum to {total}, not to 1")
    counts = Counter(criterion["id"] for criterion in rubric["criteria"])
    for identifier, count in sorted(counts.items()):
        if count > 1:
            yield _fault("/criteria", f"{identifier!r} stands {count} times")
    for index, criterion in enumerate(rubric["criteria"]):
        if not scale["minimum"] <= criterion["minimum_score"] <= scale["maximum"]:
            yield _fault(f"/criteria/{index}/minimum_score", "outside the scale")
    if not scale["minimum"] <= rubric["weighted_acceptance_score"] <= scale["maximum"]:
        yield _fault("/weighted_acceptance_score", "outside the scale")
    policy = rubric.get("review_policy")
    if policy and policy["minimum_accept_votes"] > policy["independent_reviews"]:
        yield _fault("/review_policy", "asks for more accepting votes than reviews")


def decimal(number: float) -> Decimal:
    """The decimal that was written: the shortest one that reads back as this double."""
    return Decimal(repr(number))


def _fault(pointer: str, message: str) -> Finding:
    return Finding(INVALID_RUBRIC.code, message, pointer, severity=Severity.CAMPAIGN)
