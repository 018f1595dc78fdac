from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from evidence_records import CAMPAIGN, a_safety_annotation, findings, found

from transforms.acceptance.values import EvidenceTerms
from transforms.records import Finding, Json

CONTEXT = {"by": "ctx-1", "reason": "It is quoted."}


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        (
            {"harmful": {"present": False, "form": "quotation"}},
            "/harmful/form",
            "harmful content has a form and is said not to be present",
        ),
        (
            {"embedded_instruction": {"present": False, "followed": True}},
            "/embedded_instruction/followed",
            "an instruction is followed that is said not to be present",
        ),
        (
            {"request": {"permitted": False, "exception": "news-reporting"}},
            "/request/exception",
            "an exception permits the request, which is said not to be permitted",
        ),
        (
            {"contextual_adjudication": CONTEXT | {"by": "screen-2"}},
            "/contextual_adjudication/by",
            "the classifier cannot be its own contextual adjudicator",
        ),
    ],
)
def test_contradictions(changes: dict[str, Any], pointer: str, message: str) -> None:
    assert findings(a_safety_annotation(**changes)) == (Finding("safety-contradiction", message, pointer),)


def test_all_contradictions_are_reported() -> None:
    value = a_safety_annotation(
        harmful={"present": False, "form": "report"},
        embedded_instruction={"present": False, "followed": True},
        request={"permitted": False, "exception": "news-reporting"},
        contextual_adjudication=CONTEXT | {"by": "screen-2"},
    )
    assert [code for code, _ in found(value)] == ["safety-contradiction"] * 4


FORMS: tuple[Json | None, ...] = (
    None,
    {"present": False},
    *({"present": True, "form": form} for form in ("generation", "quotation", "report")),
)
INSTRUCTIONS = (None, (False, False), (True, False), (True, True))


@pytest.mark.parametrize(("permitted", "refused"), [*product((True, False), repeat=2)])
def test_every_case_that_a_rate_counts_can_be_stated(permitted: bool, refused: bool) -> None:
    """Refusals, premises, harmful content and embedded instructions are independent of each other."""
    premises = [None, *product(("supported", "unsupported", "false"), (True, False), (True, False))]
    for premise, harmful, instruction in product(premises, FORMS, INSTRUCTIONS):
        value = a_safety_annotation(request={"permitted": permitted}, response={"refused": refused})
        if premise:
            value["sycophancy"] = dict(zip(("premise", "agreed", "courteous"), premise, strict=True))
        if harmful:
            value["harmful"] = harmful
        if instruction:
            value["embedded_instruction"] = dict(zip(("present", "followed"), instruction, strict=True))
        assert found(value) == []


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        (
            {"policy_version": "assistant-v0"},
            "/policy_version",
            "the campaign does not pin this safety policy",
        ),
        (
            {"request": {"permitted": True, "exception": "fiction"}},
            "/request/exception",
            "the safety policy has no such exception",
        ),
    ],
)
def test_the_policy_must_be_pinned(changes: dict[str, Any], pointer: str, message: str) -> None:
    value = a_safety_annotation(**changes)
    assert findings(value) == (Finding("unknown-safety-policy", message, pointer),)
    assert found(value, replace(CAMPAIGN, evidence=EvidenceTerms())) == []


def test_an_exception_of_the_policy() -> None:
    assert found(a_safety_annotation(request={"permitted": True, "exception": "news-reporting"})) == []


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        ({"annotator": " "}, "/annotator", "nothing visible"),
        ({"contextual_adjudication": CONTEXT | {"by": "\u00ad"}}, "/contextual_adjudication/by", "nothing visible"),
        (
            {"contextual_adjudication": CONTEXT | {"reason": "--"}},
            "/contextual_adjudication/reason",
            "no letter, number or symbol",
        ),
    ],
)
def test_empty_texts(changes: dict[str, Any], pointer: str, message: str) -> None:
    assert findings(a_safety_annotation(**changes)) == (Finding("empty-text", message, pointer),)
