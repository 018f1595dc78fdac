"""Derivations that gates decide: the final answer against the expected one, and what reviewers say of the steps."""

from __future__ import annotations

from pipeline.sample.acceptance.case import Case
from pipeline.sample.acceptance.evidence import CHECKED, MISSING, REJECT, failed, panel, review, saying
from pipeline.sample.acceptance.subjects import SQUARE, derivation
from pipeline.sample.bundles import symbolic_expected

_STEPS = panel("ann", "ben", **CHECKED)
CASES: tuple[Case, ...] = (
    Case("expression-matches", derivation("x^2 - 2x + 1", **SQUARE), _STEPS),
    Case("wrong-number", derivation("2.4 m/s"), _STEPS, (*failed("answer_matches"), "numeric-answer-mismatch")),
    Case("wrong-unit", derivation("2.5 kg"), _STEPS, (*failed("answer_matches"), "unit-mismatch")),
    Case(
        "wrong-expression",
        derivation("x^2 - 1", **SQUARE),
        _STEPS,
        (*failed("answer_matches"), "symbolic-answer-mismatch"),
    ),
    Case("no-number", derivation("about 2.5 m/s"), _STEPS, (*failed("answer_matches"), "unparsable-answer")),
    Case("no-expected-answer", derivation(expected={}), _STEPS, MISSING),
    Case(
        # Equal, and beyond what is proven within bounds.
        "equality-undecided",
        derivation(
            "log(x^3 + 1)",
            problem="Write log(x + 1) + log(x^2 - x + 1) as one logarithm.",
            expected=symbolic_expected("log(x + 1) + log(x^2 - x + 1)"),
        ),
        _STEPS,
        (*MISSING, "answer-check-timeout"),
    ),
    Case("steps-do-not-hold", derivation(), saying("steps_checked", False, False), failed("steps_checked")),
    Case("steps-disputed", derivation(), saying("steps_checked", True, False), MISSING),
    Case("steps-unspoken", derivation(), panel("ann", "ben"), MISSING),
    Case(
        "derivation-one-to-one",
        derivation(),
        (review("ann", **CHECKED), review("ben", REJECT, **CHECKED)),
        ("review-disagreement",),
    ),
)
