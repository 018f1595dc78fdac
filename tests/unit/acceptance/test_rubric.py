from __future__ import annotations

import json
import pickle
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import schemas
from transforms.acceptance.gate_names import GATE_NAMES, Wanted
from transforms.acceptance.rubric import CODES, check_rubric, decimal, loads_rubric, read_rubric
from transforms.acceptance.values import Criterion, Disagreement, Gate, ReviewPolicy, Rubric
from transforms.records import Finding, Severity

FOLDER = schemas.schema_path("documents", "rubric-v1").parent
EXAMPLE = (FOLDER / "accept" / "code-review.json").read_bytes()
VERSION = "code-review-v1"


def _document(**changes: Any) -> Any:
    """The example with members changed, read as a campaign reads it."""
    return loads_rubric(json.dumps(json.loads(EXAMPLE) | changes).encode())


def _weighted(*weights: str) -> Any:
    """The example with criteria of these weights, as they are written."""
    criteria = ",".join(
        f'{{"id": "c{index}", "weight": {weight}, "minimum_score": 3}}' for index, weight in enumerate(weights)
    )
    document = json.loads(EXAMPLE)
    del document["criteria"]
    return loads_rubric(f'{{"criteria": [{criteria}], {json.dumps(document)[1:]}'.encode())


def _fault(pointer: str, message: str) -> Finding:
    return Finding("invalid-rubric", message, pointer, None, (), Severity.CAMPAIGN)


def test_the_example_is_accepted() -> None:
    assert check_rubric(VERSION, loads_rubric(EXAMPLE)) == ()


def test_the_code() -> None:
    assert [(code.code, code.severity) for code in CODES] == [("invalid-rubric", Severity.CAMPAIGN)]


@pytest.mark.parametrize(
    "weights",
    [
        ["1"],
        ["1.0"],
        ["1e0", "0", "0.0", "0e5"],
        ["0.1"] * 10,
        ["0.7", "0.2", "0.1"],
        ["0.2", "0.7", "0.1"],
        ["0.45", "0.25", "0.2", "0.1"],
        ["1e-1", "9E-1"],
        ["0.015625"] * 64,
        ["0.333333333333333", "0.333333333333333", "0.333333333333334"],
        ["0.9999999999999999", "0.0000000000000001"],
        ["0.33333333333333333333", "0.33333333333333333333", "0.33333333333333333334"],
        ["0." + "9" * 49, "1e-49"],
        ["5e-1", "0.4", "0.09999999", "1e-8"],
    ],
    ids=",".join,
)
def test_weights_that_sum_to_one_as_decimals(weights: list[str]) -> None:
    assert check_rubric(VERSION, _weighted(*weights)) == ()


@pytest.mark.parametrize(
    ("weights", "total"),
    [
        (["0.45", "0.25", "0.2", "0.11"], "1.01"),
        (["0.45", "0.25", "0.2", "0.09"], "0.99"),
        (["0.1"] * 9, "0.9"),
        (["0.1"] * 11, "1.1"),
        (["0.333333333333333"] * 3, "0.999999999999999"),
        (["0.5", "0.4999999999999999"], "0.9999999999999999"),
        (["0"], "0"),
        (["1", "1"], "2"),
    ],
    ids=str,
)
def test_weights_that_do_not(weights: list[str], total: str) -> None:
    assert check_rubric(VERSION, _weighted(*weights)) == (_fault("/criteria", f"the weights sum to {total}, not to 1"),)


@pytest.mark.parametrize(
    ("weights", "total"),
    [
        (["1", "1e-28"], "1." + "0" * 27 + "1"),
        (["0.5", "0.5", "1e-40"], "1." + "0" * 39 + "1"),
        (["1", "1e-49"], "1." + "0" * 48 + "1"),
        (["1.00000000000000000001"], "1.00000000000000000001"),
        (["0.33333333333333333333"] * 3, "0." + "9" * 20),
    ],
    ids=["1e-28", "1e-40", "1e-49", "above one", "twenty digits"],
)
def test_no_weight_is_too_small_to_count(weights: list[str], total: str) -> None:
    assert check_rubric(VERSION, _weighted(*weights)) == (_fault("/criteria", f"the weights sum to {total}, not to 1"),)


@pytest.mark.parametrize(
    ("weights", "code", "pointer", "message"),
    [
        (["-0.1", "1"], "schema/minimum", "/criteria/0/weight", "must be at least 0"),
        (["0.5", "1.01"], "schema/maximum", "/criteria/1/weight", "must be at most 1"),
        (['"1"'], "schema/type", "/criteria/0/weight", "must be of type number"),
        (["true"], "schema/type", "/criteria/0/weight", "must be of type number"),
        (["null"], "schema/type", "/criteria/0/weight", "must be of type number"),
        ([], "schema/minItems", "/criteria", "must have at least 1 item"),
        (["0.015625"] * 64 + ["0"], "schema/maxItems", "/criteria", "must have at most 64 items"),
    ],
)
def test_what_the_schema_refuses(weights: list[str], code: str, pointer: str, message: str) -> None:
    (finding,) = check_rubric(VERSION, _weighted(*weights))
    assert (finding.code, finding.pointer, finding.message) == (code, pointer, message)


@pytest.mark.parametrize(
    ("weight", "code"),
    [
        ("NaN", "non-finite-number"),
        ("Infinity", "non-finite-number"),
        ("1e400", "non-finite-number"),
        ("9007199254740993", "number-out-of-range"),
        ("1e-50", "number-out-of-range"),
        ("5e-324", "number-out-of-range"),
        ("1e-999999999", "number-out-of-range"),
        ("0e-9999999999999999999", "number-out-of-range"),
        ("0." + "3" * 50, "number-out-of-range"),
        ("0." + "3" * 5000, "number-out-of-range"),
        ("0.1.2", "invalid-json"),
        ('1, "weight": 1', "duplicate-key"),
    ],
)
def test_what_is_no_document(weight: str, code: str) -> None:
    refused = _weighted(weight)
    assert isinstance(refused, Finding)
    assert refused.code == code


def test_the_version_is_the_one_the_campaign_lists() -> None:
    assert check_rubric("code-review-v2", _document()) == (
        _fault("/rubric_version", 'says "code-review-v1", the campaign lists it as "code-review-v2"'),
    )


def test_criteria_have_names_of_their_own() -> None:
    criteria = [{"id": name, "weight": 0.25, "minimum_score": 3} for name in ("style", "tests", "style", "style")]
    assert check_rubric(VERSION, _document(criteria=criteria)) == (_fault("/criteria", '"style" stands 3 times'),)


@pytest.mark.parametrize("score", [0, 0.9, 5.1, 6, -1])
def test_a_minimum_outside_the_scale(score: float) -> None:
    criteria = [{"id": "a", "weight": 0.5, "minimum_score": 3}, {"id": "b", "weight": 0.5, "minimum_score": score}]
    assert check_rubric(VERSION, _document(criteria=criteria)) == (
        _fault("/criteria/1/minimum_score", "outside the scale, 1 to 5"),
    )


@pytest.mark.parametrize("score", [1, 1.0, 3.5, 5])
def test_a_minimum_within_the_scale(score: float) -> None:
    criteria = [{"id": "a", "weight": 1, "minimum_score": score}]
    assert check_rubric(VERSION, _document(criteria=criteria)) == ()


@pytest.mark.parametrize("score", [0.99, 5.01])
def test_an_acceptance_score_outside_the_scale(score: float) -> None:
    assert check_rubric(VERSION, _document(weighted_acceptance_score=score)) == (
        _fault("/weighted_acceptance_score", "outside the scale, 1 to 5"),
    )


@pytest.mark.parametrize("score", [1, 5, 4.25])
def test_an_acceptance_score_within_the_scale(score: float) -> None:
    assert check_rubric(VERSION, _document(weighted_acceptance_score=score)) == ()


def test_a_scale_has_two_ends() -> None:
    criteria = [{"id": "a", "weight": 1, "minimum_score": 4}]
    document = _document(scale={"minimum": 4, "maximum": 4}, criteria=criteria)
    assert check_rubric(VERSION, document) == (_fault("/scale", "the minimum is not below the maximum"),)


def test_reviews_are_as_many_as_votes() -> None:
    policy = {"independent_reviews": 2, "minimum_accept_votes": 3, "disagreement_action": "hold"}
    assert check_rubric(VERSION, _document(review_policy=policy)) == (
        _fault("/review_policy", "asks for more accepting votes than reviews"),
    )
    assert check_rubric(VERSION, _document(review_policy=policy | {"independent_reviews": 3})) == ()


def test_gates_and_reviews_may_be_left_out() -> None:
    document = {name: value for name, value in _document().items() if name not in ("hard_gates", "review_policy")}
    assert check_rubric(VERSION, document) == ()


def test_every_fault_is_told() -> None:
    document = _document(
        criteria=[{"id": "a", "weight": 0.3, "minimum_score": 6}, {"id": "a", "weight": 0.6, "minimum_score": 0}],
        weighted_acceptance_score=5.5,
        hard_gates={"syntax_valid": False, "tidy": True},
        review_policy={"independent_reviews": 1, "minimum_accept_votes": 2, "disagreement_action": "reject"},
    )
    found = check_rubric("v2", document)
    assert [finding.pointer for finding in found] == [
        "/rubric_version",
        "/criteria/0/minimum_score",
        "/criteria/1/minimum_score",
        "/weighted_acceptance_score",
        "/criteria",
        "/criteria",
        "/hard_gates/syntax_valid",
        "/hard_gates/tidy",
        "/review_policy",
    ]
    assert {finding.code for finding in found} == {"invalid-rubric"}


@pytest.mark.parametrize("document", [None, [], "rubric", 1, {}])
def test_other_documents_are_refused_by_the_schema(document: Any) -> None:
    codes = {finding.code for finding in check_rubric(VERSION, document)}
    assert codes == ({"schema/required"} if document == {} else {"schema/type"})


def test_unknown_members_are_refused() -> None:
    findings = check_rubric(VERSION, _document(bonus=1))
    assert [finding.code for finding in findings] == ["schema/additionalProperties"]


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0.1, "0.1"), (1, "1"), (4.0, "4.0"), (1e-7, "1E-7"), (0.30000000000000004, "0.30000000000000004")],
)
def test_decimal_is_what_was_written(number: float, expected: str) -> None:
    assert str(decimal(number)) == expected


def test_scores_of_four_weigh_four() -> None:
    """In binary floating point it is 3.9999999999999996."""
    weights = [decimal(criterion["weight"]) for criterion in json.loads(EXAMPLE)["criteria"]]
    assert sum(0.0 + 4 * float(weight) for weight in weights) < 4
    assert sum((4 * weight for weight in weights), Decimal(0)) == 4


TRUTHS = [gate.name for gate in GATE_NAMES if gate.wanted is Wanted.TRUE]
MAXIMA = [gate.name for gate in GATE_NAMES if gate.wanted is Wanted.MAXIMUM]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        *((name, True) for name in TRUTHS),
        ("unapproved_dependencies", False),
        *((name, number) for name in MAXIMA for number in (0, 1, 10, 10.0, 2**53 - 1)),
    ],
)
def test_a_gate_that_means_something(name: str, wanted: float) -> None:
    assert check_rubric(VERSION, _document(hard_gates={name: wanted})) == ()


@pytest.mark.parametrize(
    ("name", "wanted", "message"),
    [
        *((name, wanted, "must be true") for name in TRUTHS for wanted in (False, 1, 0)),
        *(("unapproved_dependencies", wanted, "must be false") for wanted in (True, 0, 1)),
        *((name, wanted, "must be an integer of at least 0") for name in MAXIMA for wanted in (True, False, -1, -1.0)),
    ],
)
def test_a_gate_that_means_nothing(name: str, wanted: float, message: str) -> None:
    found = check_rubric(VERSION, _document(hard_gates={name: wanted}))
    assert found == (_fault(f"/hard_gates/{name}", message),)


def test_an_unknown_gate() -> None:
    name = "tests_pass_" * 5
    (finding,) = check_rubric(VERSION, _document(hard_gates={name: True}))
    known = ", ".join(sorted(gate.name for gate in GATE_NAMES))
    assert finding == _fault(f"/hard_gates/{name}", f'no gate is called "{name[:40]}"...; known are {known}')


def test_weights_of_zero_are_weights() -> None:
    assert check_rubric(VERSION, _weighted("0", "1", "0")) == ()


def test_the_example_as_values() -> None:
    assert read_rubric(loads_rubric(EXAMPLE)) == Rubric(
        version="code-review-v1",
        minimum=Decimal(1),
        maximum=Decimal(5),
        criteria=(
            Criterion("correctness", Decimal("0.45"), Decimal(4)),
            Criterion("instruction_adherence", Decimal("0.25"), Decimal(4)),
            Criterion("reasoning_evidence", Decimal("0.2"), Decimal(3)),
            Criterion("readability", Decimal("0.1"), Decimal(3)),
        ),
        acceptance=Decimal(4),
        gates=(
            Gate("required_tests_pass", True),
            Gate("syntax_valid", True),
            Gate("max_cyclomatic_complexity_per_function", 10),
            Gate("unapproved_dependencies", False),
        ),
        policy=ReviewPolicy(3, 2, Disagreement.ADJUDICATE),
    )


def test_gates_keep_the_order_of_the_document() -> None:
    gates = {"unapproved_dependencies": False, "syntax_valid": True, "max_linter_findings": 0}
    read = read_rubric(_document(hard_gates=gates))
    assert [(gate.name, gate.wanted) for gate in read.gates] == list(gates.items())


def test_integers_written_with_a_point_are_integers() -> None:
    policy = {"independent_reviews": 3.0, "minimum_accept_votes": 2.0, "disagreement_action": "hold"}
    document = _document(hard_gates={"max_linter_findings": 7.0}, review_policy=policy)
    assert check_rubric(VERSION, document) == ()
    read = read_rubric(document)
    assert [(gate.name, repr(gate.wanted)) for gate in read.gates] == [("max_linter_findings", "7")]
    assert repr(read.policy) == repr(ReviewPolicy(3, 2, Disagreement.HOLD))


def test_what_is_left_out() -> None:
    document = {name: value for name, value in _document().items() if name not in ("hard_gates", "review_policy")}
    read = read_rubric(document)
    assert (read.gates, read.policy) == ((), ReviewPolicy(1, 1, Disagreement.HOLD))


def test_decimals_are_as_written() -> None:
    criteria = [{"id": "a", "weight": 0.30000000000000004, "minimum_score": 2.5}]
    read = read_rubric(_document(criteria=criteria, weighted_acceptance_score=4.1))
    assert read.criteria == (Criterion("a", Decimal("0.30000000000000004"), Decimal("2.5")),)
    assert read.acceptance == Decimal("4.1")


@pytest.mark.parametrize("path", sorted((FOLDER / "accept").iterdir()), ids=lambda path: path.stem)
def test_every_accepted_fixture_can_be_read_and_sent(path: Path) -> None:
    value = loads_rubric(path.read_bytes())
    read = read_rubric(value)
    assert read.version == value["rubric_version"]
    assert sum((row.weight for row in read.criteria), Decimal(0)) == 1
    assert pickle.loads(pickle.dumps(read)) == read
