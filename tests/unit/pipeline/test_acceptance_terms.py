"""What a campaign manifest says of stage 6, and what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from golden_campaigns import RUBRIC, STREAM, write_campaign

from pipeline.acceptance import evidence_terms, wanted_evidence
from pipeline.campaign import Campaign, load_campaign
from transforms.acceptance.code.imports import is_approved
from transforms.acceptance.rubric import read_rubric
from transforms.acceptance.values import CodeTerms, EvidencePolicy, EvidenceTerms, Executor, Judge, Suite
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Json

QA, PAIRS = "grounded-qa-v1", "pairwise-v2"
WITHOUT = {QA: ["documents", "reviews", "tasks"], PAIRS: ["reviews", "tasks"]}


def load(folder: Path, kind: str, acceptance: Json, **members: Any) -> Campaign | list[tuple[str, str, str]]:
    """The campaign of one stream with this `acceptance`, or (code, pointer, message) of each problem."""
    patch = {"streams": {STREAM: {"acceptance": acceptance}}, "without": WITHOUT[kind], **members}
    loaded = load_campaign(write_campaign(folder, "none.jsonl", patch, {}, kind))
    if isinstance(loaded, Campaign):
        return loaded
    return [(problem.code, problem.pointer, problem.message) for problem in loaded]


def sound(folder: Path, kind: str, acceptance: Json, **members: Any) -> Campaign:
    loaded = load(folder, kind, acceptance, **members)
    assert isinstance(loaded, Campaign), loaded
    return loaded


def test_a_bound_stream(tmp_path: Path) -> None:
    code = {"language": "python", "version": "3.11", "approved_dependencies": ["numpy"], "linter_rules": ["F", "E1"]}
    terms = sound(tmp_path, PAIRS, {"code": code}).streams[STREAM].terms
    assert terms.acceptance is not None
    assert terms.acceptance.code == CodeTerms("python", (3, 11), frozenset({"numpy"}), ("E1", "F"))
    assert (list(terms.rubrics), terms.acceptance.rubric) == ([RUBRIC], None)
    assert terms.rubrics[RUBRIC].criteria[0].id == "correctness"
    assert terms.acceptance.evidence_policy == EvidencePolicy.CITED


def test_a_stream_that_names_its_rubric(tmp_path: Path) -> None:
    terms = sound(tmp_path, QA, {"rubric": RUBRIC, "evidence_policy": "cited-or-factual"}).streams[STREAM].terms
    assert terms.acceptance is not None
    assert (terms.acceptance.rubric, terms.acceptance.code) == (RUBRIC, None)
    assert terms.acceptance.evidence_policy == EvidencePolicy.CITED_OR_FACTUAL


def test_a_stream_that_is_not_bound(tmp_path: Path) -> None:
    loaded = load_campaign(write_campaign(tmp_path, "none.jsonl", {}, {}, PAIRS))
    assert isinstance(loaded, Campaign)
    assert loaded.streams[STREAM].terms.acceptance is None


@pytest.mark.parametrize(
    ("kind", "acceptance", "pointer", "message"),
    [
        (PAIRS, {"rubric": RUBRIC}, "/rubric", "records of kind pairwise-v2 name their rubric themselves"),
        (QA, {}, "", "records of kind grounded-qa-v1 name no rubric: name it here"),
        (QA, {"rubric": "rag-v9"}, "/rubric", "'rag-v9' is none of the campaign's rubrics"),
    ],
)
def test_a_rubric_that_cannot_bind(kind: str, acceptance: Json, pointer: str, message: str, tmp_path: Path) -> None:
    assert load(tmp_path, kind, acceptance) == [
        ("acceptance-misstated", f"/streams/{STREAM}/acceptance{pointer}", message)
    ]


def test_no_rubric_binds_facts(tmp_path: Path) -> None:
    patch = {"streams": {STREAM: {"acceptance": {"rubric": RUBRIC}}}, "without": ["reviews"]}
    loaded = load_campaign(write_campaign(tmp_path, "none.jsonl", patch, {}, "document-v1"))
    assert not isinstance(loaded, Campaign)
    assert [problem.message for problem in loaded] == [
        "records of kind document-v1 are no annotations: no rubric is for them"
    ]


def test_gates_that_the_kind_cannot_answer(tmp_path: Path) -> None:
    rubric = {
        "rubric_version": "syntax-v1",
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": [{"id": "a", "weight": 1, "minimum_score": 1}],
        "weighted_acceptance_score": 3,
        "hard_gates": {"syntax_valid": True, "claim_support": True},
    }
    data = json.dumps(rubric).encode()
    (tmp_path / "syntax.json").write_bytes(data)
    rubrics = {"syntax-v1": {"path": "syntax.json", "sha256": sha256_hex(data)}}
    assert load(tmp_path, QA, {"rubric": "syntax-v1"}, rubrics=rubrics) == [
        (
            "acceptance-misstated",
            f"/streams/{STREAM}/acceptance/rubric",
            "no record of kind grounded-qa-v1 can answer its gate 'syntax_valid'",
        )
    ]


def test_evidence_is_there_or_declared_absent(tmp_path: Path) -> None:
    assert load(tmp_path, QA, {"rubric": RUBRIC}, without=["tasks", "documents"]) == [
        ("undeclared-absence", "/without", "there are no reviews; add them, or list 'reviews' here")
    ]


def rubric(**members: Any) -> Json:
    return {
        "rubric_version": "r",
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": [{"id": "a", "weight": 1, "minimum_score": 1}],
        "weighted_acceptance_score": 3,
        **members,
    }


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({}, {"reviews"}),
        ({"hard_gates": {"required_tests_pass": True}}, {"reviews", "code-executions"}),
        (
            {"criteria": [{"id": "a", "weight": 1, "minimum_score": 1, "qualification": "source"}]},
            {"reviews", "adjudications"},
        ),
        (
            {
                "review_policy": {
                    "independent_reviews": 2,
                    "minimum_accept_votes": 2,
                    "disagreement_action": "adjudicate",
                }
            },
            {"reviews", "adjudications"},
        ),
    ],
)
def test_the_evidence_that_rubrics_ask_for(members: Json, expected: set[str]) -> None:
    rubrics = {"r": read_rubric(rubric(**members))}
    assert wanted_evidence({"streams": {"a": {"acceptance": {}}}}, rubrics) == expected
    assert wanted_evidence({"streams": {"a": {}}}, rubrics) == set()


def test_whose_evidence_counts() -> None:
    assert evidence_terms({}, None, {}) == EvidenceTerms()
    stated = {
        "reviewers": ["ann"],
        "adjudicators": {"lead": {"qualifications": ["privacy", "clinical"]}},
        "judges": {"j": {"model": "m", "prompt_sha256": "a" * 64, "parameters": {"t": 0.0, "k": [1]}}},
        "executors": {
            "s": {"version": "1", "configuration_sha256": "b" * 64, "interpreter": "i", "timeout_seconds": 10.0}
        },
    }
    suites = {"suites": {"t-1": {"sha256": "c" * 64, "origin": "sponsor"}}}
    labels = {"harmful": ["S_1"], "harmless": ["S_0"]}
    policies = {
        "p-1": {"exceptions": [{"id": "news"}, {"id": "art"}]},
        "p-2": {"exceptions": [], "classifier_labels": labels},
    }
    parameters = sha256_hex(canonical_json({"k": [1], "t": 0}))
    assert evidence_terms({"evidence": stated}, suites, policies) == EvidenceTerms(
        reviewers=frozenset({"ann"}),
        adjudicators={"lead": frozenset({"privacy", "clinical"})},
        judges={"j": Judge("m", "a" * 64, parameters, False)},
        executors={"s": Executor("1", "b" * 64, "i", 10)},
        suites={"t-1": Suite("c" * 64, "sponsor")},
        safety_policies={"p-1": frozenset({"news", "art"}), "p-2": frozenset()},
        classifier_labels={"p-2": {"s-1": True, "s-0": False}},
    )


def test_a_module_is_approved_by_its_dotted_name(tmp_path: Path) -> None:
    code = {"language": "python", "version": "3.11", "approved_dependencies": ["google.cloud.storage"]}
    acceptance = sound(tmp_path, PAIRS, {"code": code}).streams[STREAM].terms.acceptance
    assert acceptance is not None
    assert acceptance.code is not None
    modules = ("google.cloud.storage", "google.cloud.storage.blob", "google.cloud", "google", "google.cloud.storage2")
    assert [is_approved(module, acceptance.code) for module in modules] == [True, True, False, False, False]
