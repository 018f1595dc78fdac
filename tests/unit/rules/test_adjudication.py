from __future__ import annotations

from typing import Any

import pytest
from evidence_records import GROUNDED, RUBRIC, an_adjudication, findings, found

from transforms.records import Finding
from transforms.rules import adjudication


@pytest.mark.parametrize(
    ("name", "subject"),
    [("lead-1", "acceptance"), ("dr-lee", "acceptance"), ("dr-lee", "clinical"), ("Dr-Lee ", "privacy")],
)
def test_who_may_decide_what(name: str, subject: str) -> None:
    assert found(an_adjudication(adjudicator=name, subject=subject)) == []


@pytest.mark.parametrize(
    ("name", "subject", "pointer", "message"),
    [
        ("lead-1", "clinical", "/subject", 'the adjudicator is not qualified for "clinical"'),
        ("lead-1", "privacy", "/subject", 'the adjudicator is not qualified for "privacy"'),
        ("dr-lee", "source", "/subject", 'the adjudicator is not qualified for "source"'),
        ("ann-3", "acceptance", "/adjudicator", "the adjudicator is none of the campaign's"),
        ("judge-b", "acceptance", "/adjudicator", "the adjudicator is none of the campaign's"),
        ("LEAD-1", "clinical", "/subject", 'the adjudicator is not qualified for "clinical"'),
    ],
)
def test_whose_decisions_do_not_count(name: str, subject: str, pointer: str, message: str) -> None:
    value = an_adjudication(adjudicator=name, subject=subject)
    assert findings(value) == (Finding("unauthorized-evidence", message, pointer),)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"rubric_version": RUBRIC}, []),
        ({"rubric_version": RUBRIC, "scores": {"readability": 2.5}}, []),  # no need to score them all
        ({"rubric_version": GROUNDED, "scores": {"readability": 2}}, [("review-criteria", "/scores/readability")]),
        ({"rubric_version": GROUNDED, "scores": {"correctness": 6}}, [("score-out-of-scale", "/scores/correctness")]),
        ({"rubric_version": "r-0", "scores": {"correctness": 6}}, [("unknown-review-rubric", "/rubric_version")]),
    ],
)
def test_scores_under_a_rubric(changes: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert found(an_adjudication(**changes)) == expected


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        ({"reason": "...?!"}, "/reason", "no letter, number or symbol"),
        ({"reason": "\u200b"}, "/reason", "no letter, number or symbol"),
    ],
)
def test_a_reason_says_something(changes: dict[str, Any], pointer: str, message: str) -> None:
    assert findings(an_adjudication(**changes)) == (Finding("empty-text", message, pointer),)


def test_adjudications_are_private() -> None:
    assert adjudication.private(None)
    assert adjudication.private(an_adjudication(subject="acceptance"))
