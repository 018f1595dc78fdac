"""From records of evidence to the values that decisions are made of.

Each record is valid and has passed the rules of its kind under `terms`: who wrote it counts. `sha256` is that of its
archival bytes, in hexadecimal. All readers take the same, so that one table may hold them. Scores become the decimals
that were written: those with a fraction or an exponent come as text, see `transforms/joins/evidence.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from transforms.acceptance.rubric import decimal
from transforms.acceptance.values import Adjudication, Claim, EvidenceTerms, Execution, Review, Suite, Vote
from transforms.people import person
from transforms.records import Json


def read_review(value: Json, sha256: str, terms: EvidenceTerms) -> Review:
    """The review of a review-v1 record.

    A person's is independent, a judge's where the campaign says that it counts so. That a reviewer is not the
    contributor, and reviews once, is for joins to see.
    """
    automatic, judge = "judge" in value, terms.judges.get(person(value["reviewer"]))
    return Review(
        reviewer=value["reviewer"],
        sha256=sha256,
        vote=Vote(value["vote"]),
        scores=_scores(value),
        gates=dict(value.get("gates", {})),
        claims=tuple(map(_claim, value.get("claims", ()))),
        independent=not automatic or (judge is not None and judge.counts_as_independent),
        automatic=automatic,
    )


def read_adjudication(value: Json, sha256: str, _terms: EvidenceTerms) -> Adjudication:
    """The decision of an adjudication-v1 record."""
    return Adjudication(value["adjudicator"], sha256, value["subject"], Vote(value["decision"]), _scores(value))


def read_execution(value: Json, sha256: str, _terms: EvidenceTerms) -> Execution:
    """The run of a code-execution-v1 record. Its coverage is no evidence, and is left out."""
    status, tests = value["exit_status"], value["tests"]
    return Execution(
        executor=value["executor"]["name"],
        sha256=sha256,
        code_sha256=value["code_sha256"],
        suite=Suite(value["test_suite"]["sha256"], value["test_suite"]["origin"]),
        exit_status=None if status is None else int(status),
        timed_out=value["timed_out"],
        passed=int(tests["passed"]),
        failed=tuple(tests["failed"]),
        errors=int(tests["errors"]),
    )


def _scores(value: Json) -> Mapping[str, Decimal]:
    return {name: decimal(score) for name, score in value.get("scores", {}).items()}


def _claim(row: Json) -> Claim:
    return Claim(row["text"], row["material"], row["support"], row.get("factual"))
