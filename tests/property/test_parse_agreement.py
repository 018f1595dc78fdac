"""The fast reader and the standard-library reference agree on generated and on damaged documents.

Plain seeded generators: they are faster than a shrinking one here, and a failure prints its whole input.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import orjson
import pytest
import rfc8785

from transforms.parsing.json_reference import CODES, loads_reference, parse_reference
from transforms.parsing.json_strict import Parsed, loads_document, parse, read
from transforms.parsing.walk import walk
from transforms.records import Finding

NUMBERS = (
    *("0", "-0", "0.0", "-0.0", "5.0", "1E5", "1e+5", "1e-5", "0e999", "0.1", "1e-400", "-1e-400", "1e23", "8.5e22"),
    *("-1.5e300", "1e308", "1.7976931348623157e308", "1.7976931348623158e308", "4.9e-324", "2.4703282292062328e-324"),
    *("2.2250738585072011e-308", "0.30000000000000004", "9007199254740993.0", "9007199254740991", "-9007199254740991"),
    *("123456789012345678901234567890.25", "1" + "0" * 4299 + "e-4299", "0." + "1" * 5000),
)
REFUSED_NUMBERS = (
    *("9007199254740992", "-9007199254740992", "18446744073709551616", "9" * 5000, "1" + "0" * 4300 + "e-4300"),
    *("1e400", "-1e400", "1.7976931348623159e308", "NaN", "Infinity", "-Infinity", "9" * 400 + ".5", "9" * 5000 + ".5"),
)
MALFORMED_NUMBERS = (
    *("01", "-01", "00", "1.", ".5", "+1", "-", "--1", "1e", "1e+", "1.e5", "0x10", "1_000", "１", "1１", "-NaN"),
    *("nan", "inf", "Inf", "+Infinity", "1e5.0", "1 0", "- 1"),
)
PIECES = (
    *("a", "B", " ", "é", "ß", "漢", "😀", "\u2028", "\u0085", "\x7f", "\ufeff", "\U0010ffff", "/", "~", "[{", "]}"),
    *(r"\"", r"\\", r"\/", r"\b", r"\f", r"\n", r"\r", r"\t", r"\u0000", r"\u0061", r"\u00E9", r"\uD83D\ude00"),
)
LONE_SURROGATES = (
    r"\ud800",
    r"\uDC00",
    r"\ude00\ud83d",
    r"\ud800\ud800\udc00",
    r"\ud83d\u0061",
    r"\ud83d\n",
    r"\udbff",
)
MALFORMED_PIECES = (
    *("\t", "\x00", "\x01", "\x1f", "\r", "\n", r"\x41", r"\u12", r"\u+123", r"\u 123", r"\u1_23", r"\u00g0", r"\'"),
)
TOKENS = (
    *(b"NaN", b"1e400", b"-Infinity", b"9" * 40, b"9" * 5000, b"\\ud800", b"\\udc00", b"\xef\xbb\xbf", b"\xfe\xff"),
    *(b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xff", b"\x80", b"\xe2\x80\xa8", b"\x00", b"\t", b"\x0c"),
    *(b"\xc2\xa0", b"[", b"]", b"{", b"}", b"[" * 300, b'{"a":' * 70, b'"', b"\\", b",", b":", b"1", b"-", b"."),
    *(b'"a":1,', b'"\\u0061":2,', b"null", b"tru", b"//", b"/**/", b"'", b"e5", b"0", b" ", b"\r\n", b"{}", b"[]"),
)


class Texts:
    """Generates JSON texts, of which some are wrong in one of the ways a record can be."""

    def __init__(self, rng: random.Random, faults: float) -> None:
        self.rng = rng
        self.faults = faults

    def space(self) -> str:
        return self.rng.choice(("", "", "", "", " ", "\t", "\r", "  "))

    def string(self) -> str:
        pieces = self.rng.choices(PIECES, k=self.rng.randrange(5))
        if self.rng.random() < self.faults:
            pieces.append(self.rng.choice(self.rng.choice((LONE_SURROGATES, LONE_SURROGATES, MALFORMED_PIECES))))
            self.rng.shuffle(pieces)
        return '"' + "".join(pieces) + '"'

    def number(self) -> str:
        if self.rng.random() < self.faults:
            return self.rng.choice(self.rng.choice((REFUSED_NUMBERS, REFUSED_NUMBERS, MALFORMED_NUMBERS)))
        match self.rng.randrange(4):
            case 0:
                return self.rng.choice(NUMBERS)
            case 1:
                return str(self.rng.randrange(-(10 ** self.rng.randrange(1, 16)), 10**15))
            case 2:
                return repr(self.rng.uniform(-1, 1) * 10.0 ** self.rng.randrange(-320, 308))
        digits = "".join(self.rng.choices("0123456789", k=self.rng.randrange(1, 30)))
        return f"{self.rng.choice(('-', ''))}{self.rng.randrange(10)}.{digits}e{self.rng.randrange(-330, 300)}"

    def value(self, room: int) -> str:
        kind = self.rng.randrange(8 if room else 5)
        if kind < 2:
            return self.string()
        if kind < 4:
            return self.number()
        if kind == 4:
            return self.rng.choice(("true", "false", "null", "{}", "[]"))
        return self.object(room - 1) if kind < 7 else self.array(room - 1)

    def array(self, room: int) -> str:
        items = (self.space() + self.value(room) + self.space() for _ in range(self.rng.randrange(4)))
        return "[" + ",".join(items) + "]"

    def object(self, room: int) -> str:
        keys = [self.key(index) for index in range(self.rng.randrange(5))]
        if keys and self.rng.random() < self.faults:
            again = self.rng.choice(keys)
            keys.append(re.sub(r'^"(\d)', r'"\\u003\1', again) if self.rng.random() < 0.5 else again)
        members = (f"{self.space()}{key}{self.space()}:{self.space()}{self.value(room)}" for key in keys)
        return "{" + ",".join(members) + self.space() + "}"

    def key(self, index: int) -> str:
        return f'"{index}{self.string()[1:]}' if self.rng.random() < 0.9 else self.string()


def damaged(rng: random.Random, text: bytes) -> bytes:
    """One to three random injuries."""
    for _ in range(rng.randrange(1, 4)):
        here, there = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        match rng.randrange(8):
            case 0 if text:
                here = min(here, len(text) - 1)
                text = text[:here] + bytes([text[here] ^ (1 << rng.randrange(8))]) + text[here + 1 :]
            case 1:
                text = text[:here] + text[min(there, here + 4) :]
            case 2:
                text = text[:there]
            case 3:
                text = text[:there] + text[here:there] + text[there:]
            case 4:
                text = rng.choice(TOKENS) + text
            case 5:
                text = text + rng.choice(TOKENS)
            case _:
                text = text[:here] + rng.choice(TOKENS) + text[here:]
    return text


def inputs(seed: int, count: int) -> Iterator[tuple[bytes, int]]:
    """Texts with the depth to read them with: most are objects, half of those damaged, some too deep."""
    rng = random.Random(seed)
    for _ in range(count):
        texts = Texts(rng, rng.choice((0.0, 0.0, 0.02, 0.1)))
        text = texts.object(4) if rng.random() < 0.9 else texts.value(4)
        if rng.random() < 0.1:
            levels = rng.randrange(1, 140)
            text = rng.choice(
                ('{"a":' * levels + text + "}" * levels, '{"a":' + "[" * levels + text + "]" * levels + "}")
            )
        data = (texts.space() + text + texts.space()).encode()
        yield (damaged(rng, data) if rng.random() < 0.5 else data), rng.choice((1, 3, 64, 64, 64, 128, 128, 200))


def accepted_alone(data: bytes, max_depth: int) -> bool:
    """Whether the compiled reader and the walk accept a record, with no reference to fall back on."""
    try:
        value = read(data)
    except ValueError:
        return False
    return type(value) is dict and walk(value, max_depth) is not None


def judge(data: bytes, max_depth: int) -> str:
    """Read with both and compare; the code both give, or "accepted"."""
    fast, slow = parse(data, max_depth), parse_reference(data, max_depth)
    assert accepted_alone(data, max_depth) == (not isinstance(slow, Finding))
    if isinstance(slow, Finding):
        assert fast == slow
        assert len(slow.pointer.encode()) <= 4 * 256
        assert len(slow.message.encode()) <= 600
        return slow.code
    assert isinstance(fast, Parsed)
    # repr tells types, -0.0, every bit of a float and the order of keys.
    assert repr(fast.value) == repr(slow)
    if fast.plain:
        assert orjson.dumps(fast.value, option=orjson.OPT_SORT_KEYS) == rfc8785.dumps(fast.value)
    return "accepted"


@pytest.mark.parametrize("count", [10_000, pytest.param(300_000, marks=pytest.mark.slow)])
def test_both_readers_agree(count: int) -> None:
    outcomes: Counter[str] = Counter()
    for data, max_depth in inputs(seed=count, count=count):
        try:
            outcomes[judge(data, max_depth)] += 1
        except AssertionError as error:
            error.add_note(f"max_depth {max_depth}, input {data!r}")
            raise
    # Neither outcome is rare, or the comparison would say little.
    assert set(outcomes) == {"accepted", *(row.code for row in CODES)}
    assert outcomes["accepted"] > count / 5
    assert min(outcomes.values()) > count / 1_000


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_both_readers_agree_on_any_value(count: int) -> None:
    rng = random.Random(count)
    for _ in range(count):
        texts = Texts(rng, rng.choice((0.0, 0.1)))
        data = texts.value(3).encode()
        fast, slow = loads_document(data, 3), loads_reference(data, 3)
        assert repr(fast) == repr(slow), data
