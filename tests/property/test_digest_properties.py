from __future__ import annotations

import hashlib
import json
import random
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
