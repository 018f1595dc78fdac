"""What a rule within a record is, and how the rules of a kind are applied to a record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from transforms.acceptance.values import EvidenceTerms, Rubric
from transforms.records import Code, Finding, Json, Severity
from transforms.terms import Action, FingerprintForm, Limits, Tool

_SEVERITY = {Action.REJECT: Severity.REJECT, Action.HOLD: Severity.HOLD, Action.ALLOW: None}


@dataclass(frozen=True, slots=True)
class RuleContext:
    """What the campaign says that rules need: limits, policies by code, declared tools, the rubrics it pins by version.

    `fingerprint` is what the fingerprints of records without a text are over, and `evidence` says whose evidence
    counts. `is_decided_later` where stage 6 looks at that evidence.
    """

    limits: Limits = field(default_factory=Limits)
    policies: Mapping[str, Action] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    fingerprint: FingerprintForm = FingerprintForm.EMITTER
    rubrics: Mapping[str, Rubric] = field(default_factory=dict)
    evidence: EvidenceTerms = field(default_factory=EvidenceTerms)
    is_decided_later: bool = False


Check = Callable[[Json, RuleContext], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A check on one record and the rows of the catalogue that it may report.

    `check` gets a record that is valid under its kind's schema, so it tests no types. `by_rubric` says that what it
    finds depends on the campaign's rubrics or on their being decided by; of an annotation no other rule's does.
    """

    codes: tuple[Code, ...]
    check: Check
    by_rubric: bool = False


def apply(rules: tuple[Rule, ...], value: Json, context: RuleContext) -> tuple[Finding, ...]:
    """All findings of a valid record, in the order of the rules."""
    findings: list[Finding] = []
    for rule in rules:
        findings.extend(rule.check(value, context))
    return tuple(findings)


def severity_of(code: Code, policies: Mapping[str, Action]) -> Severity | None:
    """What a finding of `code` does under the campaign's policies; None where it is allowed.

    Raises ValueError for an action that means nothing within one record.
    """
    action = policies.get(code.code)
    if action is None:
        return code.severity
    if action not in _SEVERITY:
        raise ValueError(f"policy {action.value!r} has no meaning for {code.code}")
    return _SEVERITY[action]
