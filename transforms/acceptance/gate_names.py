"""The hard gates that a rubric may name: what each may ask, and the kinds whose records can answer it.

Who answers a gate stands elsewhere; this table is what rubrics are checked by (contract, section 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from transforms.acceptance.values import Rubric


class Wanted(StrEnum):
    """What a rubric may ask of a gate: the one truth value that means something, or the greatest number allowed."""

    TRUE = "true"
    FALSE = "false"
    MAXIMUM = "an integer of at least 0"


@dataclass(frozen=True, slots=True)
class GateName:
    """A gate that rubrics may name. `kinds` are the record kinds that it is for.

    `by_reviews` says whether reviews answer it; the others are for machines, documents and trusted records.
    """

    name: str
    wanted: Wanted
    kinds: tuple[str, ...]
    sentence: str
    by_reviews: bool = False


_CODE, _GROUNDED, _DERIVATION = ("pairwise-v2",), ("grounded-qa-v1",), ("math-derivation-v1",)

GATE_NAMES: tuple[GateName, ...] = (
    GateName(
        "required_tests_pass",
        Wanted.TRUE,
        _CODE,
        "A trusted execution record says that the task's pinned tests ran over this very code and all passed.",
    ),
    GateName("syntax_valid", Wanted.TRUE, _CODE, "The code is a program of the pinned language version."),
    GateName(
        "max_cyclomatic_complexity_per_function",
        Wanted.MAXIMUM,
        _CODE,
        "No function of the code has a greater cyclomatic complexity than this.",
    ),
    GateName("unapproved_dependencies", Wanted.FALSE, _CODE, "The code imports only what the campaign approves."),
    GateName(
        "max_linter_findings", Wanted.MAXIMUM, _CODE, "The pinned linter rules find no more than this many faults."
    ),
    GateName(
        "source_integrity",
        Wanted.TRUE,
        _GROUNDED,
        "Every cited document is there in the cited version, and its digest is that of its text.",
    ),
    GateName("quote_alignment", Wanted.TRUE, _GROUNDED, "Every quotation is what stands at its span of its document."),
    GateName(
        "claim_support",
        Wanted.TRUE,
        _GROUNDED,
        "Reviewers find every material claim of the answer supported by the cited evidence.",
        by_reviews=True,
    ),
    GateName(
        "justified_abstention",
        Wanted.TRUE,
        _GROUNDED,
        "An answer that abstains does so because the documents do not answer the question.",
        by_reviews=True,
    ),
    GateName("answer_matches", Wanted.TRUE, _DERIVATION, "The final answer is the one that the task expects."),
    GateName(
        "steps_checked",
        Wanted.TRUE,
        _DERIVATION,
        "Reviewers have checked the steps and found them to hold.",
        by_reviews=True,
    ),
)
BY_NAME: Mapping[str, GateName] = MappingProxyType({gate.name: gate for gate in GATE_NAMES})
ANSWERED_BY_REVIEWS = frozenset(gate.name for gate in GATE_NAMES if gate.by_reviews)


def means_something(gate: GateName, wanted: bool | float) -> bool:
    """Whether a rubric may ask this of a gate.

    A maximum may be written 10.0, an integer in JSON Schema; true is no 1, and 1 is not true.
    """
    if isinstance(wanted, bool):
        return gate.wanted is (Wanted.TRUE if wanted else Wanted.FALSE)
    return gate.wanted is Wanted.MAXIMUM and wanted >= 0


def misplaced(rubric: Rubric, kind: str) -> tuple[str, ...]:
    """The gates of a rubric, in its order, that no record of `kind` can answer."""
    return tuple(gate.name for gate in rubric.gates if gate.name not in BY_NAME or kind not in BY_NAME[gate.name].kinds)
