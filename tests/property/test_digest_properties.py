from __future__ import annotations

import hashlib
import json
import math
import random
import struct
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.digests import canonical_json, merkle_root
from transforms.parsing.json_strict import Parsed, parse

LARGEST = (1 << 53) - 1
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
ASCII = st.text(st.characters(max_codepoint=127))
INTEGERS = st.integers(-LARGEST, LARGEST)
SCALARS = st.none() | st.booleans() | INTEGERS | TEXT
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def _values(scalars: st.SearchStrategy[Any], keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
    )


PLAIN = _values(SCALARS, ASCII)
ANY = _values(SCALARS | FLOATS, ASCII | TEXT)


def tree_hash(leaves: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, word for word: split at the largest power of two below the number of leaves."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + tree_hash(leaves[:split]) + tree_hash(leaves[split:])).digest()


@pytest.mark.parametrize("count", range(71))
def test_every_size_of_tree(count: int) -> None:
    leaves = [random.Random(count * 100 + number).randbytes(32) for number in range(count)]
    assert merkle_root(leaves) == tree_hash(leaves).hex()


@settings(deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=70))
def test_trees_of_any_leaves(leaves: list[bytes]) -> None:
    assert merkle_root(iter(leaves)) == tree_hash(leaves).hex()


@settings(deadline=None)
@given(PLAIN)
def test_the_fast_way_gives_the_form_of_rfc_8785(value: Any) -> None:
    assert canonical_json(value, plain=True) == rfc8785.dumps(value) == canonical_json(value)


@settings(deadline=None)
@given(st.dictionaries(ASCII | TEXT, ANY, max_size=5))
def test_what_parsing_calls_plain_is_plain_enough(value: dict[str, Any]) -> None:
    parsed = parse(json.dumps(value).encode(), 64)
    assert isinstance(parsed, Parsed)
    assert canonical_json(parsed.value, plain=parsed.plain) == rfc8785.dumps(parsed.value)


# Keys on both sides of the surrogates, where UTF-16 sorts otherwise than code points do.
KEYS = st.text(st.sampled_from("aé\ud7ff\ue000\ufb33\uffff😀\U0010ffff"), max_size=3)


@settings(deadline=None, max_examples=500)
@given(_values(SCALARS | FLOATS | st.sampled_from([1e21, 5e-6, 2.0**53]), KEYS))
def test_numbers_and_keys_are_written_as_by_the_reference(value: Any) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)


def _near(number: float) -> list[float]:
    """The number and its neighbours, both signs."""
    around = [math.nextafter(number, -math.inf), number, math.nextafter(number, math.inf)]
    return [sign * each for each in around for sign in (1, -1)]


def test_floats_of_all_sizes_are_written_as_by_the_reference() -> None:
    rng = random.Random(1)
    edges = [0.0, 5e-324, 2.2250738585072014e-308, 1e-7, 1e-6, 1e-5, 1e-4, 0.1, 0.1 + 0.2, 1.0, 2.0**52, 2.0**53 - 1]
    edges += [2.0**53, 2.0**53 + 2, 1e15, 1e16, 1e17, 1e20, 1e21, 1e22, 123456789012345680000.0, 1e300]
    floats = [near for edge in edges for near in _near(edge)]
    floats += [rng.choice((1, -1)) * 10 ** rng.uniform(-12, 24) for _ in range(8_000)]
    floats += [float(10**power) for power in range(40)] + [10.0**-power for power in range(40)]
    floats += [float(rng.randrange(-(2**60), 2**60) >> rng.randrange(60)) for _ in range(4_000)]
    floats += [round(rng.uniform(-1000, 1000), rng.randrange(9)) for _ in range(4_000)]
    floats += filter(math.isfinite, (struct.unpack("<d", rng.randbytes(8))[0] for _ in range(8_000)))
    assert len(floats) > 20_000
    for number in floats:
        assert canonical_json(number) == rfc8785.dumps(number), repr(number)
    assert canonical_json({"all": floats}) == rfc8785.dumps({"all": floats})


@settings(deadline=None)
@given(ANY, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(value: Any, rng: random.Random) -> None:
    assert canonical_json(_shuffled(value, rng)) == canonical_json(value)


@settings(deadline=None)
@given(ANY)
def test_the_form_is_valid_json_of_the_same_value_and_its_own_form(value: Any) -> None:
    form = canonical_json(value)
    # As RFC 8785 reads numbers: the double 2**53 stands in its form without a fraction.
    again = json.loads(form, parse_int=float)
    assert again == value
    assert canonical_json(again) == form


def _shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, list):
        return [_shuffled(item, rng) for item in value]
    if isinstance(value, dict):
        names = list(value)
        rng.shuffle(names)
        return {name: _shuffled(value[name], rng) for name in names}
    return value
