"""Every code of the product, from the rows that stand beside the checks."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline import campaign_codes
from pipeline.verify import codes as verify_codes
from transforms import schema_check, structure
from transforms.acceptance import clinical, decision_codes, rubric
from transforms.adapters import workbench_ab
from transforms.answers import verdict
from transforms.baselines import fingerprint
from transforms.citations import quotes
from transforms.joins import candidates, domains, duplicates, issue, lookalikes, remeasurements, tasks
from transforms.joins import evidence as evidence_join
from transforms.migrations import migrate
from transforms.parsing import json_strict, yaml_strict
from transforms.records import Code
from transforms.rules import (
    agent_trace_v2,
    answer_evidence,
    code_execution,
    document,
    event_order,
    evidence,
    grounded_qa,
    input_task,
    math_derivation,
    mavai_baseline,
    pairwise,
    rationale,
    review,
    safety_annotation,
    text,
    tool_execution,
    tool_trace,
)
from transforms.shards import gzip_stream, lines, plan, sniff

_SOURCES: tuple[tuple[Code, ...], ...] = (
    lines.CODES,
    plan.CODES,
    sniff.CODES,
    gzip_stream.CODES,
    json_strict.CODES,
    yaml_strict.CODES,
    structure.CODES,
    workbench_ab.CODES,
    migrate.CODES,
    text.CODES,
    pairwise.CODES,
    rationale.CODES,
    tool_trace.CODES,
    answer_evidence.CODES,
    agent_trace_v2.CODES,
    event_order.CODES,
    grounded_qa.CODES,
    document.CODES,
    math_derivation.CODES,
    mavai_baseline.CODES,
    fingerprint.CODES,
    input_task.CODES,
    evidence.CODES,
    review.CODES,
    code_execution.CODES,
    safety_annotation.CODES,
    duplicates.CODES,
    tasks.CODES,
    candidates.CODES,
    lookalikes.CODES,
    remeasurements.CODES,
    issue.CODES,
    domains.CODES,
    tool_execution.JOIN_CODES,
    quotes.JOIN_CODES,
    evidence_join.CODES,
    decision_codes.CODES,
    clinical.CODES,
    verdict.CODES,
    schema_check.CODES,
    rubric.CODES,
    campaign_codes.CODES,
    verify_codes.CODES,
)


def catalogue() -> Mapping[str, Code]:
    """Every code by its name, in the order of stages. Raises ValueError where two rows share a name."""
    rows = sorted((code for source in _SOURCES for code in source), key=lambda code: (code.stage, code.code))
    by_name = {code.code: code for code in rows}
    if len(by_name) != len(rows):
        raise ValueError("two rows of the catalogue share a code")
    return by_name


def row_of(code: str, known: Mapping[str, Code]) -> Code | None:
    """The row that explains a code: its own, or that of its family, which names a member behind a slash."""
    return known.get(code) or known.get(code.partition("/")[0])
