from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from typing import Any

import orjson
import pytest
import rfc8785

from transforms.parsing.json_reference import CODES, loads_reference, parse_reference, pointer
from transforms.parsing.json_strict import Parsed, loads_document, parse
from transforms.records import Finding, Severity, Stage

# RFC 8259, the values of any type: text and what it means.
MUST_ACCEPT: tuple[tuple[str, Any], ...] = (
    ("{}", {}),
    ("[]", []),
    ("null", None),
    ("true", True),
    ("false", False),
    ('""', ""),
    (" \t\r\n{ \t\r\n} \t\r\n", {}),
    ("[ 1 ,\t2\r]", [1, 2]),
    ("0", 0),
    ("-0", 0),
    ("-0.0", -0.0),
    ("1E5", 100000.0),
    ("1e+5", 100000.0),
    ("1e-2", 0.01),
    ("5.0", 5.0),
    ("0e0", 0.0),
    ("0e999999", 0.0),
    ("1e-999999", 0.0),
    ("1.7976931348623157e308", 1.7976931348623157e308),
    ("4.9e-324", 5e-324),
    ("9007199254740991", 9007199254740991),
    ("-9007199254740991", -9007199254740991),
    (r'"\"\\\/\b\f\n\r\t"', '"\\/\b\f\n\r\t'),
    (r'"\u0000"', "\x00"),
    (r'"\u00e9\u00E9"', "éé"),
    (r'"\uD83D\uDE00"', "😀"),
    (r'"\ud800\udc00\uDBFF\uDFFF"', "\U00010000\U0010ffff"),
    ('"\x7f\x80\u0085\u2028\u2029\ufeff\uffff\U0010ffff"', "\x7f\x80\u0085\u2028\u2029\ufeff\uffff\U0010ffff"),
    (r'"\uffff\ufffe\ufeff"', "\uffff\ufffe\ufeff"),
    ('"[{,:"', "[{,:"),
    ('{"":{"":[[]]}}', {"": {"": [[]]}}),
    ('{"a":1,"A":2,"á":3,"a\\u0301":4}', {"a": 1, "A": 2, "á": 3, "a\u0301": 4}),
    ('[{"a":1},{"a":2}]', [{"a": 1}, {"a": 2}]),
    ('{"b":1,"a":2}', {"b": 1, "a": 2}),
)

# RFC 8259: none of these is one JSON value.
MUST_REFUSE: tuple[str, ...] = (
    *("", " ", "\t\r\n", "nul", "tru", "True", "None", "nulll", "undefined", "'a'", "a", "\x00", "{}\x00"),
    *("{", "}", "[", "]", "[}", "{]", "[1", "[1,", "[,1]", "[1,]", "[,]", "[1 2]", "[1,,2]", "[1:2]", "[1]]", "[1][2]"),
    *('{"a"}', '{"a":}', '{"a" 1}', '{"a":1,}', '{,"a":1}', '{"a":1 "b":2}', '{"a"::1}', '{"a":1,,"b":2}', '{"a":1'),
    *("{a:1}", "{1:2}", "{null:1}", "{'a':1}", '{"a":1}}', '{"a":1} {"b":2}', '{"a":1},', "{}{}", "1 2", "{} x"),
    *(
        "01",
        "-01",
        "00",
        "1.",
        "1.e5",
        ".5",
        "-.5",
        "+1",
        "-",
        "--1",
        "- 1",
        "1e",
        "1e+",
        "1E-",
        "1e5.0",
        "0x1F",
        "1_0",
    ),
    *("１", "٣", "1１", "-NaN", "nan", "inf", "-inf", "+Infinity", "Infinit", "NaN1", "1NaN", "∞"),
    *('"', '"a', '"\\', '"\\"', r'"\x41"', r'"\a"', r'"\'"', r'"\U0041"', r'"\0"', '"\\\n"', '"a" "b"', '"a"b'),
    *(r'"\u"', r'"\u1"', r'"\u12"', r'"\u123"', r'"\u123', r'"\u+123"', r'"\u-123"', r'"\u 123"', r'"\u12 3"'),
    *(r'"\u1_23"', r'"\u0x1"', r'"\u00g0"', '"\\u１２３４"', r'"\ud800\u"', r'"\ud800\u12"'),
    *(f'"{chr(control)}"' for control in range(32)),
    *("\x0b{}", "\x0c{}", "{}\x0c", "\xa0{}", "\x85{}", "\u2028{}", "{}\u2029", "[1,\u20032]", "{}\ufeff", " \ufeff{}"),
    *("// c\n{}", "/* c */{}", "{}# c", "[1]//"),
)


def finding(data: bytes, max_depth: int = 64) -> Finding:
    """The finding of `parse`, the same as the reference's."""
    found = parse(data, max_depth)
    assert isinstance(found, Finding)
    assert found == parse_reference(data, max_depth)
    assert found.severity is Severity.REJECT
    (found.message + found.pointer).encode("utf-8")
    assert len(found.message) <= 200
    return found


def code_and_pointer(data: bytes, max_depth: int = 64) -> tuple[str, str]:
    found = finding(data, max_depth)
    return found.code, found.pointer


@pytest.mark.parametrize(("text", "value"), MUST_ACCEPT)
def test_texts_of_rfc_8259_are_accepted(text: str, value: Any) -> None:
    # repr: 1 is not 1.0 nor True, and -0.0 is not 0.0.
    assert repr(loads_document(text.encode())) == repr(value)
    assert repr(loads_reference(text.encode(), 64)) == repr(value)
    assert repr(json.loads(text)) == repr(value)
    parsed = parse(b'{"k":' + text.encode() + b"}", 64)
    assert isinstance(parsed, Parsed)
    assert repr(parsed.value) == repr({"k": value})


@pytest.mark.parametrize("text", MUST_REFUSE)
def test_other_texts_are_invalid_json(text: str) -> None:
    assert code_and_pointer(text.encode()) == ("invalid-json", "")
    found = loads_document(text.encode())
    assert isinstance(found, Finding)
    assert found == finding(text.encode())


@pytest.mark.parametrize(
    "sequence",
    [
        *(b"\x80", b"\xbf", b"\xff", b"\xfe", b"\xc3", b"\xc3(", b"\xe2\x82", b"\xf0\x9f\x98", b"caf\xe9"),
        *(
            b"\xc0\x80",
            b"\xc0\xaf",
            b"\xc1\xbf",
            b"\xe0\x80\xaf",
            b"\xe0\x9f\xbf",
            b"\xf0\x80\x80\xaf",
            b"\xf0\x8f\xbf\xbf",
        ),
        *(b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\xbd\xed\xb8\x80"),
        *(b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80"),
    ],
)
def test_invalid_utf8(sequence: bytes) -> None:
    assert code_and_pointer(b'{"a": "' + sequence + b'"}') == ("invalid-utf8", "")
    assert code_and_pointer(b'{"' + sequence + b'": 1}') == ("invalid-utf8", "")
    assert code_and_pointer(b'{"a": 1}' + sequence) == ("invalid-utf8", "")


def test_invalid_utf8_names_the_byte() -> None:
    assert finding('{"é": "'.encode() + b'\xed\xa0\x80"}').message == "not UTF-8 at byte 9: invalid continuation byte"


def test_utf16_and_utf32_are_not_guessed() -> None:
    text = '{"a": "b"}'
    assert finding(text.encode("utf-16")).code == "invalid-utf8"
    assert finding(text.encode("utf-16-le")).code == "invalid-json"
    assert finding(text.encode("utf-16-be")).code == "invalid-json"
    assert finding(text.encode("utf-32-le")).code == "invalid-json"


@pytest.mark.parametrize("rest", [b"{}", b' {"a": 1}', b"", b"[1", b"[" * 300, b'{"a": 1, "a": NaN}'])
def test_byte_order_mark(rest: bytes) -> None:
    assert code_and_pointer(b"\xef\xbb\xbf" + rest) == ("byte-order-mark", "")


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'{"a": 1, "a": 1}', "/a"),
        (rb'{"a": 1, "\u0061": 2}', "/a"),
        (rb'{"\u00e9": 1, "\u00E9": 2}', "/é"),
        ('{"é": 1, "\\u00e9": 2}'.encode(), "/é"),
        (rb'{"\ud83d\ude00": 1, "\uD83D\uDE00": 2}', "/😀"),
        (b'{"": 1, "": 2}', "/"),
        (b'{"a/b~c": 1, "a/b~c": 2}', "/a~1b~0c"),
        (b'{"x": [0, {"y": [{"a": 1, "b": 2, "a": 3}]}]}', "/x/1/y/0/a"),
        (b'{"a": {"b": 1, "b": 2}, "a": 3}', "/a/b"),
        (b'{"c": {"b": 1}, "d": {"b": 1}, "c": {"b": 1, "b": 2}}', "/c"),
        (b'{"0": [1, {"0": null, "0": null}]}', "/0/1/0"),
    ],
)
def test_duplicate_key(data: bytes, where: str) -> None:
    assert code_and_pointer(data) == ("duplicate-key", where)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (rb'{"a": "\ud800"}', "/a"),
        (rb'{"a": "x\uDFFFy"}', "/a"),
        (rb'{"a": ["ok", "\ude00\ud83d"]}', "/a/1"),
        (rb'{"a": "\ud83d\u0041"}', "/a"),
        (rb'{"a": "\ud83d\n"}', "/a"),
        (rb'{"a": "\ud83d \ude00"}', "/a"),
        (rb'{"a": "\ud800\ud800\udc00"}', "/a"),
        (rb'{"a": "\ud83d\ude00\ude00"}', "/a"),
        (rb'{"\ud800": 1}', r"/\ud800"),
        (rb'{"a": {"x\udc00y": {"b": 1}}}', r"/a/x\udc00y"),
        (rb'{"\ud800": 1, "\ud800": 2}', r"/\ud800"),
        (rb'{"\ud800": "\ud800"}', r"/\ud800"),
    ],
)
def test_lone_surrogate(data: bytes, where: str) -> None:
    assert code_and_pointer(data) == ("lone-surrogate", where)


@pytest.mark.parametrize(
    "number",
    [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e400",
        "-1e400",
        "1e309",
        "1.7976931348623159e308",
        "9" * 400 + ".0",
        "1e" + "9" * 5000,
    ],
)
def test_non_finite_number(number: str) -> None:
    assert code_and_pointer(b'{"a": [1.5, %s]}' % number.encode()) == ("non-finite-number", "/a/1")


@pytest.mark.parametrize(
    "number",
    [
        *("9007199254740992", "-9007199254740992", "9223372036854775808", "18446744073709551616", "1" + "0" * 30),
        *("9" * 4300, "9" * 4301, "-" + "9" * 100_000, "1" + "0" * 4300 + "e-4300"),
    ],
)
def test_number_out_of_range(number: str) -> None:
    assert code_and_pointer(b'{"a": {"b": %s}}' % number.encode()) == ("number-out-of-range", "/a/b")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[]", "an array"),
        ('[{"a": 1}]', "an array"),
        ('"{}"', "a string"),
        ("1", "a number"),
        ("-1.5", "a number"),
        ("true", "a boolean"),
        (" null ", "null"),
    ],
)
def test_not_an_object(text: str, kind: str) -> None:
    assert finding(text.encode()) == Finding("not-an-object", f"an object is required, not {kind}")


@pytest.mark.parametrize(
    ("data", "max_depth"),
    [
        (b"[" * 100_000, 64),
        (b'{"a":' * 100_000, 128),
        (b"[{" * 50_000, 1),
        (b'{"a":[{"b":' * 50_000 + b"1" + b"}]}" * 50_000, 200),
        (b'{"a": [[[1]]]}', 3),
        (b'{"a": {}}', 1),
        (b'{"a": "\\"[", "b": [[{}]]}', 3),
        (b"[[[", 2),
        (b'{"a": [[NaN, "\\ud800"', 2),
    ],
)
def test_nesting_too_deep(data: bytes, max_depth: int) -> None:
    assert code_and_pointer(data, max_depth) == ("nesting-too-deep", "")


def test_depth_counts_the_record_as_one_and_ignores_strings() -> None:
    assert isinstance(parse(b'{"a": 1}', 1), Parsed)
    assert isinstance(parse(b'{"a": [[[1]]], "b": [[[]]]}', 4), Parsed)
    assert isinstance(parse(b'{"a": "[[[[[{{{{{\\"[[[[", "[[[": 1}', 1), Parsed)
    assert isinstance(parse(b'{"a":' * 128 + b"1" + b"}" * 128, 128), Parsed)
    assert finding(b'{"a":' * 129 + b"1" + b"}" * 129, 128).message == "nested deeper than 128 at column 641"


def test_depth_of_a_document_counts_its_outermost_array_as_one() -> None:
    assert loads_document(b"1", 1) == 1
    assert loads_document(b"[[1]]", 2) == [[1]]
    found = loads_document(b"[[1]]", 1)
    assert isinstance(found, Finding)
    assert found.code == "nesting-too-deep"


def test_a_depth_the_readers_cannot_keep_is_a_programming_error() -> None:
    for max_depth in (0, 201):
        with pytest.raises(ValueError, match="from 1 to 200"):
            parse_reference(b"{}", max_depth)


def test_the_first_code_in_the_documented_order_is_the_one_reported() -> None:
    """Each text has every fault from its own down; the last of them is a mere array."""
    faults = b'"\\ud800", {"a": 1, "a": 2}, NaN, 9007199254740993]'
    texts = [
        b"\xef\xbb\xbf[[[[\xff" + faults + b",",
        b"\xef\xbb\xbf[[[[" + faults + b",",
        b"[[[[" + faults + b",",
        b"[" + faults + b",",
        b"[" + faults,
        b'[{"a": 1, "a": 2}, NaN, 9007199254740993]',
        b"[9007199254740993, NaN]",
        b"[9007199254740993]",
        b"[]",
    ]
    assert [finding(text, 3).code for text in texts] == [row.code for row in CODES]


def test_of_several_faults_of_one_code_the_first_in_the_text_is_reported() -> None:
    assert finding(b'{"a": [1, 1e400], "b": NaN}').pointer == "/a/1"
    assert finding(b'{"a": {"b": {"c": 1, "c": 2}}, "d": 1, "d": 2}').pointer == "/a/b/c"
    assert finding(b'{"d": 1, "d": {"c": 1, "c": 2}}').pointer == "/d"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a": 1,}', "Expecting property name enclosed in double quotes at column 9: found '}'"),
        (b'{"a": 1', "Expecting ',' delimiter at column 8: found the end of the text"),
        (b'{"a": 1} {"b": 2}', "Extra data at column 10: found '{'"),
        (b'{"a": "\t"}', "Invalid control character at column 8: found '\\t'"),
        (b'{\n"a": tru}', "Expecting value at line 2, column 6: found 't'"),
        ("{}\u2028".encode(), "Extra data at column 3: found '\\u2028'"),
        (b"\xef\xbb\xbf{}", "a byte order mark (U+FEFF) stands before the value"),
        (b'{"a": -Infinity}', "'-Infinity' is not a JSON number"),
        (b'{"a": 1e400}', "'1e400' overflows a double"),
        (b'{"a": ' + b"1" * 5000 + b"}", f"'{'1' * 40}'… is an integer beyond ±(2^53 − 1)"),
        (b'{"a": 1' + b"0" * 4300 + b"e-4300}", f"'1{'0' * 39}'… has over 4300 digits before the point"),
        (rb'{"\ud800": 1}', r"the key '\ud800' holds a lone surrogate"),
        (rb'{"a": "\ud800"}', "the string holds a lone surrogate"),
        (rb'{"<b>\n": 1, "<b>\n": 2}', r"the key '<b>\n' appears more than once in one object"),
    ],
)
def test_messages(data: bytes, message: str) -> None:
    assert finding(data).message == message


def test_messages_and_pointers_are_bounded() -> None:
    key = b'"' + b"k" * 1000 + b'"'
    found = finding(b'{"a": {' + key + b": 1, " + key + b": 2}}")
    assert found.message == f"the key '{'k' * 40}'… appears more than once in one object"
    # The whole pointer does not fit: the object that holds the key is named instead.
    assert found.pointer == "/a"
    assert finding(b'{"a": "' + b"x" * 100_000).message == "Unterminated string starting at column 7: found '\"'"


def test_pointer() -> None:
    assert pointer(()) == ""
    assert pointer(("a", 0, "", "/~", "~1")) == "/a/0//~1~0/~01"
    assert pointer(("x" * 255, 1)) == "/" + "x" * 255
    assert pointer(("x" * 256, 1)) == ""
    assert pointer(("x\ud800",)) == r"/x\ud800"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("{}", True),
        ('{"b": [1, -5, true, null, "é😀\\u0007", {"a": {}}], "": []}', True),
        ('{"z": {"a": [[9007199254740991]]}, "a b": "\\u2028"}', True),
        ('{"a": 5.0}', False),
        ('{"a": [{"b": [1, -0.0]}]}', False),
        ('{"é": 1}', False),
        ('{"a": [{"\\u00e9": 1}]}', False),
        ('{"\ue000": 1, "😀": 2}', False),
    ],
)
def test_plain_says_where_sorting_alone_gives_the_canonical_form(text: str, plain: bool) -> None:
    parsed = parse(text.encode(), 64)
    assert isinstance(parsed, Parsed)
    assert parsed.plain is plain
    if plain:
        assert orjson.dumps(parsed.value, option=orjson.OPT_SORT_KEYS) == rfc8785.dumps(parsed.value)


def test_a_parsed_record_is_frozen() -> None:
    parsed = parse(b'{"a": 1}', 64)
    assert parsed == Parsed({"a": 1}, plain=True)
    with pytest.raises(FrozenInstanceError):
        parsed.plain = False  # type: ignore[misc]


def test_codes_are_all_rejections_of_the_parsing_stage() -> None:
    assert {(row.stage, row.severity) for row in CODES} == {(Stage.PARSING, Severity.REJECT)}
    assert len({row.code for row in CODES}) == 9
