"""How far answers rest on the evidence they cite, by the claims that independent reviews judge.

Counted is each claim as each review judges it: a claim that three reviewers name counts three times, since nothing
says which of their claims are one. Intervals treat these as independent, which they are not quite: they are somewhat
too narrow where records have many claims or reviews.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from transforms.acceptance.decision import independent
from transforms.acceptance.interval import Share, published
from transforms.acceptance.text_gates import said_of
from transforms.acceptance.values import Answer, Claim, EvidencePolicy, Review
from transforms.records import Json

_ABSTENTION = "justified_abstention"


@dataclass(frozen=True, slots=True)
class Grounding:
    """Counts over any number of records; those of disjoint sets of records add up.

    Of claims: all, those supported, the material ones, those of them supported, material ones unsupported and yet
    factual (excused), those of which a reviewer says whether they are factual, and those that are.
    Of records: answers, and abstentions that reviewers find justified, find unfinished, or do not settle.
    """

    claims: int = 0
    supported: int = 0
    material: int = 0
    material_supported: int = 0
    material_excused: int = 0
    stated: int = 0
    factual: int = 0
    answered: int = 0
    justified: int = 0
    unfinished: int = 0
    unsettled: int = 0

    def __add__(self, other: Grounding) -> Grounding:
        return Grounding(*(getattr(self, name) + getattr(other, name) for name in _COUNTS))


_COUNTS = tuple(count.name for count in fields(Grounding))


def count_grounding(records: Iterable[tuple[Json, Sequence[Review]]]) -> Grounding:
    """The counts of valid grounded-qa-v1 records, each with the reviews that count as evidence on it."""
    total = Grounding()
    for value, reviews in records:
        claims = [claim for review in independent(reviews) for claim in review.claims]
        total = total + _of_claims(claims) + _of_answer(value, reviews)
    return total


def _of_claims(claims: Sequence[Claim]) -> Grounding:
    material = [claim for claim in claims if claim.material]
    return Grounding(
        claims=len(claims),
        supported=sum(claim.support == "supported" for claim in claims),
        material=len(material),
        material_supported=sum(claim.support == "supported" for claim in material),
        material_excused=sum(claim.support == "unsupported" and claim.factual is True for claim in material),
        stated=sum(claim.factual is not None for claim in claims),
        factual=sum(claim.factual is True for claim in claims),
    )


def _of_answer(value: Json, reviews: Sequence[Review]) -> Grounding:
    """An answer, or an abstention: right to abstain, unfinished because the documents answer the question, or open."""
    if not value["abstain"]:
        return Grounding(answered=1)
    said = said_of(_ABSTENTION, reviews).answer
    if said is Answer.MISSING:
        return Grounding(unsettled=1)
    return Grounding(justified=1) if said is Answer.PASS else Grounding(unfinished=1)


def grounding_summary(counts: Grounding, policy: EvidencePolicy = EvidencePolicy.CITED) -> Json:
    """The published numbers, none merged with another.

    `citation_coverage` is the share of material claims that the cited evidence supports, `faithfulness` that of all
    claims which stay within it, `factuality` that of claims which are true among those of which a reviewer says so
    or not. `penalised` is the share of material claims that the evidence policy counts against the answers.
    """
    unsupported = counts.material - counts.material_supported
    excused = counts.material_excused if policy is EvidencePolicy.CITED_OR_FACTUAL else 0
    return {
        "citation_coverage": published(Share(counts.material_supported, counts.material)),
        "faithfulness": published(Share(counts.supported, counts.claims)),
        "factuality": published(Share(counts.factual, counts.stated)),
        "evidence_policy": policy.value,
        "penalised": published(Share(unsupported - excused, counts.material)),
        "answers": {
            "answered": counts.answered,
            "justified_abstention": counts.justified,
            "unfinished": counts.unfinished,
            "unsettled_abstention": counts.unsettled,
        },
    }
