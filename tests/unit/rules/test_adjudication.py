from __future__ import annotations

from typing import Any

import pytest
from evidence_records import GROUNDED, RUBRIC, an_adjudication, findings, found

from transforms.records import Finding
from transforms.rules import adjudication


@pytest.mark.parametrize(
    ("name", "subject"),
    [("lead-1", "acceptance"), ("dr-lee", "acceptance"), ("dr-lee", "clinical"), ("dr-lee", "privacy")],
)
def test_who_may_decide_what(name: str, subject: str) -> None:
    assert found(an_adjudication(adjudicator=name, subject=subject)) == []


@pytest.mark.parametrize(
    ("name", "subject", "pointer", "message"),
    [
        ("lead-1", "clinical", "/subject", '"lead-1" is not qualified for "clinical"'),
        ("lead-1", "privacy", "/subject", '"lead-1" is not qualified for "privacy"'),
        ("dr-lee", "source", "/subject", '"dr-lee" is not qualified for "source"'),
        ("ann-3", "acceptance", "/adjudicator", '"ann-3" is none of the campaign\'s adjudicators'),
        ("judge-b", "acceptance", "/adjudicator", '"judge-b" is none of the campaign\'s adjudicators'),
        ("Dr-Lee", "clinical", "/adjudicator", '"Dr-Lee" is none of the campaign\'s adjudicators'),
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
