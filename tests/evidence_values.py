"""Rubrics and evidence in few words, for tests of decisions."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from transforms.acceptance.values import (
    Adjudication,
    Claim,
    Criterion,
    Disagreement,
    Gate,
    Review,
    ReviewPolicy,
    Rubric,
    Vote,
)

Y, N = Vote.ACCEPT, Vote.REJECT


def sha(name: str) -> str:
    """A digest that shows whose it is."""
    return name.encode().hex().ljust(64, "0")[:64]


def review(name: str, vote: Vote = Y, scores: str | Mapping[str, str] = "4 4 4 4", **more: Any) -> Review:
    """A review by `name`; scores in words are those of the code rubric's criteria, in its order."""
    if isinstance(scores, str):
        scores = dict(zip((criterion.id for criterion in CODE.criteria), scores.split(), strict=False))
    return Review(name, sha(name), vote, {key: Decimal(value) for key, value in scores.items()}, **more)


def reviews(votes: str, scores: str = "4 4 4 4") -> tuple[Review, ...]:
    """A review for each letter, y to accept and n to reject, by "r1", "r2" …, all with the same scores."""
    return tuple(review(f"r{at}", Y if vote == "y" else N, scores) for at, vote in enumerate(votes, 1))


def adjudication(name: str, vote: Vote = Y, subject: str = "acceptance", **scores: str) -> Adjudication:
    """An adjudication by `name`."""
    return Adjudication(name, sha(name), subject, vote, {key: Decimal(value) for key, value in scores.items()})


def claim(support: str = "supported", *, material: bool = True, factual: bool | None = None) -> Claim:
    """A claim as a reviewer judges it."""
    return Claim("the gate opens at 06:00", material, support, factual)


CODE = Rubric(
    "code-review-v1",
    Decimal(1),
    Decimal(5),
    (
        Criterion("correctness", Decimal("0.45"), Decimal(4)),
        Criterion("instruction_adherence", Decimal("0.25"), Decimal(4)),
        Criterion("reasoning_evidence", Decimal("0.2"), Decimal(3)),
        Criterion("readability", Decimal("0.1"), Decimal(3)),
    ),
    Decimal("4.0"),
    (Gate("required_tests_pass", True), Gate("syntax_valid", True), Gate("unapproved_dependencies", False)),
    ReviewPolicy(3, 2, Disagreement.ADJUDICATE),
)
