"""The rubrics and the safety policy of the synthetic campaign, as documents."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pipeline.sample.manifest import CODE_CRITERIA, CODE_POLICY, CODE_REVIEW, rubric
from pipeline.sample.pairwise import Record

CODE, STYLE = CODE_REVIEW, "code-style-v1"
GROUNDED, CLINICAL, DERIVATION = "grounded-answers-v1", "clinical-answers-v1", "derivations-v1"
POLICY = "assistant-v1"

_TEXT_GATES: Record = {
    "source_integrity": True,
    "quote_alignment": True,
    "claim_support": True,
    "justified_abstention": True,
}


def _qualified(subject: str, document: Record) -> Record:
    """The rubric with criteria that only adjudicators qualified for the subject decide."""
    return document | {"criteria": [row | {"qualification": subject} for row in document["criteria"]]}


_DOCUMENTS = (
    rubric(
        CODE,
        CODE_CRITERIA,
        4.0,
        CODE_POLICY,
        {
            "required_tests_pass": True,
            "syntax_valid": True,
            "max_cyclomatic_complexity_per_function": 10,
            "unapproved_dependencies": False,
        },
    ),
    rubric(
        STYLE,
        (("readability", 0.5, 3), ("naming", 0.5, 3)),
        3.5,
        (2, 2, "hold"),
        {"syntax_valid": True, "max_linter_findings": 1},
    ),
    rubric(GROUNDED, (("correctness", 0.6, 3), ("clarity", 0.4, 2)), 3.5, (2, 2, "hold"), _TEXT_GATES),
    _qualified(
        "clinical",
        rubric(
            CLINICAL,
            (("evidence_quality", 0.5, 4), ("patient_applicability", 0.5, 4)),
            4,
            (2, 2, "adjudicate"),
            _TEXT_GATES,
        ),
    ),
    rubric(
        DERIVATION,
        (("validity", 0.5, 4), ("assumptions", 0.3, 3), ("clarity", 0.2, 2)),
        3.5,
        (2, 2, "reject"),
        {"answer_matches": True, "steps_checked": True},
    ),
)
RUBRICS: Mapping[str, Record] = MappingProxyType({document["rubric_version"]: document for document in _DOCUMENTS})
CRITERIA: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {version: tuple(row["id"] for row in document["criteria"]) for version, document in RUBRICS.items()}
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
