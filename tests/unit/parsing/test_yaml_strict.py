from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from yaml.cyaml import CParser  # type: ignore[import-untyped]
from yaml.reader import ReaderError  # type: ignore[import-untyped]
from yaml_texts import finding, read, value

from transforms.parsing import json_strict
from transforms.parsing.json_strict import Parsed
from transforms.parsing.yaml_strict import CODES, PRECEDENCE
from transforms.records import Finding, Severity, Stage

GOLDEN = Path(__file__).parents[2] / "golden" / "baselines"

# The documents that do not get beyond parsing; all others of the folder do.
REFUSED = {
    "bad/p02_duplicate_criterion.yaml": ("duplicate-key", "/criteria/c"),
    "bad/p06_two_documents.yaml": ("multiple-documents", ""),
    "reports/62-baseline-dup-key.yaml": ("duplicate-key", "/criteria/names-a-lamp/successes"),
    "reports/62-baseline-dup-key-quoted.yaml": ("duplicate-key", "/criteria/names-a-lamp/successes"),
    "reports/62-baseline-merge-key.yaml": ("yaml-merge-key", "/criteria/names-a-lamp/<<"),
    "reports/64-baseline-alias-bomb.yaml": ("yaml-alias", "/x0"),
    "reports/64-baseline-recursive-alias.yaml": ("yaml-alias", "/loop"),
    "reports/64-baseline-deep-flow.yaml": ("nesting-too-deep", ""),
    "reports/66-baseline-two-documents.yaml": ("multiple-documents", ""),
    "reports/66-baseline-python-tag.yaml": ("yaml-tag", "/execution/terminationReason"),
}


def code_and_pointer(text: str | bytes, max_depth: int = 64) -> tuple[str, str]:
    found = finding(text, max_depth)
    return found.code, found.pointer


def golden_names() -> list[str]:
    return sorted(f"{path.parent.name}/{path.name}" for path in GOLDEN.glob("*/*.yaml"))


def test_the_golden_documents_are_there() -> None:
    assert len(golden_names()) >= 38
    assert REFUSED.keys() <= set(golden_names())


@pytest.mark.parametrize("name", golden_names())
def test_golden_documents(name: str) -> None:
    data = (GOLDEN / name).read_bytes()
    if name in REFUSED:
        assert code_and_pointer(data) == REFUSED[name]
    else:
        assert value(data)["schemaVersion"] == "mavai-baseline-1"


def test_a_real_document_in_full() -> None:
    read_back = value((GOLDEN / "good" / "w04_axes.yaml").read_bytes())
    assert list(read_back) == [
        *("schemaVersion", "serviceContractId", "serviceName", "generatedAt", "confidenceLevel", "inputsIdentity"),
        *("covariateProfile", "execution", "criteria", "contentFingerprint"),
    ]
    assert read_back["generatedAt"] == "2026-08-03T12:00:00+00:00"
    assert read_back["covariateProfile"] == {}
    assert read_back["criteria"]["c"]["observedPassRate"] == 0.2
    assert read_back["criteria"]["c"]["failureDistribution"][1] == {
        "condition": "schema",
        "count": 2,
        "kind": "evaluated",
        "reason": "transform/no-value",
    }


def test_crlf_means_the_same() -> None:
    good = (GOLDEN / "reports" / "68-baseline-good.yaml").read_bytes()
    crlf = (GOLDEN / "reports" / "68-baseline-crlf.yaml").read_bytes()
    assert b"\r\n" in crlf
    assert repr(value(crlf)) == repr(value(good))


@pytest.mark.parametrize(
    ("text", "plain"),
    [("a: 1", True), ("a: é", True), ("é: 1", False), ("a: 1.0", False), ("a: [true, null, x, {b: 2}]", True)],
)
def test_plain_is_as_in_json(text: str, plain: bool) -> None:
    parsed = read(text)
    assert isinstance(parsed, Parsed)
    assert parsed.plain is plain
    again = json_strict.parse(json.dumps(parsed.value).encode(), 64)
    assert again == parsed


REFUSALS: tuple[tuple[str, str, str, str], ...] = (
    ("yaml-tag", "a: !!str 1", "/a", "the tag 'tag:yaml.org,2002:str' at line 1, column 4"),
    ("yaml-tag", "a: ! b", "/a", "the tag '!' at line 1, column 4"),
    ("yaml-tag", "!x {a: b}", "", "the tag '!x' at line 1, column 1"),
    ("yaml-tag", "a: !!set [b]", "/a", "the tag 'tag:yaml.org,2002:set' at line 1, column 4"),
    ("yaml-tag", "!!str a: b", "", "the tag 'tag:yaml.org,2002:str' at line 1, column 1"),
    ("yaml-tag", "a: !!binary aGk=", "/a", "the tag 'tag:yaml.org,2002:binary' at line 1, column 4"),
    ("yaml-tag", "a: !<tag:x,2026:y> b", "/a", "the tag 'tag:x,2026:y' at line 1, column 4"),
    ("yaml-merge-key", "a:\n  <<: {b: 1}", "/a/<<", "a merge key at line 2, column 3"),
    ("yaml-merge-key", "{<<: [{b: 1}]}", "/<<", "a merge key at line 1, column 2"),
    ("yaml-merge-key", "d: &d {x: 1}\na:\n  <<: *d", "/a/<<", "a merge key at line 3, column 3"),
    ("yaml-alias", "a: &x 1", "/a", "the anchor '&x' at line 1, column 4"),
    ("yaml-alias", "a: [b, *x]", "/a/1", "the alias '*x' at line 1, column 8"),
    ("yaml-alias", "a: &x [*x]", "/a", "the anchor '&x' at line 1, column 4"),
    ("yaml-alias", "&x a: b", "", "the anchor '&x' at line 1, column 1"),
    ("yaml-alias", "*x : b", "", "the alias '*x' at line 1, column 1"),
    ("yaml-alias", "a: &x\n", "/a", "the anchor '&x' at line 1, column 4"),
    ("yaml-alias", f"a: *{'x' * 99}", "/a", f"the alias '*{'x' * 39}'… at line 1, column 4"),
    ("non-string-key", "a: {1: b}", "/a", "the key '1' is no text at line 1, column 5"),
    ("non-string-key", "true: b", "", "the key 'true' is no text at line 1, column 1"),
    ("non-string-key", "~: b", "", "the key '~' is no text at line 1, column 1"),
    ("non-string-key", "0x1F: b", "", "the key '0x1F' is no text at line 1, column 1"),
    ("non-string-key", ".nan: b", "", "the key '.nan' is no text at line 1, column 1"),
    ("non-string-key", "99999999999999999: b", "", "the key '99999999999999999' is no text at line 1, column 1"),
    ("non-string-key", "?\n: b", "", "a key is missing at line 1, column 2"),
    ("non-string-key", "[a, b]: c", "", "an array or object stands as a key at line 1, column 1"),
    ("non-string-key", "? {a: b}\n: c", "", "an array or object stands as a key at line 1, column 3"),
    ("non-string-key", "? [[a: {b: [1]}]]\n: [c]\nd: e", "", "an array or object stands as a key at line 1, column 3"),
    ("duplicate-key", "a: 1\nb: 2\na: 3", "/a", "the key 'a' appears more than once in one object at line 3, column 1"),
    ("duplicate-key", "a: 1\n'a': 1", "/a", "the key 'a' appears more than once in one object at line 2, column 1"),
    (
        "duplicate-key",
        '{a: 1, "\\x61": 1}',
        "/a",
        "the key 'a' appears more than once in one object at line 1, column 8",
    ),
    (
        "duplicate-key",
        "a: 1\n? |-\n  a\n: 1",
        "/a",
        "the key 'a' appears more than once in one object at line 2, column 3",
    ),
    (
        "duplicate-key",
        '{"\\ud83d\\ude00": 1, "\\U0001f600": 1}',
        "/😀",
        "the key '😀' appears more than once in one object at line 1, column 21",
    ),
    ("duplicate-key", '"": 1\n"": 2', "/", "the key '' appears more than once in one object at line 2, column 1"),
    ("lone-surrogate", 'a: "\\ud83d"', "/a", "the string holds a lone surrogate at line 1, column 4"),
    ("lone-surrogate", 'a: "\\ude00\\ud83d"', "/a", "the string holds a lone surrogate at line 1, column 4"),
    ("lone-surrogate", 'a: "\\ud83d x \\ude00"', "/a", "the string holds a lone surrogate at line 1, column 4"),
    ("lone-surrogate", 'a: "\\U0000DC00"', "/a", "the string holds a lone surrogate at line 1, column 4"),
    (
        "lone-surrogate",
        'a: ["\\ud83d\\ude00", "\\uDBFF"]',
        "/a/1",
        "the string holds a lone surrogate at line 1, column 21",
    ),
    ("lone-surrogate", '"\\ud83d": b', "/\\ud83d", "the key '\\ud83d' holds a lone surrogate at line 1, column 1"),
    ("not-an-object", "- a", "", "an object is required, not an array"),
    ("not-an-object", "a", "", "an object is required, not a string"),
    ("not-an-object", "1", "", "an object is required, not a number"),
    ("not-an-object", "1.5", "", "an object is required, not a number"),
    ("not-an-object", "true", "", "an object is required, not a boolean"),
    ("not-an-object", "null", "", "an object is required, not null"),
    ("not-an-object", "", "", "an object is required, not null"),
    ("not-an-object", "\n# nothing\n", "", "an object is required, not null"),
    ("multiple-documents", "a: 1\n---\nb: 2", "", "a second document starts at line 2, column 1"),
    ("multiple-documents", "a: 1\n...\n---\n", "", "a second document starts at line 3, column 1"),
    ("multiple-documents", "---\na: 1\n--- b", "", "a second document starts at line 3, column 1"),
    (
        "multiple-documents",
        "a: 1\n...\n# c\n%YAML 1.2\n---\nb: 2",
        "",
        "a directive follows the document that ends at line 2, column 4",
    ),
    ("yaml-directive", "%YAML 1.2\n---\na: 1", "", "a directive at line 1, column 1"),
    ("yaml-directive", "# c\n \n%TAG ! x\n---\na: 1", "", "a directive at line 3, column 1"),
    ("yaml-directive", "\r\n\r%FOO", "", "a directive at line 3, column 1"),
    ("yaml-character", "a: 1\nb: x\x00", "", "the character U+0000 at line 2, column 5"),
    ("yaml-character", 'a: "\x7f"', "", "the character U+007F at line 1, column 5"),
    ("yaml-character", "a: é\x85b: c", "", "the character U+0085 at line 1, column 5"),
    ("yaml-character", "# c\u2028a: b", "", "the character U+2028 at line 1, column 4"),
    ("yaml-character", "a: 1\n\ufeffb: 2", "", "the character U+FEFF at line 2, column 1"),
    ("yaml-character", "a: \uffff", "", "the character U+FFFF at line 1, column 4"),
)


@pytest.mark.parametrize(("code", "text", "pointer", "message"), REFUSALS)
def test_refusals(code: str, text: str, pointer: str, message: str) -> None:
    assert finding(text) == Finding(code, message, pointer)


SYNTAX: tuple[tuple[str, str], ...] = (
    (
        "a: [b, c",
        "did not find expected ',' or ']' while parsing a flow sequence at the end of the text",
    ),
    ("a: b: c", "mapping values are not allowed in this context at line 1, column 5: found ':'"),
    (
        "a: 'b",
        "found unexpected end of stream while scanning a quoted scalar at the end of the text",
    ),
    (
        "a: b\n\tc: d",
        "found a tab character that violates indentation while scanning a plain scalar"
        " at line 2, column 1: found '\\t'",
    ),
    (
        "a: @b",
        "found character that cannot start any token while scanning for the next token at line 1, column 4: found '@'",
    ),
    (
        'a: "\\q"',
        "found unknown escape character while parsing a quoted scalar at line 1, column 5: found '\\\\'",
    ),
    ("a: 1\n b: 2", "mapping values are not allowed in this context at line 2, column 3: found ':'"),
)


@pytest.mark.parametrize(("text", "message"), SYNTAX)
def test_syntax(text: str, message: str) -> None:
    assert finding(text) == Finding("invalid-yaml", message)


@pytest.mark.parametrize(
    "text",
    [
        *("{", "}", "[", "a: }", "{a: 1", "{a: 1}}", "{a: 1} b", "a: 1\nb", "- a\nb: c", "a:\n- b\n c: d", "a: |x\n b"),
        *("a: *", "a: &", "a: !<", "a: !x!y z", "a: %b", "a: `b", 'a: "b" c', "a: 'b' 'c'", '"a', "a: [1,,2]", "{,}"),
        *('a: "\\u12"', 'a: "\\ud83"', 'a: "\\U00110000"', 'a: "\\Uffffffff"', 'a: "\\x4"', "a: &x *x", "a: - b"),
        *("a: 'x\n---\n'", "--- |\n%foo", "a: 1\n%YAML 1.2", "? a\nb", f"{'k' * 1025}: 1", '{"' + "k" * 1025 + '": 1}'),
    ],
)
def test_other_texts_that_are_no_yaml(text: str) -> None:
    found = finding(text)
    # A directive within a document is one that follows it, for the parser.
    assert found.code == ("multiple-documents" if text == "a: 1\n%YAML 1.2" else "invalid-yaml")
    assert found.pointer == ""


@pytest.mark.parametrize(
    "data", [b"a: \xe9", b"a: \xc0\xaf", b"a: \xed\xa0\xbd\xed\xb8\x80", b"\xff\xfea\x00", b"\x80"]
)
def test_not_utf8(data: bytes) -> None:
    found = finding(data)
    assert found == json_strict.parse(data, 64)
    assert found.code == "invalid-utf8"


def test_byte_order_marks() -> None:
    data = "\ufeffa: 1".encode()
    assert finding(data) == json_strict.parse(data, 64)
    assert code_and_pointer(data) == ("byte-order-mark", "")
    assert code_and_pointer("a: 1".encode("utf-16"))[0] == "invalid-utf8"
    assert code_and_pointer("a: 1".encode("utf-16-le"))[0] == "yaml-character"
    assert value('a: "\\ufeff"') == {"a": "\ufeff"}


# A fault of each of the codes, from the last of the order to the first, put together in one document.
LAYERS: tuple[tuple[str, str], ...] = (
    ("non-json-scalar", "f01: ~\n"),
    ("number-out-of-range", "f02: 9007199254740993\n"),
    ("non-finite-number", "f03: .nan\n"),
    ("duplicate-key", "f04: {a: 1, a: 2}\n"),
    ("lone-surrogate", 'f05: "\\udc00"\n'),
    ("non-string-key", "f06: {1: 2}\n"),
    ("yaml-alias", "f07: &a b\n"),
    ("yaml-merge-key", "f08: {<<: {}}\n"),
    ("yaml-tag", "f09: !!str c\n"),
    ("multiple-documents", "---\n"),
)


def test_the_first_code_of_the_order_is_found() -> None:
    text = ""
    for code, layer in LAYERS:
        text += layer
        assert finding(text).code == code
    for code, more in (("invalid-yaml", "}\n"), ("nesting-too-deep", "x: " + "[" * 70 + "\n")):
        # These end the reading, so they must stand in the first document.
        text = text.replace("---\n", "") + more
        if code == "nesting-too-deep":
            text = text.replace("}\nx", "x") + "}\n"
        assert finding(text).code == code
    for code, before in (("yaml-directive", "%A\n"), ("yaml-character", "\x07"), ("byte-order-mark", "\ufeff")):
        text = before + text
        assert finding(text).code == code
    assert finding(text.encode() + b"\xff").code == "invalid-utf8"


def test_the_codes() -> None:
    order = [row.code for row in PRECEDENCE]
    assert len(set(order)) == len(order)
    of_json = {row.code for row in json_strict.CODES} - {"invalid-json"}
    assert {row.code for row in CODES} == set(order) - of_json - {"record-too-large"}
    # Those that JSON has too come in the same order.
    assert [code for code in order if code in of_json] == [
        row.code for row in json_strict.CODES if row.code != "invalid-json"
    ]
    assert all(row.stage is Stage.PARSING and row.severity is Severity.REJECT for row in CODES)
    tested = {code for code, *_ in (*REFUSALS, *LAYERS)} | {code for code, _ in REFUSED.values()}
    assert {row.code for row in CODES} - tested == {"invalid-yaml"}


@pytest.mark.parametrize("row", CODES, ids=lambda row: row.code)
def test_a_row_says_enough(row: Any) -> None:
    for text in (row.summary, row.example, row.remedy):
        assert 10 <= len(text) <= 400
    assert row.remedy.endswith(".")


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r"])
def test_lines_are_counted_at_each_kind_of_break(break_: str) -> None:
    text = break_.join(("# c", "a: 1", "", "b: é", "  # d", "c: [1, ~]"))
    assert finding(text).message == "'~' is not written as JSON writes it at line 6, column 8"
    assert finding(text + "\x00").message == "the character U+0000 at line 6, column 10"
    assert finding(text + break_ + "d: *").message.endswith("at the end of the text")
    assert value(break_.join(("a: |", "  x", "  y", 'b: "z"', ""))) == {"a": "x\ny\n", "b": "z"}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "---\na: 1",
            "--- {a: 1}",
            "a: 1\n...\n",
            "a: 1\n...\n...\n# c\n",
            "# c\n---\na: 1 # d\n",
            "\n\n  a: 1\n",
            "a : 1",
        ),
        *('"a": 1', "'a': 1", "? a\n: 1", '{"a":1}', "{a: 1,}", "{\n  a:\n\n    1\n}", "{? a : 1}", '{\n\t"a":\t1\n}'),
    ],
)
def test_the_shapes_of_a_document(text: str) -> None:
    assert value(text) == {"a": 1}


def test_keys_that_look_like_more_than_text() -> None:
    text = '"<<": 1\n"1": 2\n"true": 3\n2026-01-01: 4\non: 5\n"": 6\na/b~c: {x y: 7}\n'
    assert value(text) == {
        "<<": 1,
        "1": 2,
        "true": 3,
        "2026-01-01": 4,
        "on": 5,
        "": 6,
        "a/b~c": {"x y": 7},
    }
    assert code_and_pointer("a/b~c: [{d: ~}]") == ("non-json-scalar", "/a~1b~0c/0/d")


def test_pointers_and_messages_are_bounded() -> None:
    long = "k" * 500
    found = finding(f"b: {{{long}: {{c: 1, c: 2}}}}")
    assert (found.code, found.pointer) == ("duplicate-key", "/b")
    found = finding(f"{long}: 1\n{long}: 2")
    assert found.message == f"the key '{long[:40]}'… appears more than once in one object at line 2, column 1"
    assert finding(f"a: !{long} b").message == f"the tag '!{long[:39]}'… at line 1, column 4"


def readable(char: str) -> bool:
    """Whether libyaml takes the character."""
    parser = CParser(f'a: "x{char}y"')
    try:
        while parser.get_event() is not None:
            pass
    except ReaderError:
        return False
    return True


def test_the_forbidden_characters_are_those_of_the_parser_and_four_more() -> None:
    points = (*range(0x20), *range(0x23, 0x5C), *range(0x5D, 0x3100), *range(0xD700, 0xD800), *range(0xE000, 0x10100))
    four = {0x85, 0x2028, 0x2029, 0xFEFF}
    for point in (*points, 0x1FFFE, 0x1FFFF, 0x10FFFD, 0x10FFFF):
        char = chr(point)
        found = read(f'a: "x{char}y"')
        forbidden = isinstance(found, Finding) and found.code == "yaml-character"
        assert forbidden == (not readable(char) or point in four), hex(point)
