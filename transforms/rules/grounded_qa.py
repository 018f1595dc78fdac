"""The rules within one grounded-qa-v1 record: a question, an answer, and the quotations that it rests on.

What a citation says of a document is judged where the document's text is at hand: `transforms/citations/quotes.py`.
No finding here quotes a record, so clinical content never leaves it.
"""

from __future__ import annotations

from collections.abc import Sequence

from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext, severity_of
from transforms.rules.text import CONVERSATION_TOO_LARGE, EMPTY_TEXT, empty_text, has_visible, size_findings
from transforms.terms import Action

SPAN_ORDER = Code(
    "span-order",
    Stage.RULES,
    Severity.REJECT,
    "A citation's span is empty or runs backwards: its end is exclusive and must be greater than its start.",
    '"start": 46, "end": 27',
    "Have the citation's offsets taken anew from the document; the first is that of the quotation's first "
    "character, the second that just behind its last.",
)
DUPLICATE_CITATION = Code(
    "duplicate-citation",
    Stage.RULES,
    Severity.REJECT,
    "A record cites the same span of the same document version twice, which only adds to the count.",
    'two citations with one document_id and document_sha256, both with "start": 27, "end": 46',
    "Drop the repetition, or correct the offsets of the one that was meant for another passage.",
)
ABSTAIN_WITH_CITATIONS = Code(
    "abstain-with-citations",
    Stage.RULES,
    Severity.HOLD,
    "The answer abstains and yet cites sources. Reported only where the campaign sets a policy for this code.",
    '"abstain": true with one citation, in a campaign whose policy for abstain-with-citations is "hold"',
    "Ask the contributor whether the sources answer the question. The policy for this code may be "
    '"allow" (the default: no finding), "hold" or "reject".',
)
CLINICAL_EVIDENCE_MISSING = Code(
    "clinical-evidence-missing",
    Stage.RULES,
    Severity.HOLD,
    "A clinical record lacks qualified adjudication, privacy review or authorised source evidence. Its label "
    "is no evidence of any of them.",
    '"domain": "clinical_qa" and nothing beside the record that speaks for it',
    "Have the record adjudicated by a qualified reviewer, its privacy reviewed, and its sources authorised.",
)
CODES: tuple[Code, ...] = (SPAN_ORDER, DUPLICATE_CITATION, ABSTAIN_WITH_CITATIONS, CLINICAL_EVIDENCE_MISSING)


def private(value: Json | None) -> bool:
    """Whether neither the record's bytes nor any of its content may be kept outside the accepted files.

    `value` is any parsed object, valid or not, or None for a line that could not be parsed. Private is a
    clinical record and also one that does not plainly say otherwise: a misspelt domain must not disclose a patient.
    """
    return value is None or value.get("domain") != "general_rag"


def _check_text(value: Json, _context: RuleContext) -> Sequence[Finding]:
    findings = [empty_text(f"/{name}") for name in ("question", "answer") if not has_visible(value[name])]
    for index, citation in enumerate(value["citations"]):
        if not has_visible(citation["quote"]):
            findings.append(empty_text(f"/citations/{index}/quote"))
    return findings


def _check_spans(value: Json, _context: RuleContext) -> Sequence[Finding]:
    findings = []
    for index, citation in enumerate(value["citations"]):
        start, end = citation["start"], citation["end"]
        if end <= start:
            # int: JSON Schema counts 27.0 as an integer.
            message = f"the span ends at {int(end)}, not after its start at {int(start)}"
            findings.append(Finding(SPAN_ORDER.code, message, f"/citations/{index}"))
    return findings


def _check_repetition(value: Json, _context: RuleContext) -> Sequence[Finding]:
    """Each citation that repeats an earlier one, whatever the quotes say: one of two different ones is wrong."""
    findings = []
    first: dict[tuple[str, str, int, int], int] = {}
    for index, citation in enumerate(value["citations"]):
        key = (citation["document_id"], citation["document_sha256"], citation["start"], citation["end"])
        earlier = first.setdefault(key, index)
        if earlier != index:
            message = f"cites the same span of the same document as citation {earlier}, counted from 0"
            findings.append(Finding(DUPLICATE_CITATION.code, message, f"/citations/{index}"))
    return findings


def _check_abstention(value: Json, context: RuleContext) -> Sequence[Finding]:
    if not value["abstain"] or not value["citations"]:
        return ()
    severity = severity_of(ABSTAIN_WITH_CITATIONS, {ABSTAIN_WITH_CITATIONS.code: Action.ALLOW, **context.policies})
    if severity is None:
        return ()
    message = f"the answer abstains; number of citations: {len(value['citations'])}"
    return (Finding(ABSTAIN_WITH_CITATIONS.code, message, "/citations", severity=severity),)


def _check_clinical(value: Json, context: RuleContext) -> Sequence[Finding]:
    """Always held, and no policy changes that: only evidence from outside the record can lift it, in stage 6."""
    if value["domain"] != "clinical_qa" or context.is_decided_later:
        return ()
    message = "a clinical record waits for qualified adjudication, privacy review and authorised source evidence"
    return (Finding(CLINICAL_EVIDENCE_MISSING.code, message, "/domain", severity=Severity.HOLD),)


def conversation(value: Json) -> tuple[str, ...]:
    """The texts that count against the bounds on a conversation."""
    return value["question"], value["answer"], *(citation["quote"] for citation in value["citations"])


def _check_size(value: Json, context: RuleContext) -> Sequence[Finding]:
    return size_findings(conversation(value), context.limits)


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((SPAN_ORDER,), _check_spans),
    Rule((DUPLICATE_CITATION,), _check_repetition),
    Rule((ABSTAIN_WITH_CITATIONS,), _check_abstention),
    Rule((CLINICAL_EVIDENCE_MISSING,), _check_clinical, by_rubric=True),
    Rule((CONVERSATION_TOO_LARGE,), _check_size),
)
