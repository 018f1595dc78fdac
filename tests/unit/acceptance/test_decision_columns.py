"""A decision as a row: every value where it belongs, and the same bytes whatever batches the rows come in."""

from __future__ import annotations

import io
from dataclasses import replace
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from evidence_values import CODE, N, Y, adjudication, review, reviews, sha

from transforms.acceptance.decision import decide
from transforms.acceptance.decision_columns import DECISION_SCHEMA, decision_batch, decision_row
from transforms.acceptance.values import Answer, Evidence, Execution, GateAnswer, Suite
from transforms.parquet import write_parquet
from transforms.records import Json, Place

PLACE = Place("pairs", "day-1.jsonl", 17)
EXECUTION = Execution("sandbox", sha("run"), sha("code"), Suite(sha("suite"), "sponsor"), 0, False, 12)
PASSING = tuple(GateAnswer(gate.name, Answer.PASS, "so it is", sha(gate.name)) for gate in CODE.gates)
EVIDENCE = Evidence(
    (
        review("r1", Y, "4 4 4 4"),
        review("r2", N, "4.0 4 3.50 4"),
        review("r3", N, "5 5 5 5"),
        review("judge", N, {"readability": "1", "correctness": "2e0"}, automatic=True, independent=False),
    ),
    (adjudication("a1", Y), replace(adjudication("a2", N, "clinical"), scores={"b": Decimal(3), "a": Decimal("2.50")})),
    (EXECUTION,),
    contributor_known=True,
)


def row(evidence: Evidence = EVIDENCE, answers: tuple[GateAnswer, ...] = PASSING, line: int = 17) -> Json:
    place = replace(PLACE, line=line)
    return decision_row(place, sha("record"), decide(CODE, answers, evidence), evidence, {"F401": 2, "E501": 1})


def test_a_row_of_an_adjudicated_record() -> None:
    ids = [criterion.id for criterion in CODE.criteria]
    assert row() == {
        "stream": "pairs",
        "shard": "day-1.jsonl",
        "line": 17,
        "record_sha256": sha("record"),
        "rubric_version": "code-review-v1",
        "outcome": "accepted",
        "codes": [],
        "gates": [
            {"gate": gate.name, "answer": "pass", "detail": "so it is", "evidence_sha256": sha(gate.name)}
            for gate in CODE.gates
        ],
        "criteria": [
            {"id": "correctness", "scores": ["4", "4", "5"], "aggregate": "4", "minimum": "4"},
            {"id": "instruction_adherence", "scores": ["4", "4", "5"], "aggregate": "4", "minimum": "4"},
            {"id": "reasoning_evidence", "scores": ["4", "3.5", "5"], "aggregate": "4", "minimum": "3"},
            {"id": "readability", "scores": ["4", "4", "5"], "aggregate": "4", "minimum": "3"},
        ],
        "weighted_score": "4",
        "accepting": ["r1"],
        "rejecting": ["r2", "r3"],
        "dissent": ["r2", "r3"],
        "contributor_known": True,
        "reviews": [
            {
                "reviewer": name,
                "automatic": name == "judge",
                "independent": name != "judge",
                "vote": vote,
                "sha256": sha(name),
                "scores": [{"id": key, "score": scores[key]} for key in sorted(scores)],
            }
            for name, vote, scores in (
                ("r1", "accept", dict.fromkeys(ids, "4")),
                ("r2", "reject", {**dict.fromkeys(ids, "4"), "reasoning_evidence": "3.5"}),
                ("r3", "reject", dict.fromkeys(ids, "5")),
                ("judge", "reject", {"correctness": "2", "readability": "1"}),
            )
        ],
        "adjudications": [
            {
                "adjudicator": "a1",
                "independent": True,
                "sha256": sha("a1"),
                "subject": "acceptance",
                "vote": "accept",
                "scores": [],
            },
            {
                "adjudicator": "a2",
                "independent": True,
                "sha256": sha("a2"),
                "subject": "clinical",
                "vote": "reject",
                "scores": [{"id": "a", "score": "2.5"}, {"id": "b", "score": "3"}],
            },
        ],
        "executions": [sha("run")],
        "linter": [{"rule": "E501", "count": 1}, {"rule": "F401", "count": 2}],
    }


def test_a_row_of_a_record_that_waits() -> None:
    answers = tuple(replace(answer, answer=Answer.MISSING, evidence_sha256=None) for answer in PASSING)
    waiting = decide(CODE, answers, Evidence())
    values = decision_row(PLACE, sha("record"), waiting, Evidence())
    assert (values["outcome"], values["codes"]) == ("held", ["gate-evidence-missing"])  # one code, three findings
    assert [gate["evidence_sha256"] for gate in values["gates"]] == [None] * 3
    assert (values["weighted_score"], values["linter"], values["contributor_known"]) == (None, None, False)
    assert {name for name, value in values.items() if value == []} == {
        *("criteria", "accepting", "rejecting", "dissent", "reviews", "adjudications", "executions")
    }


def test_a_row_of_low_scores_names_codes_in_the_order_of_findings() -> None:
    low = Evidence(reviews("yyy", "3 4 3 2"))
    values = row(low)
    assert values["codes"] == [
        "score-below-acceptance",
        "criterion-below-minimum/correctness",
        "criterion-below-minimum/readability",
    ]
    assert values["dissent"] == ["r1", "r2", "r3"]


def test_an_adjudicator_who_reviewed_is_not_independent() -> None:
    values = row(replace(EVIDENCE, adjudications=(adjudication("R2", Y), adjudication("a1", Y))))
    assert [(one["adjudicator"], one["independent"]) for one in values["adjudications"]] == [
        ("R2", False),
        ("a1", True),
    ]


ROWS = [
    row(
        replace(EVIDENCE, reviews=EVIDENCE.reviews[: line % 5], adjudications=EVIDENCE.adjudications[: line % 2]),
        line=line,
    )
    for line in range(1, 400)
]


def written(size: int) -> bytes:
    """A file of all rows, given in batches of `size`."""
    batches = [decision_batch(ROWS[start : start + size]) for start in range(0, len(ROWS), size)]
    file = io.BytesIO()
    write_parquet(file, DECISION_SCHEMA, batches, row_group_rows=100)
    return file.getvalue()


@pytest.mark.parametrize("size", [1, 7, 100, 399])
def test_the_same_rows_give_the_same_bytes(size: int) -> None:
    assert written(size) == written(50)


def test_rows_come_back_as_they_were() -> None:
    table = pq.read_table(io.BytesIO(written(60)))
    assert table.to_pylist() == ROWS
    assert table.schema.equals(DECISION_SCHEMA)


def test_no_rows_give_a_file_with_the_columns() -> None:
    file = io.BytesIO()
    assert write_parquet(file, DECISION_SCHEMA, [decision_batch([])]) == 0
    assert pq.read_schema(io.BytesIO(file.getvalue())).names == DECISION_SCHEMA.names


def test_no_number_that_decides_is_a_double() -> None:
    def leaves(kind: pa.DataType) -> set[str]:
        if pa.types.is_struct(kind):
            return set().union(*(leaves(member.type) for member in kind))
        return leaves(kind.value_type) if pa.types.is_list(kind) else {str(kind)}

    assert set().union(*(leaves(field.type) for field in DECISION_SCHEMA)) == {"string", "int64", "bool"}


def test_the_footer_repeats_no_detail_and_no_digest() -> None:
    data = written(60)
    footer = data[-int.from_bytes(data[-8:-4], "little") - 8 :]
    assert b"so it is" not in footer
    assert sha("record").encode() not in footer
    assert b"code-review-v1" in footer
