"""Gates for answers in words: what each answers, in which words, and by whose review."""

from __future__ import annotations

from typing import Any

import pytest
from evidence_values import N, claim, review, sha

from transforms.acceptance.gate_names import GATE_NAMES
from transforms.acceptance.text_gates import EVALUATORS
from transforms.acceptance.values import Answer, Evidence, Gate, GateAnswer, GateSubject, Review
from transforms.records import Finding, Json, Severity

PASS, FAIL, MISSING = Answer.PASS, Answer.FAIL, Answer.MISSING
QA: Json = {"abstain": False, "citations": [{"document_id": "tides"}]}
ABSTAINS: Json = {"abstain": True, "citations": []}
MATH: Json = {"final_answer": "4"}
DOCUMENTS = frozenset({"tasks", "documents"})


def answered(gate: str, value: Json, *reviews: Review, codes: tuple[str, ...] = (), facts: Any = ()) -> GateAnswer:
    kind = "math-derivation-v1" if value is MATH else "grounded-qa-v1"
    findings = tuple(Finding(code, "…", severity=Severity.WARN) for code in codes)
    return EVALUATORS[gate](
        GateSubject(kind, value, findings, Evidence(reviews), facts=frozenset(facts)), Gate(gate, True)
    )


def check(found: GateAnswer, gate: str, answer: Answer, detail: str, by: str | None = None) -> None:
    assert found == GateAnswer(gate, answer, detail, sha(by) if by else None)
    assert len(found.detail) <= 200


def test_there_is_an_evaluator_for_each_gate_of_kinds_in_words() -> None:
    wanted = {gate.name for gate in GATE_NAMES if {*gate.kinds} & {"grounded-qa-v1", "math-derivation-v1"}}
    assert EVALUATORS.keys() == wanted


THERE, STANDS = "every cited document is there in the cited version", "every quotation stands at its span"
UNCHECKED, NOTHING = "the citations were not held against documents", "the answer cites nothing"


@pytest.mark.parametrize(
    ("gate", "codes", "facts", "answer", "detail"),
    [
        ("source_integrity", (), DOCUMENTS, PASS, THERE),
        ("source_integrity", (), ("tasks",), MISSING, UNCHECKED),
        ("source_integrity", ("unknown-document",), DOCUMENTS, FAIL, "unknown-document"),
        ("source_integrity", ("unknown-document",), (), FAIL, "unknown-document"),
        (
            "source_integrity",
            ("document-digest-mismatch", "quote-mismatch", "unknown-document"),
            DOCUMENTS,
            FAIL,
            "unknown-document, document-digest-mismatch",
        ),
        ("source_integrity", ("quote-mismatch", "repeated-annotation"), DOCUMENTS, PASS, THERE),
        ("quote_alignment", (), DOCUMENTS, PASS, STANDS),
        ("quote_alignment", (), (), MISSING, UNCHECKED),
        ("quote_alignment", ("quote-mismatch",), DOCUMENTS, FAIL, "quote-mismatch"),
        (
            "quote_alignment",
            ("quote-mismatch", "span-out-of-bounds", "unknown-document"),
            DOCUMENTS,
            FAIL,
            "span-out-of-bounds, quote-mismatch",
        ),
        (
            "quote_alignment",
            ("document-digest-mismatch",),
            DOCUMENTS,
            MISSING,
            "not every quotation could be looked up: document-digest-mismatch",
        ),
    ],
)
def test_gates_that_the_documents_answer(
    gate: str, codes: tuple[str, ...], facts: Any, answer: Answer, detail: str
) -> None:
    check(answered(gate, QA, codes=codes, facts=facts), gate, answer, detail)


@pytest.mark.parametrize("gate", ["source_integrity", "quote_alignment"])
@pytest.mark.parametrize("facts", [(), DOCUMENTS])
def test_an_answer_without_citations_has_no_source_to_fail_it(gate: str, facts: Any) -> None:
    check(answered(gate, ABSTAINS, facts=facts), gate, PASS, NOTHING)


SUPPORTED = (claim(), claim("unsupported", material=False), claim("contradicted", material=False))
SILENT = "no independent review speaks of it"


def says(yes: int, no: int) -> str:
    return f"independent reviews that say yes: {yes}, no: {no}"


@pytest.mark.parametrize(
    ("reviews", "answer", "detail", "by"),
    [
        ((), MISSING, SILENT, None),
        ((review("a"), review("b")), MISSING, SILENT, None),
        ((review("a", claims=SUPPORTED),), PASS, says(1, 0), "a"),
        ((review("a"), review("b", N, claims=SUPPORTED)), PASS, says(1, 0), "b"),
        ((review("a", claims=(claim("unsupported", material=False),)),), PASS, says(1, 0), "a"),
        ((review("a", gates={"claim_support": True}),), PASS, says(1, 0), "a"),
        ((review("a", gates={"claim_support": False}),), FAIL, says(0, 1), "a"),
        ((review("a", gates={"source_integrity": False}),), MISSING, SILENT, None),
        ((review("a", gates={"claim_support": False}, claims=SUPPORTED),), FAIL, says(0, 1), "a"),
        ((review("a", gates={"claim_support": True}, claims=(claim("unsupported"),)),), FAIL, says(0, 1), "a"),
        ((review("a", claims=(*SUPPORTED, claim("contradicted", factual=True))),), FAIL, says(0, 1), "a"),
        (
            (review("a", claims=SUPPORTED), review("b", claims=(claim("unsupported"),))),
            MISSING,
            f"disputed; {says(1, 1)}",
            None,
        ),
        (
            (review("a", claims=SUPPORTED), review("b", claims=SUPPORTED), review("c", claims=(claim("unsupported"),))),
            MISSING,
            f"disputed; {says(2, 1)}",
            None,
        ),
        (
            (
                review("a", claims=SUPPORTED),
                review("b", claims=(claim("unsupported"),)),
                review("c", claims=(claim("contradicted"),)),
            ),
            FAIL,
            says(1, 2),
            "b",
        ),
        ((review("judge", claims=SUPPORTED, independent=False, automatic=True),), MISSING, SILENT, None),
        ((review("a", claims=SUPPORTED), review("a", claims=(claim("unsupported"),))), PASS, says(1, 0), "a"),
    ],
)
def test_claim_support(reviews: tuple[Review, ...], answer: Answer, detail: str, by: str | None) -> None:
    check(answered("claim_support", QA, *reviews), "claim_support", answer, detail, by)


def test_claim_support_of_an_abstention() -> None:
    gate = "claim_support"
    none = "the answer abstains, and no review names a claim of it"
    check(answered(gate, ABSTAINS), gate, MISSING, SILENT)
    check(answered(gate, ABSTAINS, review("judge", independent=False)), gate, MISSING, SILENT)
    check(answered(gate, ABSTAINS, review("a")), gate, PASS, none)
    check(answered(gate, ABSTAINS, review("a", claims=(claim("unsupported"),))), gate, FAIL, says(0, 1), "a")


@pytest.mark.parametrize(("gate", "value"), [("justified_abstention", ABSTAINS), ("steps_checked", MATH)])
@pytest.mark.parametrize(
    ("words", "answer", "detail", "by"),
    [
        ("", MISSING, SILENT, None),
        ("..", MISSING, SILENT, None),
        ("y", PASS, says(1, 0), "r0"),
        (".yy", PASS, says(2, 0), "r1"),
        ("n", FAIL, says(0, 1), "r0"),
        ("ynn", FAIL, says(1, 2), "r1"),
        ("yn", MISSING, f"disputed; {says(1, 1)}", None),
        ("yyn", MISSING, f"disputed; {says(2, 1)}", None),
    ],
)
def test_gates_that_reviewers_answer_by_name(
    gate: str, value: Json, words: str, answer: Answer, detail: str, by: str | None
) -> None:
    reviews = [review(f"r{at}", gates={} if word == "." else {gate: word == "y"}) for at, word in enumerate(words)]
    check(answered(gate, value, *reviews), gate, answer, detail, by)


def test_an_answer_that_does_not_abstain_needs_no_reason_to() -> None:
    gate = "justified_abstention"
    check(answered(gate, QA, review("a", gates={gate: False})), gate, PASS, "the answer does not abstain")


@pytest.mark.parametrize(
    ("codes", "facts", "answer", "detail"),
    [
        ((), ("tasks", "expected-answer"), PASS, "the final answer is the one that the task expects"),
        ((), ("tasks",), MISSING, "there is no expected answer to compare the final answer with"),
        ((), (), MISSING, "there is no expected answer to compare the final answer with"),
        (("numeric-answer-mismatch",), ("expected-answer",), FAIL, "numeric-answer-mismatch"),
        (("unit-mismatch",), (), FAIL, "unit-mismatch"),
        (("symbolic-answer-mismatch",), (), FAIL, "symbolic-answer-mismatch"),
        (("unparsable-answer",), (), FAIL, "unparsable-answer"),
        (("answer-check-timeout",), ("expected-answer",), MISSING, "not decided: answer-check-timeout"),
    ],
)
def test_answer_matches(codes: tuple[str, ...], facts: Any, answer: Answer, detail: str) -> None:
    check(answered("answer_matches", MATH, codes=codes, facts=facts), "answer_matches", answer, detail)
