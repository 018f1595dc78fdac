"""Stage 6 for a block: each sound record of it under its rubric, with the evidence that the joins brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import orjson

from transforms.acceptance.clinical import clinical_findings, waiting
from transforms.acceptance.code.gates import linter_findings
from transforms.acceptance.decision import decide
from transforms.acceptance.gates import answers
from transforms.acceptance.read_evidence import read_adjudication, read_execution, read_review
from transforms.acceptance.text_gates import DOCUMENTS, EXPECTED_ANSWER
from transforms.acceptance.values import AcceptanceTerms, Decision, Evidence, EvidenceTerms, GateSubject, Rubric
from transforms.joins.evidence import CONTRIBUTOR
from transforms.joins.join import Attached
from transforms.kinds import KINDS
from transforms.reading import Read
from transforms.records import Finding, Json, Line, Outcome, outcome_of
from transforms.terms import StreamTerms

_SHA256_BYTES = 32


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision on the record at `position` (counted from its block's first), with all that it rests on.

    `line` holds the archival bytes. `findings` are all of the record's; `linter` counts those of the pinned linter by
    rule, None where none ran.
    """

    position: int
    line: Line
    value: Json
    rubric: Rubric
    decision: Decision
    evidence: Evidence
    findings: tuple[Finding, ...]
    linter: Mapping[str, int] | None = None


def decide_records(
    rows: Iterable[tuple[int, Line]],
    findings: Mapping[int, tuple[Finding, ...]],
    attached: Mapping[int, Sequence[Attached]],
    terms: StreamTerms,
    acceptance: AcceptanceTerms,
) -> Iterator[Decided]:
    """Decide each record that is sound so far; `rows` hold archival bytes, `findings` what was found by now.

    Raises OSError where parked evidence cannot be read.
    """
    kind = KINDS[terms.kind]
    for position, line in rows:
        so_far = findings.get(position, ())
        if outcome_of(so_far) is not Outcome.ACCEPTED:
            continue
        read = kind.read(line, terms.limits)
        assert isinstance(read, Read), "an archived record is readable"
        brought = attached.get(position, ())
        evidence = read_all(brought, terms.evidence)
        rubric = terms.rubrics[read.value[kind.rubric_field] if kind.rubric_field else acceptance.rubric or ""]
        facts = terms.facts & {DOCUMENTS} | {one.kind for one in brought if one.kind == EXPECTED_ANSWER}
        subject = GateSubject(terms.kind, read.value, so_far, evidence, acceptance.code, facts)
        decision = decide(rubric, answers(rubric, subject), evidence)
        if kind.name == "grounded-qa-v1":
            decision = waiting(decision, clinical_findings(read.value, rubric, evidence))
        findings_now = (*so_far, *decision.findings)
        yield Decided(position, line, read.value, rubric, decision, evidence, findings_now, _linted(subject))


def _linted(subject: GateSubject) -> Mapping[str, int] | None:
    """How often each rule of the pinned linter finds fault with the judged code; None where none ran."""
    if subject.kind != "pairwise-v2":
        return None
    found = [counts for counts in linter_findings(subject).values() if counts is not None]
    return sum((Counter(dict(counts)) for counts in found), Counter[str]()) if found else None


def read_all(attached: Sequence[Attached], terms: EvidenceTerms) -> Evidence:
    """The evidence on a record, in an order of its own: that of the files in which it waits. Raises OSError."""
    by_kind: dict[str, list[tuple[Json, str]]] = {}
    parked_by_kind = [(one.parked, one.kind) for one in attached if one.parked]
    for parked, kind in sorted(parked_by_kind, key=lambda each: (each[0].path, each[0].offset)):
        data = parked.read()
        value = orjson.loads(data[_SHA256_BYTES:])
        by_kind.setdefault(kind, []).append((value, data[:_SHA256_BYTES].hex()))

    return Evidence(
        tuple(read_review(*record, terms) for record in by_kind.get("review-v1", ())),
        tuple(read_adjudication(*record, terms) for record in by_kind.get("adjudication-v1", ())),
        tuple(read_execution(*record, terms) for record in by_kind.get("code-execution-v1", ())),
        contributor_known=any(one.kind == CONTRIBUTOR for one in attached),
    )
