"""The emitter's text, rebuilt, says which record it is of: read back it gives that record, or it is not rebuilt."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from baseline_records import baseline, signed
from hypothesis import event, given, settings
from hypothesis import strategies as st

from transforms.baselines.emitted_text import ambiguity, emitted_text
from transforms.baselines.fingerprint import verify_object
from transforms.parsing.json_strict import Parsed
from transforms.parsing.yaml_strict import read_yaml
from transforms.records import Finding, Json
from transforms.terms import FingerprintForm

# They stand within JSON strings only, where an escape is the same text; this YAML reader wants them escaped.
UNREADABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
MARKS = (
    "\n",
    "\n  ",
    ": ",
    " #",
    '"',
    "'",
    "- ",
    "\\",
    "{",
    "}",
    "[",
    "|",
    "%",
    "&a",
    "*a",
    "!x",
    "\u2028",
    "\ufeff",
    "é😀",
)
WORDS = ("a", "trials", "x-1", "_", "criteria", "views", "covariateProfile", "observedPassRate", "wilsonLowerBound")
TYPED = ("null", "true", "False", "NULL", "NaN", "Infinity", "~", "1", "0x1", "yes", "1e5", "")
PIECES = st.sampled_from((*MARKS, *WORDS, *TYPED, ": 1\n", "{}", "[]", '"x"\n', "contentFingerprint: "))
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=4).map("".join)
KEYS = st.integers(0, 15).flatmap(lambda one: TEXTS if one == 15 else st.sampled_from(WORDS))
# The last ones have no more than six digits.
FLOATS = st.floats(allow_nan=False, allow_infinity=False) | st.floats(0, 1).map(lambda rate: round(rate, 6))
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | FLOATS
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
MEMBERS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)
RECORDS = st.dictionaries(KEYS, MEMBERS, max_size=5)


def told_apart(value: Any) -> Any:
    """`value` so that `==` tells JSON's values apart: in Python 1 is true."""
    if isinstance(value, dict):
        return {key: told_apart(member) for key, member in value.items()}
    if isinstance(value, list):
        return [told_apart(item) for item in value]
    return (type(value).__name__, value) if isinstance(value, bool | str | None) else ("number", value)


@settings(max_examples=500)
@given(RECORDS)
def test_read_back_it_is_the_record_or_it_is_not_rebuilt(value: Json) -> None:
    value.pop("contentFingerprint", None)
    obstacle = ambiguity(value)
    event("refused" if obstacle else "rebuilt")
    if obstacle:
        assert isinstance(verify_object(signed(value)), Finding)
        return
    text = UNREADABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", emitted_text(value))
    if not value:
        assert text == ""
        return
    parsed = read_yaml(text.encode(), 64, 1 << 20)
    assert isinstance(parsed, Parsed), parsed
    assert told_apart(parsed.value) == told_apart(value)
    assert list(parsed.value) == list(value)
    assert verify_object(signed(value)) is FingerprintForm.EMITTER


MEMBERS_OF_ONE = [name for name in baseline() if name != "contentFingerprint"]
# Their own keys are quoted, and would not be if their name stood at the end of another key.
WITH_NAMES = ("covariateProfile", "criteria")


@pytest.mark.parametrize(
    ("earlier", "later"), [pair for pair in pairwise(MEMBERS_OF_ONE) if pair[1] not in WITH_NAMES], ids="-".join
)
def test_two_members_in_one_key_are_refused(earlier: str, later: str) -> None:
    """Members that follow each other, the earlier written into the key of the later: the text stays as it is."""
    honest = signed(baseline())
    both = emitted_text({earlier: honest[earlier]}) + later
    forged = {both if name == later else name: member for name, member in honest.items() if name != earlier}
    assert emitted_text(forged) == emitted_text(honest)
    refused = verify_object(forged)
    assert isinstance(refused, Finding)
    assert (refused.code, "is no plain word" in refused.message) == ("fingerprint-unverifiable", True)


@settings(max_examples=200)
@given(st.integers(0, 10**6).map(lambda millionths: millionths / 10**6), st.floats(-6e-7, 6e-7))
def test_of_the_rates_with_one_text_one_verifies(rate: float, off: float) -> None:
    near = rate + off
    alone = [ambiguity({"criteria": {"c": {"observedPassRate": each}}}) is None for each in (rate, near)]
    assert alone == [True, near == json.loads(f"{near:.6f}")]
    assert near == rate or f"{near:.6f}" != f"{rate:.6f}" or not alone[1]
