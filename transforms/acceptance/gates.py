"""The table of evaluators: which function answers a gate, for which kinds of record."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from transforms.acceptance import text_gates
from transforms.acceptance.code import gates as code_gates
from transforms.acceptance.gate_names import GATE_NAMES
from transforms.acceptance.values import Answer, Gate, GateAnswer, GateSubject, Rubric

Evaluate = Callable[[GateSubject, Gate], GateAnswer]

EVALUATORS: Mapping[str, Evaluate] = {**code_gates.EVALUATORS, **text_gates.EVALUATORS}

_KINDS = {row.name: row.kinds for row in GATE_NAMES}


def answers(rubric: Rubric, subject: GateSubject) -> tuple[GateAnswer, ...]:
    """What each gate of the rubric says of a record, in the rubric's order; none speaks for a kind it is not for."""
    return tuple(_answer(gate, subject) for gate in rubric.gates)


def _answer(gate: Gate, subject: GateSubject) -> GateAnswer:
    if subject.kind not in _KINDS[gate.name]:
        return GateAnswer(gate.name, Answer.MISSING, f"nothing answers it for {subject.kind}")
    return EVALUATORS[gate.name](subject, gate)
