"""Grounding numbers: which claim counts where, and that no number stands for another."""

from __future__ import annotations

from typing import Any

from evidence_values import claim, review
from hypothesis import given
from hypothesis import strategies as st

from transforms.acceptance.grounding import Grounding, count_grounding, grounding_summary
from transforms.acceptance.interval import Share, published
from transforms.acceptance.values import Claim, EvidencePolicy, Review
from transforms.records import Json

ANSWERS: Json = {"abstain": False}
ABSTAINS: Json = {"abstain": True}
NONE = {"numerator": 0, "denominator": 0, "low": None, "high": None}


def numbers(*claims: Claim, policy: EvidencePolicy = EvidencePolicy.CITED) -> dict[str, str]:
    summary = grounding_summary(count_grounding([(ANSWERS, (review("a", claims=claims),))]), policy)
    return {
        name: f"{summary[name]['numerator']}/{summary[name]['denominator']}"
        for name in ("citation_coverage", "faithfulness", "factuality", "penalised")
    }


def row(coverage: str, faithfulness: str, factuality: str, penalised: str) -> dict[str, str]:
    return {
        "citation_coverage": coverage,
        "faithfulness": faithfulness,
        "factuality": factuality,
        "penalised": penalised,
    }


def test_one_claim_of_each_sort() -> None:
    assert numbers(claim()) == row("1/1", "1/1", "0/0", "0/1")
    assert numbers(claim("unsupported")) == row("0/1", "0/1", "0/0", "1/1")
    assert numbers(claim("contradicted")) == row("0/1", "0/1", "0/0", "1/1")
    assert numbers(claim(material=False)) == row("0/0", "1/1", "0/0", "0/0")
    assert numbers(claim("unsupported", material=False)) == row("0/0", "0/1", "0/0", "0/0")


def test_faithful_and_false_and_the_reverse() -> None:
    assert numbers(claim(factual=False)) == row("1/1", "1/1", "0/1", "0/1")
    assert numbers(claim("unsupported", factual=True)) == row("0/1", "0/1", "1/1", "1/1")


def test_the_evidence_policy_changes_what_is_penalised_and_nothing_else() -> None:
    claims = (
        claim("unsupported", factual=True),
        claim("unsupported", factual=False),
        claim("unsupported"),
        claim("contradicted", factual=True),
        claim("unsupported", material=False, factual=True),
        claim(factual=True),
    )
    assert numbers(*claims) == row("1/5", "1/6", "4/5", "4/5")
    assert numbers(*claims, policy=EvidencePolicy.CITED_OR_FACTUAL) == row("1/5", "1/6", "4/5", "3/5")


def test_claims_of_reviews_that_do_not_count_are_left_out() -> None:
    reviews = (
        review("a", claims=(claim(),)),
        review("b", claims=(claim("unsupported"),)),
        review("a", claims=(claim("contradicted"),)),
        review("judge", claims=(claim("contradicted"),), independent=False, automatic=True),
    )
    assert count_grounding([(ANSWERS, reviews)]) == Grounding(
        claims=2, supported=1, material=2, material_supported=1, answered=1
    )


def says(*words: bool) -> tuple[Review, ...]:
    return tuple(review(f"r{at}", gates={"justified_abstention": word}) for at, word in enumerate(words))


def test_abstentions_are_told_apart_from_unfinished_answers() -> None:
    records: list[tuple[Json, tuple[Review, ...]]] = [
        (ABSTAINS, says(True, True)),
        (ABSTAINS, says(False)),
        (ABSTAINS, says(True, False, False)),
        (ABSTAINS, says(True, False)),
        (ABSTAINS, (review("a"),)),
        (ABSTAINS, ()),
        (ANSWERS, says(False)),
        (ANSWERS, ()),
    ]
    assert grounding_summary(count_grounding(records))["answers"] == {
        "answered": 2,
        "justified_abstention": 1,
        "unfinished": 2,
        "unsettled_abstention": 3,
    }


def test_what_is_published() -> None:
    claims = (claim(factual=True), claim(), claim("unsupported", factual=False))
    counts = count_grounding([(ANSWERS, (review("a", claims=claims),))])
    assert grounding_summary(counts) == {
        "citation_coverage": {"numerator": 2, "denominator": 3, "low": 0.20766, "high": 0.938508},
        "faithfulness": {"numerator": 2, "denominator": 3, "low": 0.20766, "high": 0.938508},
        "factuality": published(Share(1, 2)),
        "evidence_policy": "cited",
        "penalised": {"numerator": 1, "denominator": 3, "low": 0.061492, "high": 0.79234},
        "answers": {"answered": 1, "justified_abstention": 0, "unfinished": 0, "unsettled_abstention": 0},
    }


def test_nothing_to_count() -> None:
    summary = grounding_summary(count_grounding([]))
    assert [summary[name] for name in ("citation_coverage", "faithfulness", "factuality", "penalised")] == [NONE] * 4


CLAIMS = st.builds(
    Claim,
    st.just("so"),
    st.booleans(),
    st.sampled_from(("supported", "unsupported", "contradicted")),
    st.sampled_from((None, True, False)),
)
REVIEWS = st.builds(
    lambda name, claims, gates: review(name, claims=tuple(claims), gates=gates),
    st.sampled_from("abc"),
    st.lists(CLAIMS, max_size=4),
    st.dictionaries(st.just("justified_abstention"), st.booleans()),
)
RECORDS = st.lists(st.tuples(st.sampled_from((ANSWERS, ABSTAINS)), st.lists(REVIEWS, max_size=3)), max_size=6)


@given(RECORDS, st.integers(0, 6))
def test_counts_of_parts_add_up(records: list[tuple[Json, list[Review]]], cut: int) -> None:
    first, second = count_grounding(records[:cut]), count_grounding(records[cut:])
    assert first + second == second + first == count_grounding(records[::-1])


@given(RECORDS, st.sampled_from(EvidencePolicy))
def test_no_share_passes_its_whole(records: list[tuple[Json, list[Review]]], policy: EvidencePolicy) -> None:
    summary: dict[str, Any] = grounding_summary(count_grounding(records), policy)
    for name in ("citation_coverage", "faithfulness", "factuality", "penalised"):
        assert 0 <= summary[name]["numerator"] <= summary[name]["denominator"]
    assert sum(summary["answers"].values()) == len(records)
