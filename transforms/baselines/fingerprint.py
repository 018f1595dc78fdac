"""A baseline's contentFingerprint: the SHA-256 over the document without it, and over which of its forms."""

from __future__ import annotations

import re

from transforms.baselines.emitted_text import ambiguity, emitted_text
from transforms.digests import canonical_json, sha256_hex
from transforms.parsing.json_strict import Parsed, parse
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.text import excerpt
from transforms.terms import FingerprintForm as Form

FINGERPRINT_MALFORMED = Code(
    "fingerprint-malformed",
    Stage.RULES,
    Severity.REJECT,
    "contentFingerprint is not sha256: with 64 lower-case hexadecimal digits.",
    'contentFingerprint: "sha1:2fccae34fdae3c2672ffe290e0555e016b97fb95"',
    "Have the emitter write the fingerprint in this form; do not convert one by hand.",
)
FINGERPRINT_MISMATCH = Code(
    "fingerprint-mismatch",
    Stage.RULES,
    Severity.REJECT,
    "The text before the contentFingerprint line has another SHA-256 than it states, or text after the line is not "
    "covered by it.",
    "a document whose successes were corrected from 29 to 30 after it was written",
    "Restore the document from where it was measured, or measure again. Do not compute the fingerprint anew.",
)
FINGERPRINT_UNVERIFIABLE = Code(
    "fingerprint-unverifiable",
    Stage.RULES,
    Severity.REJECT,
    "The fingerprint fits no form of the record that it could be over: there is no text with a contentFingerprint "
    "line, and neither the emitter's rebuilt text nor, where declared, the RFC 8785 form has this digest. A text that "
    "other records would have too proves nothing, so for some keys and numbers none is rebuilt.",
    "a baseline exported as a JSON object with its keys sorted: the emitted text cannot be rebuilt",
    'Export the document\'s own text ({"document": "..."}), or keep the order of its keys; declare RFC 8785 only where '
    "the exporter computes the digest over that form.",
)
CODES: tuple[Code, ...] = (FINGERPRINT_MALFORMED, FINGERPRINT_MISMATCH, FINGERPRINT_UNVERIFIABLE)

FIELD = "contentFingerprint"
_POINTER = f"/{FIELD}"
_PREFIX = "sha256:"
_SHAPE = re.compile(r"sha256:[0-9a-f]{64}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_LINE_START = b"\ncontentFingerprint:"
# A comment is no white space: it may stay open as part of a quoted text that began further up.
_VALUE = re.compile(rb"""[ \t]+(["']?)([^"'\s]*)\1[ \t\r]*""")
_WHITE_SPACE = b" \t\r\n"
_SHOWN = 12
# The deepest that the JSON reader goes: a text that was read once is within the campaign's own bound.
_DEEPEST = 200


def verify_document(text: bytes, value: Json, declared: Form = Form.EMITTER) -> Form | Finding:
    """Verify a document by its text, or as an object where the text is JSON; see the two functions below.

    A flow mapping in YAML is no JSON if it has comments: the text is more than the object then.
    """
    if text.lstrip().startswith(b"{") and isinstance(parse(text, _DEEPEST), Parsed):
        return verify_object(value, declared)
    return verify_text(text)


def verify_text(text: bytes) -> Form | Finding:
    """Verify the fingerprint of a YAML document given as its UTF-8 text.

    Hashed is what precedes the line `contentFingerprint:`, with the line feed that ends it, CRLF taken as LF.
    The line stands once, at the very start of a line, with nothing but white space after it.
    """
    before, *lines = (b"\n" + text.replace(b"\r\n", b"\n")).split(_LINE_START)
    if len(lines) != 1:
        where = f"{len(lines)} lines start" if lines else "no line starts"
        return _finding(FINGERPRINT_UNVERIFIABLE, f"{where} with {FIELD}: and one must, with no blank before it")
    line, _, after = lines[0].partition(b"\n")
    written = _VALUE.fullmatch(line)
    stated = (written[2] if written else line.strip()).decode("utf-8", "replace")
    if malformed := _malformed(stated):
        return malformed
    covered = (before + b"\n")[1:]
    if not after.strip(_WHITE_SPACE) and _fits(covered, stated):
        return Form.TEXT
    return _finding(FINGERPRINT_MISMATCH, _mismatch(covered, after, stated))


def verify_object(value: Json, declared: Form = Form.EMITTER) -> Form | Finding:
    """Verify the fingerprint of a record that is the object itself, so that there is no text to hash.

    The emitter's text is rebuilt, where it is this record's alone; if that has another digest, `Form.JCS` as `declared`
    lets the digest be over the RFC 8785 form of the record without the field.
    """
    stated: str = value[FIELD]
    if malformed := _malformed(stated):
        return malformed
    rest = {key: member for key, member in value.items() if key != FIELD}
    obstacle = ambiguity(rest)
    if obstacle is None and _fits(emitted_text(rest).encode(), stated):
        return Form.EMITTER
    if _fits(canonical_json(rest), stated):
        if declared is Form.JCS:
            return Form.JCS
        message = "it is the digest of the RFC 8785 form, which the campaign does not declare"
    elif obstacle:
        message = f"the emitter's text cannot be rebuilt: {obstacle}"
    elif declared is Form.JCS:
        message = "neither the emitter's text, rebuilt, nor the RFC 8785 form has this digest"
    else:
        message = "the emitter's text, rebuilt, has another digest: content, number or order of keys was changed"
    return _finding(FINGERPRINT_UNVERIFIABLE, message)


def _fits(data: bytes, stated: str) -> bool:
    return sha256_hex(data) == stated.removeprefix(_PREFIX)


def _malformed(stated: str) -> Finding | None:
    if _SHAPE.fullmatch(stated):
        return None
    if _SHAPE.fullmatch(stated.lower()):
        hint = "the digits must be in lower case"
    elif _DIGEST.fullmatch(stated.lower()):
        hint = "the prefix sha256: is missing"
    elif stated.lower().startswith(_PREFIX):
        hint = "64 hexadecimal digits must follow sha256:"
    else:
        hint = "it must be sha256: and 64 hexadecimal digits"
    return _finding(FINGERPRINT_MALFORMED, f"{excerpt(stated)}: {hint}")


def _mismatch(covered: bytes, after: bytes, stated: str) -> str:
    """What most likely happened to a text whose digest is not the stated one, or that goes on after the line."""
    if after.strip(_WHITE_SPACE):
        if _fits(covered, stated):
            return "the text after the line is not covered by the fingerprint, which fits what precedes it"
        if _fits(covered + after, stated):
            return "the line was moved: it fits the document once it stands at the end"
        return "text follows the line, and the fingerprint does not fit what precedes it either"
    if _fits(covered.replace(b"\n", b"\r\n"), stated):
        return "it is the digest over CRLF line ends; they count as LF"
    if _fits(covered.removesuffix(b"\n"), stated):
        return "it is the digest without the line feed that ends the text before the line"
    found = sha256_hex(covered)[:_SHOWN]
    return (
        f"the text before the line has the digest {found}…, not {stated.removeprefix(_PREFIX)[:_SHOWN]}…: it was edited"
    )


def _finding(code: Code, message: str) -> Finding:
    return Finding(code.code, message, _POINTER)
