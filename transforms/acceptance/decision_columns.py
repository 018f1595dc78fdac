"""The columns of a decisions file: a row for each record that a rubric decided on.

Numbers that a decision rests on are text, exact decimals as `decision.plain` writes them: a double would round them,
and a decimal column has a fixed number of places. What a record says stands in none of the columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import pyarrow as pa

from transforms.acceptance.decision import dissent, plain, stands_apart
from transforms.acceptance.values import Adjudication, CriterionResult, Decision, Evidence, GateAnswer, Review
from transforms.columns.marks import CATEGORY, marked
from transforms.records import Json, Place


def _category(name: str) -> pa.Field:
    return marked(name, CATEGORY, nullable=False)


def _text(name: str) -> pa.Field:
    return pa.field(name, pa.string(), nullable=False)


def _list(name: str, element: pa.Field | pa.StructType, *, nullable: bool = False) -> pa.Field:
    return pa.field(name, pa.list_(element), nullable=nullable)


_SCORES = pa.struct([_category("id"), _text("score")])
_GATES = pa.struct([_category("gate"), _category("answer"), _text("detail"), pa.field("evidence_sha256", pa.string())])
_CRITERIA = pa.struct(
    [_category("id"), _list("scores", _text("element")), _text("aggregate"), _text("minimum")],
)
_REVIEWS = pa.struct(
    [
        _category("reviewer"),
        pa.field("automatic", pa.bool_(), nullable=False),
        pa.field("independent", pa.bool_(), nullable=False),
        _category("vote"),
        _text("sha256"),
        _list("scores", _SCORES),
    ]
)
_ADJUDICATIONS = pa.struct(
    [
        _category("adjudicator"),
        pa.field("independent", pa.bool_(), nullable=False),
        _text("sha256"),
        _category("subject"),
        _category("vote"),
        _list("scores", _SCORES),
    ]
)
_LINTER = pa.struct([_category("rule"), pa.field("count", pa.int64(), nullable=False)])

DECISION_SCHEMA: pa.Schema = pa.schema(
    [
        _category("stream"),
        _category("shard"),
        pa.field("line", pa.int64(), nullable=False),
        _text("record_sha256"),
        _category("rubric_version"),
        _category("outcome"),
        _list("codes", _category("element")),
        _list("gates", _GATES),
        _list("criteria", _CRITERIA),
        pa.field("weighted_score", pa.string()),
        _list("accepting", _category("element")),
        _list("rejecting", _category("element")),
        _list("dissent", _category("element")),
        pa.field("contributor_known", pa.bool_(), nullable=False),
        _list("reviews", _REVIEWS),
        _list("adjudications", _ADJUDICATIONS),
        _list("executions", _text("element")),
        _list("linter", _LINTER, nullable=True),
    ]
)


def decision_row(
    place: Place, record_sha256: str, decision: Decision, evidence: Evidence, linter: Mapping[str, int] | None = None
) -> Json:
    """The values of DECISION_SCHEMA for one record, by column.

    `record_sha256` (hex) is over the record's archival bytes; `linter` counts the findings of each rule, None where no
    linter ran. `evidence` is recorded whole, what did not count as well.
    """
    return {
        "stream": place.stream,
        "shard": place.shard,
        "line": place.line,
        "record_sha256": record_sha256,
        "rubric_version": decision.rubric,
        "outcome": decision.outcome.value,
        "codes": list(dict.fromkeys(finding.code for finding in decision.findings)),
        "gates": [_gate(answer) for answer in decision.answers],
        "criteria": [_criterion(result) for result in decision.criteria],
        "weighted_score": None if decision.weighted is None else plain(decision.weighted),
        "accepting": list(decision.accepting),
        "rejecting": list(decision.rejecting),
        "dissent": list(dissent(decision)),
        "contributor_known": evidence.contributor_known,
        "reviews": [_review(review) for review in evidence.reviews],
        "adjudications": [_adjudication(one, evidence.reviews) for one in evidence.adjudications],
        "executions": [execution.sha256 for execution in evidence.executions],
        "linter": None if linter is None else [{"rule": rule, "count": linter[rule]} for rule in sorted(linter)],
    }


def decision_batch(rows: Sequence[Json]) -> pa.RecordBatch:
    """The rows, in their order, as one batch of DECISION_SCHEMA."""
    return pa.RecordBatch.from_pylist(list(rows), schema=DECISION_SCHEMA)


def _gate(answer: GateAnswer) -> Json:
    return {
        "gate": answer.gate,
        "answer": answer.answer.value,
        "detail": answer.detail,
        "evidence_sha256": answer.evidence_sha256,
    }


def _criterion(result: CriterionResult) -> Json:
    return {
        "id": result.id,
        "scores": [plain(score) for score in result.scores],
        "aggregate": plain(result.aggregate),
        "minimum": plain(result.minimum),
    }


def _review(review: Review) -> Json:
    return {
        "reviewer": review.reviewer,
        "automatic": review.automatic,
        "independent": review.independent,
        "vote": review.vote.value,
        "sha256": review.sha256,
        "scores": _scores(review.scores),
    }


def _adjudication(adjudication: Adjudication, reviews: Sequence[Review]) -> Json:
    return {
        "adjudicator": adjudication.adjudicator,
        "independent": stands_apart(adjudication, reviews),
        "sha256": adjudication.sha256,
        "subject": adjudication.subject,
        "vote": adjudication.vote.value,
        "scores": _scores(adjudication.scores),
    }


def _scores(scores: Mapping[str, Decimal]) -> list[Json]:
    """By id: two reviews that name their scores in another order differ in nothing."""
    return [{"id": name, "score": plain(scores[name])} for name in sorted(scores)]
