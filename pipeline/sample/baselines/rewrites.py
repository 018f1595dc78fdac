"""Faults of how a baseline is written and signed: what is exported is rewritten, and not signed again."""

from __future__ import annotations

import codecs
import json
import re

from pipeline.sample.baselines.faults import Fault
from pipeline.sample.baselines.forms import FILES, OBJECTS, TEXTS, Form, Rewrite
from pipeline.sample.pairwise import line
from transforms.baselines.fingerprint import FIELD
from transforms.digests import canonical_json, sha256_hex

_FINGERPRINT = re.compile(rb"sha256:([0-9a-f]{64})")
_EXECUTION = b"execution:\n"
_LEVEL = b"confidenceLevel: "
_KEY = b"\ncontentFingerprint: "
_DEEP = b"[" * 100 + b"]" * 100


def _replaced(old: bytes, new: bytes) -> Rewrite:
    def rewrite(data: bytes) -> bytes:
        assert old in data, old
        return data.replace(old, new, 1)

    return rewrite


def _member(text: bytes) -> Rewrite:
    """One more line of a text, before `execution`."""
    return _replaced(_EXECUTION, text + b"\n" + _EXECUTION)


def _first(text: bytes) -> Rewrite:
    """One more member of an object, before all others."""
    return _replaced(b"{", b"{" + text + b", ")


def _without_prefix(data: bytes) -> bytes:
    return _FINGERPRINT.sub(rb"\1", data)


def _in_upper_case(data: bytes) -> bytes:
    return _FINGERPRINT.sub(lambda match: b"sha256:" + match[1].upper(), data)


def _moved_up(text: bytes) -> bytes:
    """The fingerprint's line before the execution's."""
    rest, _, stated = text.partition(_KEY)
    return rest.replace(_EXECUTION, _KEY[1:] + stated + _EXECUTION, 1) + b"\n"


def _sorted(data: bytes) -> bytes:
    return line(dict(sorted(json.loads(data).items())))


def _over_rfc8785(data: bytes) -> bytes:
    value = json.loads(data)
    del value[FIELD]
    return line({**value, FIELD: f"sha256:{sha256_hex(canonical_json(value))}"})


def _cut(data: bytes) -> bytes:
    """A quoted text is left open."""
    return data[: data.index(b"COMPLETED") + 4]


def _marked(data: bytes) -> bytes:
    return codecs.BOM_UTF8 + data


def _spaces(_: bytes) -> bytes:
    return b" \t"


def _row(code: str, rewrite: Rewrite, *forms: Form) -> Fault:
    return Fault(code, rewrite=rewrite, forms=forms)


_YAML, _TEXT, _JSON, _OBJECT = Form.YAML, Form.TEXT_LINE, Form.JSON, Form.OBJECT_LINE

REWRITES: tuple[Fault, ...] = (
    _row("blank-record", _spaces, _YAML, _OBJECT),
    _row("invalid-utf8", _replaced(b"measure", b"m\xe9sure"), _YAML, _OBJECT),
    _row("byte-order-mark", _marked, *FILES, _TEXT),
    _row("yaml-character", _replaced(b'"measure"', b'"mea\x07sure"'), _YAML),
    _row("yaml-character", _replaced(b'"measure"', '"mea\u2028sure"'.encode()), _TEXT),
    _row("yaml-directive", lambda text: b"%YAML 1.1\n---\n" + text, _YAML),
    _row("nesting-too-deep", _member(b"views2: " + _DEEP), _TEXT),
    _row("nesting-too-deep", _first(b'"views2": ' + _DEEP), _JSON),
    _row("invalid-yaml", _cut, _YAML, _TEXT),
    _row("invalid-json", _cut, *OBJECTS),
    _row("multiple-documents", lambda text: text + b"---\n{}\n", *TEXTS),
    _row("yaml-tag", _replaced(_LEVEL, _LEVEL + b"!!float "), _YAML),
    _row("yaml-tag", _member(b'host: !!python/name:os.getcwd ""'), _TEXT),
    _row("yaml-merge-key", _member(b"<<: {}"), _YAML),
    _row("yaml-alias", _replaced(_EXECUTION, b"execution: &run\n"), _YAML),
    _row("non-string-key", _member(b"1: one"), _TEXT),
    _row("lone-surrogate", _replaced(b'"measure"', rb'"mea\ud83dsure"'), _YAML, _OBJECT),
    _row("duplicate-key", _member(b'"confidenceLevel": 0.95'), _YAML),
    _row("duplicate-key", _first(rb'"confidence\u004cevel": 0.95'), _OBJECT),
    _row("non-finite-number", _replaced(_LEVEL + b"0.95", _LEVEL + b".nan"), _TEXT),
    _row("non-finite-number", _first(b'"seed": 1e400'), _JSON),
    _row("number-out-of-range", _member(b"seed: 9007199254740993"), *TEXTS),
    _row("non-json-scalar", _replaced(b'"COMPLETED"', b"~"), _YAML),
    _row("not-an-object", lambda text: b"- " + text.replace(b"\n", b"\n  ").rstrip() + b"\n", _YAML),
    _row("not-an-object", lambda data: b"[" + data + b"]", _OBJECT),
    _row("fingerprint-malformed", _in_upper_case, _TEXT, _JSON),
    _row("fingerprint-malformed", _without_prefix, _YAML),
    _row("fingerprint-mismatch", _replaced(b'"measure"', b'"explore"'), *TEXTS),
    _row("fingerprint-mismatch", lambda text: text + b'note: "checked"\n', _YAML),
    _row("fingerprint-mismatch", _moved_up, _TEXT),
    _row("fingerprint-unverifiable", _replaced(_KEY, b'\n"contentFingerprint": '), _YAML),
    _row("fingerprint-unverifiable", _replaced(b'"measure"', b'"explore"'), _JSON),
    _row("fingerprint-unverifiable", _sorted, _OBJECT),
    _row("fingerprint-unverifiable", _over_rfc8785, _OBJECT),
)
