"""What an emitter writes is read back; the JSON reader and PyYAML agree where they can; nothing crashes the reader.

The emitter is ours and only knows the forms that the reader accepts; hypothesis gives values and layouts.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.parsing import json_strict
from transforms.parsing.json_strict import Parsed
from transforms.parsing.yaml_strict import PRECEDENCE, read_yaml
from transforms.records import Finding

GOLDEN = Path(__file__).parents[1] / "golden" / "baselines"
MAX_BYTES = 1 << 20
MUST_BE_ESCAPED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
BARE = re.compile("[A-Za-zé漢😀][A-Za-z0-9é漢😀_./-]*(?: [A-Za-z0-9é漢😀_./-]+)*")
# Bare words that one reader or another does not take for text.
TYPED = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity"}
# What a literal block of ours may hold.
LINES = re.compile("(?:[!-~é漢😀][ -~é漢😀]*\n+)*[!-~é漢😀][ -~é漢😀]*\n?")

texts = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12),
    st.text(alphabet="ab:-#?&*!|>%@`'\"\\{}[], \n\t~<0.1e_é😀", max_size=10),
    st.sampled_from(["yes", "null", "~", "1", "0x1F", "2026-01-01", "<<", "12:30", "\\ud83d", "", " ", "a b", "😀"]),
    st.text(alphabet="abé漢😀_. -/1", max_size=10),
    st.lists(st.sampled_from(["a b", "#x: {", "", "é 😀", "- \\u"]), max_size=4).map("\n".join),
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53) + 1, 2**53 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    texts,
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
documents = st.dictionaries(texts, values, max_size=5)


class Emitter:
    """Writes a value as YAML, choosing at random among the forms that mean it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def document(self, value: dict[str, Any]) -> str:
        body = self.block(value, 0) if value and self.rng.random() < 0.8 else self.flow(value) + "\n"
        before = self.rng.choice(("", "", "---\n", "# a comment: [\n---\n", "\n"))
        after = self.rng.choice(("", "", "...\n", "# the end\n"))
        return (before + body + after).replace("\n", self.rng.choice(("\n", "\n", "\r\n", "\r")))

    def block(self, value: dict[str, Any] | list[Any], indent: int) -> str:
        """The lines of a container that is not empty."""
        margin = " " * indent
        if isinstance(value, list):
            return "".join(f"{margin}-{self.member(item, indent)}" for item in value)
        members = ((self.key(key), self.member(item, indent)) for key, item in value.items())
        return "".join(
            f"{margin}? {key}\n{margin}:{item}" if self.rng.random() < 0.05 else f"{margin}{key}:{item}"
            for key, item in members
        )

    def member(self, value: Any, indent: int) -> str:
        """What follows a dash or colon, with its line break."""
        deeper = indent + self.rng.choice((1, 2, 4))
        comment = self.rng.choice(("", "", "", " # it's: a {comment"))
        if isinstance(value, dict | list) and value and self.rng.random() < 0.7:
            return f"{comment}\n{self.block(value, deeper)}"
        if isinstance(value, str) and LINES.fullmatch(value) and self.rng.random() < 0.5:
            return self.literal(value, deeper)
        return f" {self.flow(value)}{comment}\n"

    def literal(self, value: str, indent: int) -> str:
        lines = value.removesuffix("\n").split("\n")
        header = " |\n" if value.endswith("\n") else " |-\n"
        return header + "".join(" " * indent + line + "\n" if line else "\n" for line in lines)

    def flow(self, value: Any) -> str:
        space = self.rng.choice(("", " "))
        if isinstance(value, list):
            return "[" + space + f",{space}".join(map(self.flow, value)) + space + "]"
        if isinstance(value, dict):
            members = (f"{self.key(key)}: {self.flow(item)}" for key, item in value.items())
            return "{" + space + f", {space}".join(members) + space + "}"
        return self.text(value) if isinstance(value, str) else json.dumps(value)

    def key(self, key: str) -> str:
        return self.text(key)

    def text(self, text: str) -> str:
        style = self.rng.random()
        if style < 0.4 and BARE.fullmatch(text) and text.lower() not in TYPED:
            return text
        if style < 0.7 and MUST_BE_ESCAPED.search(text) is None:
            return "'" + text.replace("'", "''") + "'"
        quoted = json.dumps(text, ensure_ascii=style < 0.85)
        return MUST_BE_ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


class JsonScalars(yaml.SafeLoader):  # type: ignore[misc]
    """PyYAML's own scanner, parser and composer, with the scalars of JSON."""

    yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012 - as the base class has it


for tag, pattern, first in (
    ("null", "null", "n"),
    ("bool", "true|false", "tf"),
    ("int", "-?(?:0|[1-9][0-9]*)", "-0123456789"),
    ("float", r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?", "-0123456789"),
):
    JsonScalars.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})$"), list(first))


def accepted(data: bytes) -> Parsed:
    parsed = read_yaml(data, 64, MAX_BYTES)
    assert isinstance(parsed, Parsed), parsed
    return parsed


def joined(value: Any) -> Any:
    """The value with pairs of surrogates joined, which PyYAML leaves apart."""
    if isinstance(value, dict):
        return {joined(key): joined(item) for key, item in value.items()}
    if isinstance(value, list):
        return [joined(item) for item in value]
    return value.encode("utf-16", "surrogatepass").decode("utf-16") if isinstance(value, str) else value


@settings(max_examples=300, deadline=None)
@given(documents, st.randoms(use_true_random=False))
def test_what_is_written_is_read_back(value: dict[str, Any], rng: random.Random) -> None:
    text = Emitter(rng).document(value)
    # repr tells types, -0.0, every bit of a float and the order of keys.
    assert repr(accepted(text.encode()).value) == repr(value)
    assert repr(joined(yaml.load(text, JsonScalars))) == repr(value)


@settings(max_examples=150, deadline=None)
@given(documents, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_json_is_read_as_the_json_reader_reads_it(value: dict[str, Any], indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    text = MUST_BE_ESCAPED.sub(lambda match: match[0] if match[0] in "\n\t" else f"\\u{ord(match[0]):04x}", text)
    in_json = json_strict.parse(text.encode(), 64)
    assert isinstance(in_json, Parsed)
    parsed = accepted(text.encode())
    assert repr(parsed.value) == repr(in_json.value) == repr(value)
    assert parsed.plain == in_json.plain


# YAML 1.1, which PyYAML follows, takes some of these for text and leaves them unquoted: no common ground.
NUMBERS_SINCE_1_2 = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|NaN|-?Infinity")
ordinary_texts = texts.filter(lambda text: NUMBERS_SINCE_1_2.fullmatch(text) is None)
ordinary = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.floats(-1e6, 1e6), ordinary_texts),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ordinary_texts, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(ordinary_texts, ordinary, max_size=5), st.booleans())
def test_what_pyyaml_writes_is_read_as_pyyaml_reads_it(value: dict[str, Any], flow: bool) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, sort_keys=False, allow_unicode=False, width=10**6)
    # An emitter that knows aliases only repeats what is the same object: there is none here.
    assert repr(accepted(text.encode()).value) == repr(yaml.safe_load(text)) == repr(value)


@settings(max_examples=150, deadline=None)
@given(documents, st.randoms(use_true_random=False), st.data())
def test_a_repeated_key_is_found_whatever_its_spelling(value: dict[str, Any], rng: random.Random, data: Any) -> None:
    key = data.draw(texts)
    emitter = Emitter(rng)
    text = emitter.block({"x": 1, **value, key: 2}, 0) + emitter.block({key: 3}, 0)
    found = read_yaml(text.encode(), 64, MAX_BYTES)
    assert isinstance(found, Finding)
    assert found.code == "duplicate-key"
    assert found.pointer == "/" + key.replace("~", "~0").replace("/", "~1")


PIECES = (
    *(
        b":",
        b": ",
        b"- ",
        b"? ",
        b"#",
        b" #x",
        b"|\n",
        b">-\n ",
        b'"',
        b"'",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b"\n",
        b"\n  ",
    ),
    *(
        b"\t",
        b"\r\n",
        b"\r",
        b"---\n",
        b"\n...\n",
        b"\n---\n",
        b"%YAML 1.2\n",
        b"\n%TAG ! x\n",
        b"&a ",
        b"*a",
        b"!",
        b"~",
    ),
    *(
        b"~",
        b"\n  ",
        b"!!str ",
        b"<<: ",
        b"null",
        b"yes",
        b"0x1f",
        b"017",
        b"1_000",
        b"12:30",
        b".nan",
        b"NaN",
        b"1e400",
    ),
    *(
        b"9" * 20,
        b"\\",
        b"\\u",
        b"\\ud83d\\ude00",
        b"\\ud83d",
        b"\\\\",
        b"\\x41",
        b"\\U0001f600",
        b"\xc2\x85",
        b"\xe2\x80\xa8",
    ),
    *(b"\xff", b"\x00", b"\xef\xbb\xbf", b"[" * 8, b"a: 1", b'"a": "b"', b"@", b"`", b"=", b"1", b"x" * 10),
)
SEEDS = (
    b'a: 1\nb:\n  - x\n  - "y"\n  - {c: d, "e": [1, 2.5]}\n',
    b"k: |\n  text\n  more\nz: >-\n  a\n  b\n",
    b'{"a": [1, {"b": null}], "c": "\\ud83d\\ude00 \\\\ud83d"}',
    b"a: 'it''s'\nb: plain text # c\nc: plain\n  two\n",
    *(path.read_bytes() for path in sorted((GOLDEN / "good").glob("e0*.yaml"))),
)


def damaged(rng: random.Random, text: bytes) -> bytes:
    """One to three random injuries."""
    for _ in range(rng.randrange(1, 4)):
        here = rng.randrange(len(text) + 1)
        there = min(len(text), here + rng.randrange(1, 30))
        match rng.randrange(6):
            case 0:
                text = text[:here] + text[there:]
            case 1:
                to = rng.randrange(len(text) + 1)
                text = text[:to] + text[here:there] + text[to:]
            case 2:
                text = text[:here]
            case 3 if text:
                here %= len(text)
                text = text[:here] + bytes([rng.randrange(256)]) + text[here + 1 :]
            case _:
                text = text[:here] + rng.choice(PIECES) + text[here:]
    return text


def judge(data: bytes, max_depth: int) -> str:
    """The code, or "accepted"; what is accepted and PyYAML's own parser reads too means the same to it."""
    found = read_yaml(data, max_depth, MAX_BYTES)
    if isinstance(found, Finding):
        assert len((found.message + found.pointer).encode()) <= 700
        return found.code
    assert json_strict.parse(json.dumps(found.value).encode(), max_depth) == found
    try:
        value = yaml.load(data.decode(), JsonScalars)
    except yaml.YAMLError:
        # It has more rules than libyaml about tabs, in particular.
        return "accepted by libyaml only"
    assert repr(joined(value)) == repr(found.value)
    return "accepted"


@pytest.mark.parametrize("count", [10_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_damaged_documents(count: int) -> None:
    rng = random.Random(count)
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        data = damaged(rng, rng.choice(SEEDS[:4] if rng.random() < 0.8 else SEEDS))
        try:
            outcomes[judge(data, rng.choice((2, 3, 64)))] += 1
        except Exception as error:
            error.add_note(f"input {data!r}")
            raise
    assert set(outcomes) <= {"accepted", "accepted by libyaml only", *(row.code for row in PRECEDENCE)}
    assert len(outcomes) > 15
    assert outcomes["accepted"] > count / 10
    assert outcomes["accepted by libyaml only"] < count / 100
