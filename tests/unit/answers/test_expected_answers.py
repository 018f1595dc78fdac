"""The documents of expected-answer-v1: their schema, its fixtures, what they parse to, what may be wrong beyond it."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import schemas
from transforms.answers.expected import (
    ChoiceExpected,
    Domain,
    Equivalence,
    NumericExpected,
    Rounding,
    RoundingMode,
    SymbolicExpected,
    parse_expected,
)
from transforms.answers.soundness import fault_of
from transforms.parsing.json_strict import loads_document
from transforms.schema_check import check_schema
from transforms.structure import Compiled, check, compile_validator
from transforms.terms import Validator

VERSION = "expected-answer-v1"
FOLDER = schemas.schema_path("documents", VERSION).parent
EXPECTED: dict[str, list[str]] = json.loads((FOLDER / "reject" / "index.json").read_text())


@pytest.fixture(scope="module", params=("jsonschema-rs", "jsonschema"))
def compiled(request: pytest.FixtureRequest) -> Compiled:
    return compile_validator(schemas.load_schema("documents", VERSION), Validator(request.param))


def codes(path: Path, compiled: Compiled) -> list[str]:
    return sorted({finding.code for finding in check(loads_document(path.read_bytes()), compiled, 100)})


def test_the_schema_is_sound_and_names_itself() -> None:
    schema = schemas.load_schema("documents", VERSION)
    assert check_schema(VERSION, schema) == ()
    assert schema["$id"] == f"urn:assay:schema:{VERSION}"


def test_the_index_lists_the_rejected_files() -> None:
    assert sorted(path.name for path in (FOLDER / "reject").iterdir()) == sorted([*EXPECTED, "index.json"])
    assert list(EXPECTED) == sorted(EXPECTED)


@pytest.mark.parametrize("path", sorted((FOLDER / "accept").iterdir()), ids=lambda path: path.stem)
def test_accepted_fixtures_are_sound(path: Path, compiled: Compiled) -> None:
    assert codes(path, compiled) == []
    assert fault_of(loads_document(path.read_bytes())) is None


@pytest.mark.parametrize("name", EXPECTED)
def test_rejected_fixtures(name: str, compiled: Compiled) -> None:
    assert EXPECTED[name] == sorted(EXPECTED[name]) != []
    assert codes(FOLDER / "reject" / name, compiled) == EXPECTED[name]


def test_it_can_be_embedded_by_reference() -> None:
    task = {"properties": {"expected": {"$ref": f"urn:assay:schema:{VERSION}"}}}
    registered = {f"urn:assay:schema:{VERSION}": schemas.load_schema("documents", VERSION)}
    within = compile_validator(task, Validator(), registered)
    assert check({"expected": {"type": "choice", "value": "B"}}, within, 10) == ()
    findings = check({"expected": {"type": "choice"}}, within, 10)
    assert [(finding.code, finding.pointer) for finding in findings] == [("schema/required", "/expected")]


def numeric(**changes: Any) -> dict[str, Any]:
    value: dict[str, Any] = {
        "type": "numeric",
        "value": "9.81",
        "unit": "m/s^2",
        "absolute_tolerance": "0.01",
        "relative_tolerance": "1e-3",
        "rounding": {"significant": 3, "mode": "half-up"},
    }
    return value | changes


def symbolic(expression: str, equivalence: str = "equal", **domain: str) -> dict[str, Any]:
    return {
        "type": "symbolic",
        "expression": expression,
        "variables": list(domain),
        "equivalence": equivalence,
        "domain": domain,
    }


def test_numbers_are_exact() -> None:
    assert parse_expected(numeric(accepted_units=["cm/s^2", None])) == NumericExpected(
        value=Fraction(981, 100),
        unit="m/s^2",
        absolute_tolerance=Fraction(1, 100),
        relative_tolerance=Fraction(1, 1000),
        rounding=Rounding(RoundingMode.HALF_UP, significant=3),
        accepted_units=("cm/s^2", None),
    )
    third = parse_expected(numeric(value="-1/3", unit=None, rounding=None))
    assert third == NumericExpected(Fraction(-1, 3), None, Fraction(1, 100), Fraction(1, 1000))


def test_expressions_and_choices() -> None:
    assert parse_expected(symbolic("x y", x="real", y="positive")) == SymbolicExpected(
        "x y", (("x", Domain.REAL), ("y", Domain.POSITIVE)), Equivalence.EQUAL
    )
    assert parse_expected({"type": "choice", "value": "B"}) == ChoiceExpected("B")


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (numeric(unit="furlong"), 'of the expected answer, no unit is known that is written "furlong"'),
        (numeric(unit="J/kg K"), 'of the expected answer, put what stands below the line of "J/kg K" into parentheses'),
        (numeric(accepted_units=["smoot"]), 'of the expected answer, no unit is known that is written "smoot"'),
        (numeric(accepted_units=["m/s"]), "an accepted unit has another dimension than the unit"),
        (numeric(unit=None, accepted_units=["rad"]), "an accepted unit has another dimension than the unit"),
        (symbolic("x +", x="real"), None),
        (symbolic("x + y", x="real"), None),
        (symbolic("9^9^9"), None),
        (symbolic("1/0"), None),
        (symbolic("x, 1", x="real"), None),
        (symbolic("sin(1)", sin="real"), 'the variable "sin" has the name of a function or a constant'),
        (symbolic("pi", pi="real"), 'the variable "pi" has the name of a function or a constant'),
        (symbolic("2", "equal-up-to-constant"), "equality up to a constant takes variables, none of them an integer"),
        (
            symbolic("n", "equal-up-to-constant", n="integer"),
            "equality up to a constant takes variables, none of them an integer",
        ),
        (symbolic("x", x="real") | {"domain": {}}, "domain does not name exactly the variables"),
        (symbolic("x", x="real") | {"variables": []}, "domain does not name exactly the variables"),
        ({"type": "choice", "value": "\u200b"}, "the choice has nothing visible"),
    ],
)
def test_faults_beyond_the_schema(value: dict[str, Any], fault: str | None) -> None:
    found = fault_of(value)
    assert found is not None
    assert len(found) < 200
    assert found == fault or (fault is None and found.startswith("the expected expression cannot be read: "))


def test_a_variable_may_be_called_like_a_constant_with_one_letter() -> None:
    assert fault_of(symbolic("e + i", e="real", i="integer")) is None
    assert fault_of(symbolic("C x", "equal-up-to-constant", C="real", x="real")) is None
