"""Consistent baselines are accepted in every form, and every edit of their text is noticed."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import yaml
from baseline_records import findings, signed
from baseline_strategies import baselines, codes
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from transforms.baselines.emitted_text import emitted_text
from transforms.baselines.fingerprint import verify_document, verify_object, verify_text
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Finding, Json
from transforms.terms import FingerprintForm


@settings(max_examples=50)
@given(baselines())
def test_consistent_baselines_are_accepted(value: Json) -> None:
    assert codes(value) == set()


@settings(max_examples=50)
@given(baselines())
def test_the_emitted_text_and_the_object_verify(value: Json) -> None:
    value = signed(value)
    rest = {key: member for key, member in value.items() if key != "contentFingerprint"}
    text = f'{emitted_text(rest)}contentFingerprint: "{value["contentFingerprint"]}"\n'.encode()
    assert verify_text(text) is FingerprintForm.TEXT
    assert verify_text(text.replace(b"\n", b"\r\n")) is FingerprintForm.TEXT
    assert verify_object(value) is FingerprintForm.EMITTER
    read = yaml.safe_load(text)
    assert read == value
    assert verify_object(read) is FingerprintForm.EMITTER
    assert verify_document(json.dumps(value).encode(), json.loads(json.dumps(value))) is FingerprintForm.EMITTER


@settings(max_examples=50)
@given(baselines())
def test_the_canonical_form_verifies_where_it_is_declared(value: Json) -> None:
    value |= {"contentFingerprint": f"sha256:{sha256_hex(canonical_json(value))}"}
    shuffled = dict(reversed(value.items()))
    assert verify_object(shuffled, FingerprintForm.JCS) is FingerprintForm.JCS
    assert isinstance(verify_object(shuffled), Finding)


@settings(max_examples=50)
@given(baselines())
def test_literals_say_no_less_than_floats(value: Json) -> None:
    """The digits of an emitter's literals: six for rates and bounds, as printed elsewhere."""
    exact = json.loads(json.dumps(value), parse_float=Decimal)
    for criterion in exact["criteria"].values():
        for name in {"observedPassRate", "wilsonLowerBound"} & criterion.keys():
            if criterion[name] is not None:
                criterion[name] = Decimal(f"{criterion[name]:.6f}")
    assert findings(signed(value) | exact) == ()


@settings(max_examples=50)
@given(baselines(), st.data())
def test_an_edit_is_noticed_whatever_it_is(value: Json, data: st.DataObject) -> None:
    value = signed(value)
    rest = {key: member for key, member in value.items() if key != "contentFingerprint"}
    text = emitted_text(rest)
    at = data.draw(st.integers(0, len(text) - 1))
    char: Any = data.draw(st.sampled_from("0 a\n#"))
    assume(text[at] != char)
    edited = f'{text[:at]}{char}{text[at + 1 :]}contentFingerprint: "{value["contentFingerprint"]}"\n'.encode()
    assert isinstance(verify_text(edited), Finding)
