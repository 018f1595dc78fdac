"""The rules within one mavai-baseline-1 record, whatever form it came in.

Numbers may be `Decimal`s with the digits of their literals, or floats, which have lost trailing zeros: see
`transforms.baselines.stated`. The fingerprint is verified over the document's text, which is no part of the parsed
record: see `transforms.baselines.fingerprint`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from transforms.records import Code, Finding, Json
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


def _under_policy(rule: Rule) -> Rule:
    """`rule` with the severities that the campaign's policies give its codes, where they give any.

    It reports at most `max_findings_per_record`: a record may have thousands of rows.
    """

    def check(value: Json, context: RuleContext) -> Iterator[Finding]:
        found = islice(rule.check(value, context), context.limits.max_findings_per_record)
        if context.policies.keys().isdisjoint(code.code for code in rule.codes):
            yield from found
            return
        severities = {code.code: severity_of(code, context.policies) for code in rule.codes}
        for finding in found:
            if severity := severities[finding.code]:
                yield replace(finding, severity=severity)

    return Rule(rule.codes, check)


CODES: tuple[Code, ...] = tuple(code for part in _PARTS for code in part.CODES)
RULES: tuple[Rule, ...] = tuple(_under_policy(rule) for part in _PARTS for rule in part.RULES)
