"""Answers from documents that gates for words decide: sources, quotations, claims, abstentions."""

from __future__ import annotations

from pipeline.sample.acceptance.case import Case
from pipeline.sample.acceptance.evidence import (
    ACCEPT,
    MISSING,
    REJECT,
    SUPPORTED,
    claim,
    claiming,
    failed,
    judged,
    panel,
    review,
    saying,
)
from pipeline.sample.acceptance.subjects import answer, cited
from pipeline.sample.acceptance.trusted import SCREEN
from pipeline.sample.pairwise import Record

_GOOD_CLAIMS = (claim(factual=True), claim("unsupported", material=False, factual=False))


def _unknown(source: Record) -> Record:
    return cited(source) | {"document_id": f"{source['document_id']}-lost"}


def _other_version(source: Record) -> Record:
    return cited(source) | {"document_sha256": "b" * 64}


def _misquoted(source: Record) -> Record:
    citation = cited(source)
    return citation | {"quote": citation["quote"].upper()}


def _beyond(source: Record) -> Record:
    return cited(source) | {"end": 10**6}


_SILENT, _AGREED = panel("ann", "ben"), panel("ann", "ben", **SUPPORTED)
_BAD, _FALSE = claim("unsupported", factual=True), claim("contradicted", factual=False)

_SOURCES = (
    Case("document-is-not-there", answer(_unknown), _AGREED, (*failed("source_integrity"), "unknown-document")),
    Case(
        "sources-are-not-for-reviewers",
        answer(_unknown),
        (*_AGREED, review("cho", gates={"source_integrity": True}, codes=("review-gate",))),
        (*failed("source_integrity"), "unknown-document"),
    ),
    Case(
        "document-in-another-version",
        answer(_other_version),
        _AGREED,
        (*failed("source_integrity"), "document-digest-mismatch"),
    ),
    Case("misquoted", answer(_misquoted), _AGREED, (*failed("quote_alignment"), "quote-mismatch")),
    Case("quoted-beyond-the-end", answer(_beyond), _AGREED, (*failed("quote_alignment"), "span-out-of-bounds")),
    Case(
        "lost-and-misquoted",
        answer(_unknown, _misquoted),
        _AGREED,
        (*failed("source_integrity", "quote_alignment"), "quote-mismatch", "unknown-document"),
    ),
)
_CLAIMED = (
    Case("incidental-claim-unsupported", answer(cited), claiming(_GOOD_CLAIMS, _GOOD_CLAIMS)),
    Case("support-is-said-without-claims", answer(cited), saying("claim_support", True, True)),
    Case("claim-unsupported", answer(cited), claiming([_BAD], [_BAD, claim()]), failed("claim_support")),
    Case("claim-contradicted", answer(cited), claiming([_FALSE], [claim()], [_FALSE]), failed("claim_support")),
    Case("claim-disputed", answer(cited), claiming([_BAD], [claim()]), MISSING),
    Case("claims-unspoken", answer(cited), _SILENT, MISSING),
    Case("judge-alone-speaks-of-claims", answer(cited), (*_SILENT, judged(SCREEN, **SUPPORTED)), MISSING),
)
_ABSTENTIONS = (
    Case("abstains-and-cites", answer(cited, abstain=True), saying("justified_abstention", True, True)),
    Case(
        "unfinished", answer(abstain=True), saying("justified_abstention", False, False), failed("justified_abstention")
    ),
    Case("abstention-disputed", answer(abstain=True), saying("justified_abstention", True, False), MISSING),
    Case("abstention-unspoken", answer(abstain=True), _SILENT, MISSING),
)
_VOTED = (
    Case(
        "answer-one-to-one",
        answer(cited),
        (review("ann", **SUPPORTED), review("ben", REJECT, **SUPPORTED)),
        ("review-disagreement",),
    ),
    Case("answer-reviewed-once", answer(cited), (review("ann", **SUPPORTED),), ("review-incomplete",)),
    Case(
        "answer-below-score",
        answer(cited),
        tuple(review(name, ACCEPT, 3, 4, **SUPPORTED) for name in ("ann", "ben")),
        ("score-below-acceptance",),
    ),
)
CASES: tuple[Case, ...] = (*_SOURCES, *_CLAIMED, *_ABSTENTIONS, *_VOTED)
