from __future__ import annotations

import json
from decimal import Decimal

import pytest

from transforms.reading import Read, read_document, read_record, read_scored
from transforms.records import Finding, Line, Syntax
from transforms.terms import Limits

TEXT = 'a: 0.50\nb: [1, 2.0, {c: 1e3}]\nd: "x"\n'
FLOATS = {"a": 0.5, "b": [1, 2.0, {"c": 1000.0}], "d": "x"}
EXACT = {"a": Decimal("0.50"), "b": [1, Decimal("2.0"), {"c": Decimal("1E+3")}], "d": "x"}


def line(data: bytes, syntax: Syntax = Syntax.JSON) -> Line:
    return Line(1, 0, len(data), data, syntax=syntax)


def read(data: bytes, syntax: Syntax = Syntax.JSON) -> Read:
    found = read_document(line(data, syntax), Limits())
    assert isinstance(found, Read), found
    return found


def code(data: bytes, syntax: Syntax = Syntax.JSON) -> str:
    found = read_document(line(data, syntax), Limits(max_record_bytes=1000, max_depth=8))
    assert isinstance(found, Finding)
    return found.code


def test_a_record_is_its_value() -> None:
    for syntax, data in ((Syntax.YAML, TEXT.encode()), (Syntax.JSON, json.dumps(FLOATS).encode())):
        found = read_record(line(data, syntax), Limits())
        assert found == Read(FLOATS, False, FLOATS)
        assert isinstance(found, Read)
        assert type(found.exact["a"]) is float


def test_a_yaml_document_has_a_text_and_the_digits_of_its_numbers() -> None:
    found = read(TEXT.encode(), Syntax.YAML)
    assert found == Read(FLOATS, False, EXACT, TEXT.encode())
    assert str(found.exact["a"]) == "0.50"
    assert [type(found.value["a"]), type(found.value["b"][0]), type(found.value["b"][1])] == [float, int, float]


def test_json_has_the_digits_of_its_numbers_too() -> None:
    found = read(b'{"a": 0.50, "b": [1, 2.0, {"c": 1e3}], "d": "x"}')
    assert repr(found) == repr(Read(FLOATS, False, EXACT))
    # Without fractions and exponents there is nothing more to read.
    assert repr(read(b'{"a": 1}')) == repr(Read({"a": 1}, True, {"a": 1}))


def test_a_line_may_carry_the_text() -> None:
    found = read(json.dumps({"document": TEXT}).encode())
    assert found == Read(FLOATS, False, EXACT, TEXT.encode())
    inner = read(json.dumps({"document": json.dumps(FLOATS)}).encode())
    assert (inner.value, inner.text) == (FLOATS, json.dumps(FLOATS).encode())


@pytest.mark.parametrize(
    ("value", "plain"),
    [(FLOATS, False), ({"document": {"a": 1}}, True), ({"document": TEXT, "b": 1}, True), ({"document": 5}, True)],
)
def test_any_other_object_is_the_document(value: dict[str, object], plain: bool) -> None:
    assert read(json.dumps(value).encode()) == Read(value, plain, value)


@pytest.mark.parametrize(
    ("data", "syntax", "expected"),
    [
        (b"a: 1\na: 2\n", Syntax.YAML, "duplicate-key"),
        (b"a: .nan\n", Syntax.YAML, "non-finite-number"),
        (b"- a\n", Syntax.YAML, "not-an-object"),
        (b"# nothing\n", Syntax.YAML, "not-an-object"),
        (b"a: &x 1\nb: *x\n", Syntax.YAML, "yaml-alias"),
        (b"a: " + b"[" * 9 + b"]" * 9, Syntax.YAML, "nesting-too-deep"),
        (b"\xff", Syntax.YAML, "invalid-utf8"),
        (b"\xef\xbb\xbfa: 1\n", Syntax.YAML, "byte-order-mark"),
        (b"[1]", Syntax.JSON, "not-an-object"),
        (b"a: 1", Syntax.JSON, "invalid-json"),
        (b'{"document": "a: 1\\na: 2"}', Syntax.JSON, "duplicate-key"),
        (b'{"document": "a: 1", "document": "a: 1"}', Syntax.JSON, "duplicate-key"),
        (b'{"document": ""}', Syntax.JSON, "not-an-object"),
        (b'{"document": "--- 1\\n--- 2"}', Syntax.JSON, "multiple-documents"),
    ],
)
def test_faults(data: bytes, syntax: Syntax, expected: str) -> None:
    assert code(data, syntax) == expected


@pytest.mark.parametrize("number", ["9.9999999999999999999", "1e-400"])
def test_a_number_that_schema_and_rules_would_see_differently(number: str) -> None:
    text = f'{{"a": [{number}]}}'
    carried = json.dumps({"document": text})
    forms = [(text, Syntax.JSON), (text, Syntax.YAML), (carried, Syntax.JSON)]
    found = [read_document(line(data.encode(), syntax), Limits()) for data, syntax in forms]
    assert [(each.code, each.pointer) for each in found if isinstance(each, Finding)] == [
        ("number-out-of-range", "/a/0")
    ] * 3
    # Where rules are told what the schema is told, there is but one number.
    assert isinstance(read_record(line(text.encode()), Limits()), Read)


def test_faults_in_a_carried_text_are_placed_within_it() -> None:
    found = read_document(line(json.dumps({"document": "a: 1\nb: *x\n"}).encode()), Limits())
    assert isinstance(found, Finding)
    assert (found.code, "line 2, column 4" in found.message) == ("yaml-alias", True)


SCORES = '"scores": {"a": 3.99999999999999999999, "b": 4, "c": 1e0}'


@pytest.mark.parametrize("syntax", Syntax)
def test_scores_have_the_digits_in_which_they_were_written(syntax: Syntax) -> None:
    found = read_scored(line(f'{{"n": [1.0, 0.5], {SCORES}}}'.encode(), syntax), Limits())
    assert isinstance(found, Read)
    doubles = {"n": [1.0, 0.5], "scores": {"a": 4.0, "b": 4, "c": 1.0}}
    exact = doubles | {"scores": {"a": Decimal("3.99999999999999999999"), "b": 4, "c": Decimal("1")}}
    assert repr(found) == repr(Read(doubles, False, exact))


@pytest.mark.parametrize("syntax", Syntax)
@pytest.mark.parametrize("written", ["1e-999999999", "0.0e-999999999", "4." + "0" * 50, "1e60"])
def test_scores_of_endless_digits(written: str, syntax: Syntax) -> None:
    found = read_scored(line(f'{{"scores": {{"a": {written}}}}}'.encode(), syntax), Limits())
    assert isinstance(found, Finding)
    assert (found.code, found.pointer) == ("number-out-of-range", "/scores/a")
    assert "has over 50 digits" in found.message


@pytest.mark.parametrize("value", ["{}", '{"scores": [1.5]}', '{"scores": 2.5}', '{"a": 1}'])
def test_scores_that_are_none(value: str) -> None:
    found = read_scored(line(value.encode()), Limits())
    assert isinstance(found, Read)
    assert found.value == json.loads(value)
