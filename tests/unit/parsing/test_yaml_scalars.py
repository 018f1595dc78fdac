"""What scalars are, as a whole document shows it: the parser's quoting and the typing work together."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from yaml_texts import MAX_BYTES, finding, value

from transforms.parsing import json_strict
from transforms.parsing.exact_numbers import exact_number
from transforms.parsing.json_strict import Parsed
from transforms.parsing.yaml_strict import read_yaml
from transforms.records import Finding

# Unquoted scalars and what they are: JSON's literals and numbers, or the text they show.
PLAIN: tuple[tuple[str, Any], ...] = (
    ("null", None),
    ("true", True),
    ("false", False),
    ("0", 0),
    ("-0", 0),
    ("-0.0", -0.0),
    ("10", 10),
    ("10.0", 10.0),
    ("0.200000", 0.2),
    ("1e3", 1000.0),
    ("1E-2", 0.01),
    ("-1.5e+3", -1500.0),
    ("0e999999", 0.0),
    ("1e-999999", 0.0),
    ("123456789012345", 123456789012345),
    ("1234567890123456", 1234567890123456),
    ("9007199254740991", 9007199254740991),
    ("-9007199254740991", -9007199254740991),
    *((text, text) for text in ("yes", "no", "on", "off", "y", "n", "Yes", "NO", "On", "OFF")),
    *(
        (text, text)
        for text in ("2026-03-01", "2026-03-01T08:00:00Z", "2026-03-01 08:00:00 +1", "12:30", "190:20:30.15")
    ),
    *(
        (text, text)
        for text in ("1_000", "1_000.5", "0b101", "0o18", "0xG", "-0x1F", "0x_1F", "1e", "1e+", "1.2.3", "e5")
    ),
    *((text, text) for text in ("nan", "NAN", "inf", "-inf", "+Infinity", "infinity", "-.nan", ".Nan", "nUll", "tRue")),
    *((text, text) for text in ("=", "<<", "~x", ".", "+", "..", "sha256:ab", "http://a/b#c", "a#b", "١", "１", "a b")),
)


@pytest.mark.parametrize(("text", "typed"), PLAIN)
def test_unquoted_scalars(text: str, typed: Any) -> None:
    # repr: 1 is not 1.0 nor True, and -0.0 is not 0.0.
    assert repr(value(f"k: {text}\n")) == repr({"k": typed})
    assert repr(value(f"k: [{text}, {text}]")) == repr({"k": [typed, typed]})
    for quoted in (f'"{text}"', f"'{text}'", f"|-\n  {text}", f">-\n  {text}"):
        assert value(f"k: {quoted}\n") == {"k": text}


NOT_JSON = (
    *(
        "~",
        "Null",
        "NULL",
        "True",
        "TRUE",
        "False",
        "FALSE",
        "+1",
        "01",
        "-01",
        "017",
        "08",
        "00",
        "+0",
        "0x1F",
        "0o17",
    ),
    *(".5", "-.5", "+.5e3", "1.", "1.e5", "-1.", "+1.5", "00.5", "01e5", "0123456789012345"),
)


@pytest.mark.parametrize("text", NOT_JSON)
def test_what_yaml_types_but_json_writes_otherwise_is_refused(text: str) -> None:
    found = finding(f"k: [a, {text}]")
    assert (found.code, found.pointer) == ("non-json-scalar", "/k/1")
    assert found.message == f"'{text}' is not written as JSON writes it at line 1, column 8"
    assert value(f"k: '{text}'") == {"k": text}


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("k:\n", "/k"),
        ("k: # c\n", "/k"),
        ("k:\n  -\n", "/k/0"),
        ("k: {a: }", "/k/a"),
        ("k: {a}", "/k/a"),
        ("? k\n", "/k"),
    ],
)
def test_a_missing_value_is_not_null(text: str, pointer: str) -> None:
    found = finding(text)
    assert (found.code, found.pointer) == ("non-json-scalar", pointer)
    assert found.message.startswith("a missing value counts as null but is not written as JSON writes it at line ")


@pytest.mark.parametrize(
    "text", [".nan", ".NaN", ".NAN", ".inf", "-.inf", "+.inf", ".Inf", "-.INF", "NaN", "Infinity", "-Infinity"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    found = finding(f"rate: {text}")
    assert found == Finding("non-finite-number", f"'{text}' is not a JSON number at line 1, column 7", "/rate")
    assert value(f'rate: "{text}"') == {"rate": text}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1e400", "non-finite-number"),
        ("-1e400", "non-finite-number"),
        ("9" * 400 + ".5", "non-finite-number"),
        ("9007199254740992", "number-out-of-range"),
        ("-9007199254740993", "number-out-of-range"),
        ("9" * 5000, "number-out-of-range"),
        ("1" + "0" * 4300 + "e-4300", "number-out-of-range"),
    ],
)
def test_numbers_have_the_limits_of_json(text: str, code: str) -> None:
    found = finding(f'{{"k": {text}}}')
    in_json = json_strict.parse(f'{{"k": {text}}}'.encode(), 64)
    assert isinstance(in_json, Finding)
    assert in_json.code == code
    assert found == Finding(code, f"{in_json.message} at line 1, column 7", "/k")


@pytest.mark.parametrize("text", ["0." + "1" * 5000, "1" + "0" * 4299 + "e-4299", "0.1e-400"])
def test_long_numbers_are_read(text: str) -> None:
    assert value(f"k: {text}") == json.loads(f'{{"k": {text}}}')


def test_decimals_keep_the_digits_as_written() -> None:
    text = b"a: 0.200000\nb: 10\nc: 1e3\nd: 0e-9999999999999999999999\ne: 0.2e400\n"
    parsed = read_yaml(text[:-11], 64, MAX_BYTES, exact=exact_number)
    assert isinstance(parsed, Parsed)
    assert repr(parsed.value) == repr({"a": Decimal("0.200000"), "b": 10, "c": Decimal("1e3"), "d": Decimal(0)})
    assert not parsed.plain
    refused = read_yaml(text, 64, MAX_BYTES, exact=exact_number)
    assert isinstance(refused, Finding)
    assert (refused.code, refused.pointer) == ("non-finite-number", "/e")


@pytest.mark.parametrize(
    ("text", "failing"),
    [
        ("9.9999999999999999999", "is no integer, but becomes one as a double"),
        ("1e-9999999999999999999999", "is not zero, but becomes zero as a double"),
    ],
)
def test_decimals_that_a_double_misstates(text: str, failing: str) -> None:
    data = f"a:\n- b: {text}\n".encode()
    message = f"'{text}' {failing} at line 2, column 6"
    assert read_yaml(data, 64, MAX_BYTES, exact=exact_number) == Finding("number-out-of-range", message, "/a/0/b")
    assert isinstance(read_yaml(data, 64, MAX_BYTES), Parsed)
