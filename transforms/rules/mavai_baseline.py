"""The rules within one mavai-baseline-1 record, whatever form it came in.

Numbers that have a fraction or an exponent are `Decimal`s with the digits of their literals: see
`transforms.baselines.stated`, which takes floats too. The fingerprint is verified over the document's text, which is no
part of the parsed record: see `transforms.baselines.fingerprint`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from heapq import nsmallest
from itertools import islice

from transforms.records import Code, Finding, Json, Severity
from transforms.rules import (
    baseline_counts,
    baseline_dates,
    baseline_failures,
    baseline_latency,
    baseline_rates,
    baseline_standings,
)
from transforms.rules.rule import Rule, RuleContext, severity_of

_PARTS = (
    baseline_counts,
    baseline_rates,
    baseline_failures,
    baseline_standings,
    baseline_latency,
    baseline_dates,
)
_GRAVEST_FIRST = (Severity.REJECT, Severity.HOLD, Severity.WARN)


def _under_policy(rule: Rule) -> Rule:
    """`rule` with the severities that the campaign's policies give its codes, where they give any.

    It reports at most `max_findings_per_record`, the gravest first where they differ: a record may have thousands of
    rows, and what is left out must not decide what becomes of it.
    """

    def check(value: Json, context: RuleContext) -> Iterator[Finding]:
        severities = {code.code: severity_of(code, context.policies) for code in rule.codes}
        given = {severity for severity in severities.values() if severity}
        if not given:
            return
        found = _with_severities(rule.check(value, context), severities)
        most = context.limits.max_findings_per_record
        yield from islice(found, most) if len(given) == 1 else nsmallest(most, found, key=_gravity)

    return Rule(rule.codes, check)


def _with_severities(found: Iterable[Finding], severities: Mapping[str, Severity | None]) -> Iterator[Finding]:
    """The findings that are not allowed."""
    for finding in found:
        if severity := severities[finding.code]:
            yield replace(finding, severity=severity)


def _gravity(finding: Finding) -> int:
    return _GRAVEST_FIRST.index(finding.severity)


CODES: tuple[Code, ...] = tuple(code for part in _PARTS for code in part.CODES)
RULES: tuple[Rule, ...] = tuple(_under_policy(rule) for part in _PARTS for rule in part.RULES)
