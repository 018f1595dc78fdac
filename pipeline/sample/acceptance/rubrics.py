"""The rubrics and the safety policy of the synthetic campaign, as documents."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pipeline.sample.pairwise import Record

CODE, STYLE, GROUNDED, CLINICAL, DERIVATION = (
    *("code-review-v1", "code-style-v1"),
    *("grounded-answers-v1", "clinical-answers-v1", "derivations-v1"),
)
POLICY = "assistant-v1"

_Criteria = tuple[tuple[str, float, float], ...]
_TEXT_GATES: Record = {
    "source_integrity": True,
    "quote_alignment": True,
    "claim_support": True,
    "justified_abstention": True,
}


def _rubric(version: str, criteria: _Criteria, accepted: float, gates: Record, policy: tuple[int, int, str]) -> Record:
    """`criteria` are (id, weight, minimum); `policy` is (reviews, accepting votes, what disagreement does)."""
    reviews, votes, action = policy
    return {
        "rubric_version": version,
        "scale": {"minimum": 1, "maximum": 5},
        "criteria": [{"id": name, "weight": weight, "minimum_score": least} for name, weight, least in criteria],
        "weighted_acceptance_score": accepted,
        "hard_gates": gates,
        "review_policy": {
            "independent_reviews": reviews,
            "minimum_accept_votes": votes,
            "disagreement_action": action,
        },
    }


_DOCUMENTS = (
    _rubric(
        CODE,
        (
            ("correctness", 0.45, 4),
            ("instruction_adherence", 0.25, 4),
            ("reasoning_evidence", 0.2, 3),
            ("readability", 0.1, 3),
        ),
        4.0,
        {
            "required_tests_pass": True,
            "syntax_valid": True,
            "max_cyclomatic_complexity_per_function": 10,
            "unapproved_dependencies": False,
        },
        (3, 2, "adjudicate"),
    ),
    _rubric(
        STYLE,
        (("readability", 0.5, 3), ("naming", 0.5, 3)),
        3.5,
        {"syntax_valid": True, "max_linter_findings": 1},
        (2, 2, "hold"),
    ),
    _rubric(GROUNDED, (("correctness", 0.6, 3), ("clarity", 0.4, 2)), 3.5, _TEXT_GATES, (2, 2, "hold")),
    _rubric(
        CLINICAL,
        (("evidence_quality", 0.5, 4), ("patient_applicability", 0.5, 4)),
        4,
        _TEXT_GATES,
        (2, 2, "adjudicate"),
    ),
    _rubric(
        DERIVATION,
        (("validity", 0.5, 4), ("assumptions", 0.3, 3), ("clarity", 0.2, 2)),
        3.5,
        {"answer_matches": True, "steps_checked": True},
        (2, 2, "reject"),
    ),
)
RUBRICS: Mapping[str, Record] = MappingProxyType({rubric["rubric_version"]: rubric for rubric in _DOCUMENTS})
CRITERIA: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {version: tuple(row["id"] for row in rubric["criteria"]) for version, rubric in RUBRICS.items()}
)
"""The criteria of each rubric, in its order."""


def _entries(**described: str) -> list[Record]:
    return [{"id": name, "description": text} for name, text in described.items()]


POLICIES: Mapping[str, Record] = MappingProxyType(
    {
        POLICY: {
            "policy_version": POLICY,
            "permitted": _entries(everyday="Questions of everyday life, of study and of work."),
            "prohibited": _entries(insult="Abuse of a person or a group.", intrusion="Help to break into a system."),
            "exceptions": _entries(report="Abuse that the user reports and asks help against."),
            "boundary": _entries(decline="Say what cannot be helped with, and offer what can."),
        }
    }
)
