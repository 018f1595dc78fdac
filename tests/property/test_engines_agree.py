"""The two engines give the same findings: same codes, pointers and messages, for the same schema and value."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import schemas
from transforms.records import Finding
from transforms.structure import Compiled, check, compile_validator
from transforms.terms import Validator

PAIRWISE = Path(schemas.__file__).parent / "records" / "pairwise-v2"
ENGINES = ("jsonschema-rs", "jsonschema")
MANY = 1_000_000


def both(schema: Any, value: Any) -> list[tuple[Finding, ...]]:
    return [check(value, each, MANY) for each in compiled(schema)]


def compiled(schema: Any) -> list[Compiled]:
    return [compile_validator(schema, Validator(engine, assert_formats=True)) for engine in ENGINES]


# Few names and values, so that schemas and values meet.
NAMES = st.sampled_from(["a", "b", "c", "items", "if", ""])
SMALL = st.integers(0, 3)
NUMBERS = st.integers(-4, 9) | st.sampled_from([0.0, 1.0, 2.5, 0.1, 19.99, -0.5, 1e308, 2.0**53 - 1])
SCALARS = st.none() | st.booleans() | NUMBERS | st.sampled_from(["", "a", "b", "ab", "a\n", "12", "٣", "2024-02-29"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)
PATTERNS = st.sampled_from(["^a", "b$", "^$", "^[ab]+$", "\\d", "^(a+)+$", "."])
TYPES = st.sampled_from(["array", "boolean", "integer", "null", "number", "object", "string"])
NAME_LISTS = st.lists(NAMES, max_size=3, unique=True)
ASSERTIONS: dict[str, st.SearchStrategy[Any]] = {
    "const": VALUES,
    "dependentRequired": st.dictionaries(NAMES, NAME_LISTS, max_size=2),
    "enum": st.lists(VALUES, min_size=1, max_size=3),
    "exclusiveMaximum": NUMBERS,
    "exclusiveMinimum": NUMBERS,
    "format": st.sampled_from(["date", "ipv4", "regex", "unheard-of"]),
    "maxItems": SMALL,
    "maxLength": SMALL,
    "maxProperties": SMALL,
    "maximum": NUMBERS,
    "minItems": SMALL,
    "minLength": SMALL,
    "minProperties": SMALL,
    "minimum": NUMBERS,
    "multipleOf": st.sampled_from([1, 2, 3, 0.5, 0.01, 0.1, 2.0]),
    "pattern": PATTERNS,
    "required": NAME_LISTS,
    "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
    "uniqueItems": st.booleans(),
}
REFERENCES: dict[str, st.SearchStrategy[Any]] = {
    "$ref": st.sampled_from(["#/$defs/first", "#/$defs/second", "#second"]),
    "$dynamicRef": st.sampled_from(["#second", "#/$defs/second"]),
}


def _applicators(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    branches = st.lists(inner, min_size=1, max_size=3)
    return {
        "additionalProperties": inner,
        "allOf": branches,
        "anyOf": branches,
        "contains": inner,
        "dependentSchemas": st.dictionaries(NAMES, inner, max_size=2),
        "else": inner,
        "if": inner,
        "items": inner,
        "maxContains": SMALL,
        "minContains": SMALL,
        "not": inner,
        "oneOf": branches,
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        "prefixItems": branches,
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        "propertyNames": inner,
        "then": inner,
        "unevaluatedItems": inner,
        "unevaluatedProperties": inner,
    }


# Keywords that only mean something together.
TOGETHER = [
    ("if", "then"),
    ("if", "then", "else", "required"),
    ("contains", "minContains", "maxContains"),
    ("contains", "unevaluatedItems"),
    ("prefixItems", "items"),
    ("prefixItems", "unevaluatedItems"),
    ("properties", "additionalProperties", "required"),
    ("properties", "patternProperties", "additionalProperties"),
    ("properties", "unevaluatedProperties"),
    ("anyOf", "unevaluatedProperties"),
    ("if", "then", "unevaluatedProperties"),
]


def _some(keywords: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    groups = [(keyword,) for keyword in keywords] + [group for group in TOGETHER if keywords.keys() >= set(group)]
    chosen = st.lists(st.sampled_from(groups), min_size=1, max_size=3, unique=True)
    return chosen.flatmap(
        lambda parts: st.fixed_dictionaries({name: keywords[name] for name in sorted(set().union(*parts))})
    )


def _schemas(references: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    leaves = st.booleans() | _some({**ASSERTIONS, **references})
    return st.recursive(leaves, lambda inner: _some({**ASSERTIONS, **_applicators(inner)}), max_leaves=8)


PLAIN = _schemas({})
# The second definition refers to nothing, so that no reference comes back to itself on the same value.
REFERRING = st.builds(
    lambda root, first, second: {
        **(root if isinstance(root, dict) else {"allOf": [root]}),
        "$defs": {
            "first": first,
            "second": {"$dynamicAnchor": "second", **(second if isinstance(second, dict) else {"not": {}})},
        },
    },
    _schemas(REFERENCES),
    _schemas({"$ref": st.just("#second")}),
    PLAIN,
)


FEW = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MANY_EXAMPLES = settings(FEW, max_examples=20_000)


@FEW
@given(PLAIN, VALUES)
def test_on_plain_schemas(schema: Any, value: Any) -> None:
    first, second = both(schema, value)
    assert first == second


@FEW
@given(REFERRING, VALUES)
def test_on_schemas_with_references(schema: Any, value: Any) -> None:
    first, second = both(schema, value)
    assert first == second


@pytest.mark.slow
@MANY_EXAMPLES
@given(PLAIN | REFERRING, VALUES)
def test_on_many_schemas(schema: Any, value: Any) -> None:
    first, second = both(schema, value)
    assert first == second


# The record kind itself: its fixtures, and changes to them


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Give every (container, key or index) inside a value."""
    keys: list[Any] = list(value) if isinstance(value, dict) else []
    if isinstance(value, list):
        keys = list(range(len(value)))
    return [(value, key) for key in keys] + [place for key in keys for place in _places(value[key])]


def _changed(value: Any, random: Random) -> Any:
    value = copy.deepcopy(value)
    for _ in range(random.randint(1, 3)):
        container, key = random.choice(_places(value) or [({"": 0}, "")])
        others: list[Any] = [None, True, 0, 6, 5.0, 4.5, "", "tie", "neither", "x" * 5000, "a\n", [], {}]
        match random.choice(["replace", "remove", "add", "nest"]):
            case "replace":
                container[key] = random.choice(others)
            case "remove":
                del container[key]
            case "add" if isinstance(container, dict):
                container[random.choice(["extra", "a/b~c", "", "ratings", "preference"])] = random.choice(others)
            case _:
                container[key] = [copy.deepcopy(container[key])]
    return value


def test_on_the_fixtures_and_changes_to_them() -> None:
    engines = compiled(json.loads((PAIRWISE / "schema.json").read_text()))
    paths = [path for path in sorted(PAIRWISE.glob("*/*.json")) if path.name != "index.json"]
    records = [json.loads(path.read_text()) for path in paths]
    random = Random(20_12)
    valid = 0
    for value in records + [_changed(random.choice(records), random) for _ in range(800)]:
        first, second = (check(value, each, MANY) for each in engines)
        assert first == second
        valid += not first
    assert 10 < valid < 100, "the changes should break most of the records, but not all"
