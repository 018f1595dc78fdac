"""What is said of an answer, and the codes for it."""

from __future__ import annotations

from dataclasses import dataclass

from transforms.records import Code, Finding, Severity, Stage

NUMERIC_ANSWER_MISMATCH = Code(
    "numeric-answer-mismatch",
    Stage.JOINS,
    Severity.REJECT,
    "The final answer is a number of the right kind, yet beyond the task's tolerance, also when both are rounded "
    "as the task permits.",
    '"final_answer": "9.7 m/s^2" where the task expects 9.81 m/s^2 within 0.01',
    "Have the derivation checked. Where the answer is right after all, issue the task anew with its tolerance or "
    "rounding corrected.",
)
UNIT_MISMATCH = Code(
    "unit-mismatch",
    Stage.JOINS,
    Severity.REJECT,
    "The final answer has no unit where the task asks for one, has one where it asks for none, or has one of "
    "another dimension or one that the task does not accept.",
    '"final_answer": "9.81 m/s" where the task expects an acceleration',
    "Write the unit the task asks for after the number.",
)
SYMBOLIC_ANSWER_MISMATCH = Code(
    "symbolic-answer-mismatch",
    Stage.JOINS,
    Severity.REJECT,
    "The final answer is not the expected expression, set or choice: for an expression, the two have different "
    "values at a point of the declared domain.",
    '"final_answer": "x^2 - 1" where the task expects (x - 1)^2',
    "Have the derivation checked, and the domain the task declares: sqrt(x^2) is x for a positive x only.",
)
UNPARSABLE_ANSWER = Code(
    "unparsable-answer",
    Stage.JOINS,
    Severity.REJECT,
    "The final answer is not written in the grammar for the answer its task expects, or is larger than that grammar "
    "allows.",
    '"final_answer": "about ten metres per second"; "1/2x", which may mean two things; "9^9^9"',
    "Write the answer alone, as docs/rules-math.md says, with every product that may be misread written out.",
)
ANSWER_CHECK_TIMEOUT = Code(
    "answer-check-timeout",
    Stage.JOINS,
    Severity.HOLD,
    "Whether the final answer equals the expected one was not decided within bounds: no point of the domain tells "
    "the two apart, or only points where a part of them is not real, and no proof of equality was found.",
    '"final_answer": "2 ln x" where the task expects ln(x^2) for a real x: equal for x > 0 alone',
    "Have a person compare the two, or issue the task anew with a narrower domain or a simpler expression.",
)
CODES: tuple[Code, ...] = (
    NUMERIC_ANSWER_MISMATCH,
    UNIT_MISMATCH,
    SYMBOLIC_ANSWER_MISMATCH,
    UNPARSABLE_ANSWER,
    ANSWER_CHECK_TIMEOUT,
)


class UnparsableError(Exception):
    """A text is not written in the grammar it should be in; says why in a bounded message."""


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """What was found of an answer: a row of `CODES` and a bounded message, or None and "" where it is right.

    A message never tells what the task expects: it may be shown to the contributor.
    """

    code: Code | None = None
    message: str = ""

    def findings(self, pointer: str = "/final_answer") -> tuple[Finding, ...]:
        """The verdict as findings of the record that holds the answer at `pointer`."""
        if self.code is None:
            return ()
        return (Finding(self.code.code, self.message, pointer, severity=self.code.severity),)


RIGHT = AnswerVerdict()
