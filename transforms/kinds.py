"""The table of record kinds: what a stream's `kind` means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pyarrow as pa

from transforms.baselines import derived
from transforms.reading import Read, read_document, read_record, read_scored
from transforms.records import Finding, Json, Line
from transforms.rules import (
    adjudication,
    agent_trace,
    agent_trace_v2,
    code_execution,
    document,
    grounded_qa,
    input_task,
    math_derivation,
    mavai_baseline,
    pairwise,
    review,
    safety_annotation,
    tool_execution,
)
from transforms.rules.rule import Rule, RuleContext
from transforms.subjects import (
    Subject,
    agent_trace_subject,
    agent_trace_v2_subject,
    grounded_qa_subject,
    input_task_subject,
    math_derivation_subject,
    pairwise_subject,
)
from transforms.terms import Limits


@dataclass(frozen=True, slots=True)
class Kind:
    """A record kind.

    `name` is also the schema version that its rules are written for, and the folder of its schema under
    `schemas/records/`. `version_field` and `rubric_field` name the members that declare versions, or are
    None. `subject` gives the digests of what a valid record is about, None for kinds about no task, and
    `conversation` the texts that a task's own size bound counts, None for facts. `facts` names what records can
    be joined with. `private` says whether a record's bytes must stay out of refused files; it gets None
    for a record that did not parse, and is None itself where none must. `read` makes a value of the bytes. `columns`
    are those of accepted records beside their members and `derive` gives their values.
    """

    name: str
    version_field: str | None
    rubric_field: str | None
    rules: tuple[Rule, ...]
    subject: Callable[[Json, bool], Subject] | None = None
    conversation: Callable[[Json], Iterable[str]] | None = None
    facts: tuple[str, ...] = ()
    private: Callable[[Json | None], bool] | None = None
    read: Callable[[Line, Limits], Read | Finding] = read_record
    columns: tuple[pa.Field, ...] = ()
    derive: Callable[[Read, RuleContext], tuple[str, ...] | Finding] | None = None

    @property
    def keeps_digits(self) -> bool:
        """Whether the archival bytes are always the record's own: RFC 8785 writes other digits than those judged."""
        return self.read is not read_record


# What records are joined with, and the kind that states it.
FACTS = {"tasks": "input-task-v1", "documents": "document-v1", "executions": "tool-execution-v1"}
# What speaks for or against accepting a record, and the kind that says it. Joins know them together as "evidence".
EVIDENCE = {"reviews": "review-v1", "adjudications": "adjudication-v1", "code-executions": "code-execution-v1"}
# The kinds that name a record by its digest.
EVIDENCE_KINDS = frozenset((*EVIDENCE.values(), "safety-annotation-v1"))

_VERSION, _RUBRIC = "schema_version", "rubric_version"

KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "pairwise-v2",
            _VERSION,
            _RUBRIC,
            pairwise.RULES,
            pairwise_subject,
            pairwise.conversation,
            ("tasks",),
        ),
        Kind(
            "agent-trace-v1",
            None,
            None,
            agent_trace.RULES,
            agent_trace_subject,
            agent_trace.conversation,
            ("tasks", "executions"),
        ),
        Kind(
            "agent-trace-v2",
            _VERSION,
            _RUBRIC,
            agent_trace_v2.RULES,
            agent_trace_v2_subject,
            agent_trace_v2.conversation,
            ("tasks", "documents", "executions"),
        ),
        Kind(
            "grounded-qa-v1",
            None,
            None,
            grounded_qa.RULES,
            grounded_qa_subject,
            grounded_qa.conversation,
            ("tasks", "documents"),
            grounded_qa.private,
        ),
        Kind(
            "math-derivation-v1",
            None,
            None,
            math_derivation.RULES,
            math_derivation_subject,
            math_derivation.conversation,
            ("tasks",),
        ),
        Kind(
            "mavai-baseline-1",
            "schemaVersion",
            None,
            mavai_baseline.RULES,
            read=read_document,
            columns=derived.COLUMNS,
            derive=derived.derive,
        ),
        Kind("input-task-v1", _VERSION, None, input_task.RULES, input_task_subject),
        Kind("assignment-v1", _VERSION, None, ()),
        Kind("review-v1", _VERSION, _RUBRIC, review.RULES, private=review.private, read=read_scored),
        Kind("adjudication-v1", _VERSION, None, adjudication.RULES, private=adjudication.private, read=read_scored),
        Kind("code-execution-v1", _VERSION, None, code_execution.RULES, private=code_execution.private),
        Kind("safety-annotation-v1", _VERSION, None, safety_annotation.RULES, private=adjudication.private),
        Kind("document-v1", _VERSION, None, document.RULES),
        Kind("tool-execution-v1", _VERSION, None, tool_execution.RULES),
    )
}

# The kinds that a rubric may decide, and that evidence and assignments are about.
ANNOTATIONS = frozenset(kind.name for kind in KINDS.values() if kind.facts)
