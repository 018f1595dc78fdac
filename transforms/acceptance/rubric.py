"""Rubric documents: what makes one usable beyond its schema, and its values. Arithmetic is decimal throughout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal, localcontext
from typing import Any

import schemas
from transforms.acceptance.gate_names import BY_NAME, means_something
from transforms.acceptance.values import Criterion, Disagreement, Gate, ReviewPolicy, Rubric
from transforms.parsing.exact_numbers import as_doubles, bounded_number
from transforms.parsing.json_reference import parse_exact
from transforms.parsing.json_strict import loads_document
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.text import excerpt
from transforms.structure import check, compile_validator
from transforms.terms import Validator

INVALID_RUBRIC = Code(
    "invalid-rubric",
    Stage.CAMPAIGN,
    Severity.CAMPAIGN,
    "A rubric cannot be used: weights that do not sum to exactly one, a repeated criterion, a score outside the scale, "
    "an unknown gate or a value that means nothing for it, or a review policy that cannot be met.",
    "weights 0.45, 0.25, 0.2 and 0.11, which sum to 1.01",
    "Correct the rubric under a new version and pin it. Weights are read as the decimals that are written.",
)
CODES = (INVALID_RUBRIC,)
_BOUND = 100
# More digits than the exact sum of weights of 50 digits has, or of doubles as they are written.
_EXACT = 400


def loads_rubric(data: bytes) -> Any | Finding:
    """Read a rubric's document as strictly as any, its numbers with the digits in which they are written.

    One that has a fraction or an exponent and over 50 digits is `number-out-of-range`.
    """
    value = loads_document(data)
    return value if isinstance(value, Finding) else parse_exact(data, bounded_number)


def check_rubric(version: str, rubric: Any) -> tuple[Finding, ...]:
    """Everything wrong with a rubric, as `loads_rubric` reads it, that the campaign lists as `version`."""
    compiled = compile_validator(schemas.load_schema("documents", "rubric-v1"), Validator())
    broken = check(as_doubles(rubric), compiled, _BOUND)
    if broken:
        return tuple(replace(finding, severity=Severity.CAMPAIGN) for finding in broken)
    found = (*_version_faults(version, rubric), *_integer_faults(rubric))
    found += (*_scale_faults(rubric), *_weight_faults(rubric["criteria"]))
    return (*found, *_gate_faults(rubric.get("hard_gates", {})), *_policy_faults(rubric.get("review_policy")))


def read_rubric(value: Json) -> Rubric:
    """The rubric of a parsed document that `check_rubric` finds nothing wrong with. Gates keep their order."""
    scale = value["scale"]
    return Rubric(
        version=value["rubric_version"],
        minimum=decimal(scale["minimum"]),
        maximum=decimal(scale["maximum"]),
        criteria=tuple(
            Criterion(row["id"], decimal(row["weight"]), decimal(row["minimum_score"]), row.get("qualification"))
            for row in value["criteria"]
        ),
        acceptance=decimal(value["weighted_acceptance_score"]),
        gates=tuple(
            Gate(name, wanted if isinstance(wanted, bool) else int(wanted))
            for name, wanted in value.get("hard_gates", {}).items()
        ),
        policy=_policy(value["review_policy"]) if "review_policy" in value else ReviewPolicy(),
    )


def decimal(number: float | Decimal | str) -> Decimal:
    """The decimal that was written; of a double the shortest one that reads back as it."""
    return Decimal(str(number))


def _policy(value: Json) -> ReviewPolicy:
    reviews, votes = int(value["independent_reviews"]), int(value["minimum_accept_votes"])
    return ReviewPolicy(reviews, votes, Disagreement(value["disagreement_action"]))


def _version_faults(version: str, rubric: Json) -> Iterator[Finding]:
    said = rubric["rubric_version"]
    if said != version:
        yield _fault("/rubric_version", f"says {excerpt(said)}, the campaign lists it as {excerpt(version)}")


def _integer_faults(rubric: Json) -> Iterator[Finding]:
    """The schema judges doubles: 3.00000000000000000001 is an integer there."""
    for member in ("scale", "hard_gates", "review_policy"):
        for name, number in rubric.get(member, {}).items():
            if isinstance(number, Decimal) and number != number.to_integral_value():
                yield _fault(f"/{member}/{name}", "is no integer")


def _scale_faults(rubric: Json) -> Iterator[Finding]:
    least, most = rubric["scale"]["minimum"], rubric["scale"]["maximum"]
    if least >= most:
        # Every score lies outside such a scale: nothing else can be said of them.
        yield _fault("/scale", "the minimum is not below the maximum")
        return
    for index, criterion in enumerate(rubric["criteria"]):
        if not least <= criterion["minimum_score"] <= most:
            yield _fault(f"/criteria/{index}/minimum_score", f"outside the scale, {least} to {most}")
    if not least <= rubric["weighted_acceptance_score"] <= most:
        yield _fault("/weighted_acceptance_score", f"outside the scale, {least} to {most}")


def _weight_faults(criteria: list[Json]) -> Iterator[Finding]:
    with localcontext(prec=_EXACT):
        total = sum((decimal(criterion["weight"]) for criterion in criteria), Decimal(0))
    if total != 1:
        yield _fault("/criteria", f"the weights sum to {total}, not to 1")
    for identifier, count in sorted(Counter(criterion["id"] for criterion in criteria).items()):
        if count > 1:
            yield _fault("/criteria", f"{excerpt(identifier)} stands {count} times")


def _gate_faults(gates: Json) -> Iterator[Finding]:
    for name, wanted in gates.items():
        pointer = f"/hard_gates/{name}"
        if name not in BY_NAME:
            yield _fault(pointer, f"no gate is called {excerpt(name)}; known are {', '.join(sorted(BY_NAME))}")
        elif not means_something(BY_NAME[name], wanted):
            yield _fault(pointer, f"must be {BY_NAME[name].wanted.value}")


def _policy_faults(policy: Json | None) -> Iterator[Finding]:
    # Nothing else is out of reach: reviewers who all accept are always a majority.
    if policy and policy["minimum_accept_votes"] > policy["independent_reviews"]:
        yield _fault("/review_policy", "asks for more accepting votes than reviews")


def _fault(pointer: str, message: str) -> Finding:
    return Finding(INVALID_RUBRIC.code, message, pointer, severity=Severity.CAMPAIGN)
