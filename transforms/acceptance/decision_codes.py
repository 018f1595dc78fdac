"""The rows of the catalogue for what a decision may find.

`gate-failed` and `criterion-below-minimum` are families: a finding's code names the gate or the criterion as well,
`gate-failed/syntax_valid`, and counts under the family's row.
"""

from __future__ import annotations

from transforms.records import Code, Severity, Stage

GATE_FAILED = Code(
    "gate-failed",
    Stage.ACCEPTANCE,
    Severity.REJECT,
    "A hard gate of the rubric does not hold. Nothing is weighed then, however good the scores. The finding names the "
    "gate: gate-failed/<gate>.",
    "gate-failed/syntax_valid: the code is no program of the pinned language version",
    "Mend what the gate is about and have the record reviewed again: with other bytes it is another record.",
)
GATE_EVIDENCE_MISSING = Code(
    "gate-evidence-missing",
    Stage.ACCEPTANCE,
    Severity.HOLD,
    "Nothing that counts says whether a hard gate of the rubric holds, or the reviewers who say so disagree.",
    "a rubric with required_tests_pass and no trusted execution record for the code; a statement in the record that "
    "its tests pass is none",
    "Supply the evidence, from somebody whom the manifest names, in the pinned version; then run again.",
)
REVIEW_INCOMPLETE = Code(
    "review-incomplete",
    Stage.ACCEPTANCE,
    Severity.HOLD,
    "The record has fewer independent reviews than its rubric asks for. A review counts if it scores every criterion "
    "without a qualification, and an automatic one if the manifest says that its judge counts.",
    "two reviews where the rubric's review_policy has independent_reviews 3",
    "Have it reviewed by further reviewers who are not its contributor, and run again.",
)
QUALIFIED_SCORE_MISSING = Code(
    "qualified-score-missing",
    Stage.ACCEPTANCE,
    Severity.HOLD,
    "A criterion of the rubric asks for a qualification, and no adjudicator who has it has scored the record on it. "
    "Scores by reviewers are recorded and do not weigh.",
    'a criterion with "qualification": "clinical", and no adjudication of "clinical" with a score for it',
    "Have somebody whom the manifest's adjudicators call qualified adjudicate that subject, with a score for the "
    "criterion; then run again.",
)
SCORE_BELOW_ACCEPTANCE = Code(
    "score-below-acceptance",
    Stage.ACCEPTANCE,
    Severity.REJECT,
    "The weighted score, the sum of each criterion's weight times the median of its scores, is below what the rubric "
    "accepts. It is exact: nothing is rounded.",
    "a weighted score of 3.85 where weighted_acceptance_score is 4",
    "Have the work improved and reviewed again. An equal score is accepted, so no score is lost to rounding.",
)
CRITERION_BELOW_MINIMUM = Code(
    "criterion-below-minimum",
    Stage.ACCEPTANCE,
    Severity.REJECT,
    "The median of a criterion's scores is below the least that the rubric allows it, whatever the weighted score. The "
    "finding names the criterion: criterion-below-minimum/<id>.",
    "criterion-below-minimum/correctness: a median of 3.5 where minimum_score is 4",
    "Have the work improved where the reviewers found it weak, and reviewed again.",
)
REVIEW_REJECTED = Code(
    "review-rejected",
    Stage.ACCEPTANCE,
    Severity.REJECT,
    "Every independent reviewer rejects the record, although its scores would do.",
    "three reviews with good scores and the vote reject",
    "Read the reviews; have the work done again, or the reviewers asked why votes and scores differ.",
)
REVIEW_DISAGREEMENT = Code(
    "review-disagreement",
    Stage.ACCEPTANCE,
    Severity.HOLD,
    "The reviewers neither accept the record, with enough votes that outnumber the rejecting ones, nor all reject it. "
    "The rubric's disagreement_action says whether it is held or rejected.",
    "one vote to accept and two to reject where minimum_accept_votes is 2",
    'Where the action is "adjudicate", have a named adjudicator decide on its acceptance; where it is "hold", have '
    "further reviewers look at it.",
)
ADJUDICATION_REJECTED = Code(
    "adjudication-rejected",
    Stage.ACCEPTANCE,
    Severity.REJECT,
    "The reviewers disagree, and the adjudicator rejects the record.",
    'two votes to accept, two to reject, and an adjudication of "acceptance" with the decision reject',
    "Read the adjudicator's reason; have the work done again.",
)
ADJUDICATION_CONFLICT = Code(
    "adjudication-conflict",
    Stage.ACCEPTANCE,
    Severity.HOLD,
    "The reviewers disagree, and so do the adjudicators: one adjudication accepts the record, another rejects it.",
    'two adjudications of "acceptance" of one record, one with the decision accept and one with reject',
    "Have the adjudicators agree, and leave one decision in the stream of adjudications.",
)
CODES: tuple[Code, ...] = (
    GATE_FAILED,
    GATE_EVIDENCE_MISSING,
    REVIEW_INCOMPLETE,
    QUALIFIED_SCORE_MISSING,
    SCORE_BELOW_ACCEPTANCE,
    CRITERION_BELOW_MINIMUM,
    REVIEW_REJECTED,
    REVIEW_DISAGREEMENT,
    ADJUDICATION_REJECTED,
    ADJUDICATION_CONFLICT,
)
