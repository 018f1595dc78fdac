"""The content fingerprint over a text, a rebuilt text, the RFC 8785 form; and what is said where it does not fit."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
import yaml
from baseline_records import GOLDEN, baseline, changed, signed

from transforms.baselines.emitted_text import ambiguity, emitted_text
from transforms.baselines.fingerprint import verify_document, verify_object, verify_text
from transforms.digests import canonical_json
from transforms.records import Finding, Json, Severity
from transforms.rules.text import excerpt
from transforms.terms import FingerprintForm

GOOD = sorted((GOLDEN / "good").glob("*.yaml"))
BODY = b'schemaVersion: "mavai-baseline-1"\nserviceName: "caf\xc3\xa9"\n'


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def line(fingerprint: str, end: str = "\n") -> bytes:
    return f'contentFingerprint: "{fingerprint}"{end}'.encode()


def text(body: bytes = BODY) -> bytes:
    return body + line(digest(body))


def refused(result: FingerprintForm | Finding) -> tuple[str, str]:
    assert isinstance(result, Finding)
    assert (result.pointer, result.severity) == ("/contentFingerprint", Severity.REJECT)
    return result.code, result.message


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_documents_of_an_emitter(path: Path) -> None:
    assert verify_text(path.read_bytes()) is FingerprintForm.TEXT
    assert verify_object(yaml.safe_load(path.read_bytes())) is FingerprintForm.EMITTER


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_the_text_is_rebuilt_byte_for_byte(path: Path) -> None:
    value = yaml.safe_load(path.read_bytes())
    stated = value.pop("contentFingerprint")
    assert f'{emitted_text(value)}contentFingerprint: "{stated}"\n'.encode() == path.read_bytes()


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_any_changed_byte_is_noticed(path: Path) -> None:
    data = path.read_bytes()
    for at in range(0, data.index(b"contentFingerprint") - 1, 97):
        other = b"#" if data[at : at + 1] != b"#" else b"+"
        assert refused(verify_text(data[:at] + other + data[at + 1 :]))[0] == "fingerprint-mismatch"


@pytest.mark.parametrize(
    "data",
    [
        text(),
        text().replace(b"\n", b"\r\n"),
        text().rstrip(b"\n"),
        text().rstrip(b"\n") + b"\r",
        text() + b"\n \t\r\n",
        text(b""),
        text(b"# a comment\n---\n" + BODY),
        text(b"a: |\n  contentFingerprint: x\n"),
        text(b"contentFingerprints: x\n"),
        BODY + f"contentFingerprint: '{digest(BODY)}'\n".encode(),
        BODY + f"contentFingerprint:  \t{digest(BODY)} \t\n".encode(),
    ],
)
def test_texts_that_verify(data: bytes) -> None:
    assert verify_text(data) is FingerprintForm.TEXT


@pytest.mark.parametrize(
    ("stated", "hint"),
    [
        ("sha256:" + "AB" * 32, "the digits must be in lower case"),
        ("SHA256:" + "ab" * 32, "the digits must be in lower case"),
        ("ab" * 32, "the prefix sha256: is missing"),
        ("AB" * 32, "the prefix sha256: is missing"),
        ("sha256:" + "ab" * 31, "64 hexadecimal digits must follow sha256:"),
        ("sha256:" + "ab" * 33, "64 hexadecimal digits must follow sha256:"),
        ("sha256:" + "xy" * 32, "64 hexadecimal digits must follow sha256:"),
        ("sha1:" + "ab" * 20, "it must be sha256: and 64 hexadecimal digits"),
        ("", "it must be sha256: and 64 hexadecimal digits"),
    ],
)
def test_what_is_no_fingerprint(stated: str, hint: str) -> None:
    for result in (verify_text(BODY + line(stated)), verify_object({**baseline(), "contentFingerprint": stated})):
        code, message = refused(result)
        assert code == "fingerprint-malformed"
        assert message.endswith(f": {hint}")
        assert len(message) < 120


@pytest.mark.parametrize(
    "ending",
    [
        b"contentFingerprint:",
        b"contentFingerprint:\n  " + digest(BODY).encode(),
        b"contentFingerprint: >-\n  " + digest(BODY).encode(),
        f'contentFingerprint: "{digest(BODY)}" # signed\n'.encode(),
        f"contentFingerprint: {digest(BODY)}\u2028x: 1\n".encode(),
        f"contentFingerprint: '{digest(BODY)}\"\n".encode(),
        f"contentFingerprint: [{digest(BODY)}]\n".encode(),
    ],
)
def test_a_line_that_holds_something_else(ending: bytes) -> None:
    assert refused(verify_text(BODY + ending))[0] == "fingerprint-malformed"


@pytest.mark.parametrize(
    "data",
    [
        BODY,
        b" " + line(digest(b"")),
        BODY + b'"contentFingerprint": "' + digest(BODY).encode() + b'"\n',
        BODY + f"contentFingerprint : {digest(BODY)}\n".encode(),
        BODY + b"\rcontentFingerprint: x\n",
        text() + line(digest(BODY)),
        # The first of the two lines belongs to a quoted text, so the record's own is the second.
        b'note: "\n' + text() + b'"\n' + text(),
        json.dumps(signed(baseline())).encode(),
    ],
)
def test_a_text_that_does_not_say_what_is_covered(data: bytes) -> None:
    assert refused(verify_text(data))[0] == "fingerprint-unverifiable"


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (BODY.replace(b"caf", b"Caf") + line(digest(BODY)), ": it was edited"),
        (
            text() + b"note: 1\n",
            "the text after the line is not covered by the fingerprint, which fits what precedes it",
        ),
        (text() + b"...\n", "the text after the line is not covered by the fingerprint, which fits what precedes it"),
        (line(digest(BODY)) + BODY, "the line was moved: it fits the document once it stands at the end"),
        (b"a: 1\n" + line(digest(b"a: 1\nb: 2\n")) + b"b: 2\n", "it fits the document once it stands at the end"),
        (BODY + line(digest(b"x")) + b"b: 2\n", "text follows the line, and the fingerprint does not fit"),
        (BODY + line(digest(BODY.replace(b"\n", b"\r\n"))), "it is the digest over CRLF line ends; they count as LF"),
        (BODY + line(digest(BODY[:-1])), "without the line feed that ends the text before the line"),
    ],
)
def test_what_most_likely_happened(data: bytes, hint: str) -> None:
    code, message = refused(verify_text(data))
    assert code == "fingerprint-mismatch"
    assert hint in message


def test_the_message_shows_both_digests() -> None:
    wrong = "sha256:" + "ab" * 32
    expected = f"the text before the line has the digest {digest(BODY)[7:19]}…, not abababababab…: it was edited"
    assert refused(verify_text(BODY + line(wrong))) == ("fingerprint-mismatch", expected)


def jcs_signed(value: Json) -> Json:
    rest = {key: member for key, member in value.items() if key != "contentFingerprint"}
    return {**rest, "contentFingerprint": digest(canonical_json(rest))}


def test_an_object_verifies_by_the_text_that_an_emitter_would_write() -> None:
    assert verify_object(signed(baseline())) is FingerprintForm.EMITTER
    assert verify_object(signed(baseline()), FingerprintForm.JCS) is FingerprintForm.EMITTER
    # Where the field stands in the object does not matter: it is not part of what is hashed.
    value = signed(baseline())
    assert verify_object({"contentFingerprint": value.pop("contentFingerprint"), **value}) is FingerprintForm.EMITTER


def test_an_object_verifies_by_its_canonical_form_only_where_that_is_declared() -> None:
    value = jcs_signed(baseline())
    assert verify_object(value, FingerprintForm.JCS) is FingerprintForm.JCS
    assert verify_object(dict(sorted(value.items())), FingerprintForm.JCS) is FingerprintForm.JCS
    assert refused(verify_object(value)) == (
        "fingerprint-unverifiable",
        "it is the digest of the RFC 8785 form, which the campaign does not declare",
    )


@pytest.mark.parametrize("form", [FingerprintForm.EMITTER, FingerprintForm.JCS])
def test_an_object_that_fits_no_form(form: FingerprintForm) -> None:
    for value in (changed(signed(baseline()), "serviceName", "other"), baseline()):
        assert refused(verify_object(value, form))[0] == "fingerprint-unverifiable"


def test_the_order_of_keys_counts_for_the_rebuilt_text() -> None:
    value = signed(baseline())
    code, message = refused(verify_object(dict(sorted(value.items()))))
    assert code == "fingerprint-unverifiable"
    assert "order of keys" in message


def test_a_document_is_verified_by_what_it_is() -> None:
    value = signed(baseline())
    as_json = json.dumps(value, indent=2).encode()
    assert verify_document(as_json, value) is FingerprintForm.EMITTER
    assert verify_document(b"\n " + as_json, jcs_signed(value), FingerprintForm.JCS) is FingerprintForm.JCS
    assert verify_document(text(), value) is FingerprintForm.TEXT
    assert refused(verify_document(BODY, value))[0] == "fingerprint-unverifiable"
    # Nothing covers a comment, so a flow mapping that has one is no object.
    for commented in (as_json + b"\n# note\n", as_json.replace(b"{", b"{ # note\n", 1), b"--- " + as_json):
        assert refused(verify_document(commented, value)) == (
            "fingerprint-unverifiable",
            "no line starts with contentFingerprint: and one must, with no blank before it",
        )
    # A flow mapping in YAML may hold such a line; then it is not the last thing.
    assert refused(verify_document(b"{\n" + text() + b"}\n", value))[0] == "fingerprint-mismatch"


def unmembered(value: Json) -> Json:
    return {key: member for key, member in value.items() if key != "contentFingerprint"}


def test_a_key_does_not_imitate_another_member() -> None:
    """Both records have one text; the second has no expiration that any rule would see."""
    honest = {**unmembered(baseline()), "footprint": "x"}
    honest["expiration"] = honest.pop("expiration")
    forged = {key: member for key, member in honest.items() if key not in ("footprint", "expiration")}
    forged['footprint: "x"\nexpiration'] = honest["expiration"]
    assert emitted_text(forged) == emitted_text(honest)
    stated = signed(honest)["contentFingerprint"]
    assert verify_object({**honest, "contentFingerprint": stated}) is FingerprintForm.EMITTER
    expected = (
        "fingerprint-unverifiable",
        "the emitter's text cannot be rebuilt: it has keys without quotes, and "
        '"footprint: \\"x\\"\\nexpiration" is no plain word',
    )
    for form in (FingerprintForm.EMITTER, FingerprintForm.JCS):
        assert refused(verify_object({**forged, "contentFingerprint": stated}, form)) == expected
    # The other form has no such ambiguity.
    assert verify_object(jcs_signed(forged), FingerprintForm.JCS) is FingerprintForm.JCS
    assert refused(verify_object(jcs_signed(forged)))[1].startswith("it is the digest of the RFC 8785 form")


@pytest.mark.parametrize(
    "key", ["", "a b", "a:", "é", "1", "-a", "a\n", "null", "True", "NaN", "Infinity", "a.b", '"a"']
)
@pytest.mark.parametrize("outer", [(), ("execution",), ("criteria", "c"), ("views", "x", "views")])
def test_keys_that_the_text_cannot_have_without_quotes(key: str, outer: tuple[str, ...]) -> None:
    value: Json = {key: 1}
    for name in reversed(outer):
        value = {"first": 1, name: value}
    assert refused(verify_object(signed(value))) == (
        "fingerprint-unverifiable",
        f"the emitter's text cannot be rebuilt: it has keys without quotes, and {excerpt(key)} is no plain word",
    )


def test_a_long_key_is_quoted_in_part() -> None:
    assert ambiguity({"x " * 5000: 1}) == (f'it has keys without quotes, and "{"x " * 20}"... is no plain word')


@pytest.mark.parametrize(
    "value",
    [
        {"a": {}, "_b-1": [], "yes": 1, "nullable": None, "x" * 300: "\n"},
        {"covariateProfile": {"": "", "a\nb: 1": "null"}, "criteria": {"null": {"trials": 1}}},
        {"cost": [{"a b": 1, "\n": {"": [1]}}]},
        {"observedPassRate": 0.54, "wilsonLowerBound": None, "views": {"observedPassRate": -0.0}},
        {"criteria": {"c": {"observedPassRate": 1, "wilsonLowerBound": 123456.654321}}},
    ],
)
def test_a_text_that_is_one_records_alone(value: Json) -> None:
    assert ambiguity(value) is None
    assert verify_object(signed(value)) is FingerprintForm.EMITTER


@pytest.mark.parametrize("number", [0.5400001, 0.8571428571428571, 1e-7, 5e-324, -1e-9, 1.0000001])
@pytest.mark.parametrize("name", ["observedPassRate", "wilsonLowerBound"])
def test_a_rate_with_more_digits_than_the_text(name: str, number: float) -> None:
    value = signed(changed(baseline(), "criteria", "c", name, number))
    assert refused(verify_object(value)) == (
        "fingerprint-unverifiable",
        f"the emitter's text cannot be rebuilt: it has {name} with six digits, and {number!r} has more",
    )


def test_the_emitted_form() -> None:
    value = {
        "schemaVersion": "mavai-baseline-1",
        "confidenceLevel": 0.95,
        "covariateProfile": {},
        "factorRecord": {'a "b"': "täble\n😀"},
        "views": {"json": {"outputSchemaFingerprint": "ab12"}},
        "criteria": {
            "criteria": {
                "observedPassRate": 1,
                "wilsonLowerBound": 0.5258044,
                "standings": {"rows": [{"excerpt": "é😀", "held": True, "observedFraction": 1.0, "path": None}]},
            },
            "empty": {"wilsonLowerBound": None, "failureDistribution": [], "note": {}},
        },
        "latency": {"sortedPassingLatenciesMs": [1, 2.5, 1e16], "flags": [True, None, "é", []]},
    }
    assert emitted_text(value) == (
        'schemaVersion: "mavai-baseline-1"\n'
        "confidenceLevel: 0.95\n"
        "covariateProfile: {}\n"
        "factorRecord:\n"
        '  "a \\"b\\"": "täble\\n😀"\n'
        "views:\n"
        '  "json":\n'
        '    outputSchemaFingerprint: "ab12"\n'
        "criteria:\n"
        '  "criteria":\n'
        "    observedPassRate: 1.000000\n"
        "    wilsonLowerBound: 0.525804\n"
        "    standings:\n"
        "      rows:\n"
        '        - {"excerpt": "\\u00e9\\ud83d\\ude00", "held": true, "observedFraction": 1.0, "path": null}\n'
        '  "empty":\n'
        "    wilsonLowerBound: null\n"
        "    failureDistribution: []\n"
        "    note: {}\n"
        "latency:\n"
        "  sortedPassingLatenciesMs:\n"
        "    - 1\n"
        "    - 2.5\n"
        "    - 1e+16\n"
        "  flags:\n"
        "    - true\n"
        "    - null\n"
        '    - "é"\n'
        "    - []\n"
    )


def test_a_covariate_may_bear_the_name_of_a_rate() -> None:
    assert emitted_text({"covariateProfile": {"observedPassRate": "high"}}) == (
        'covariateProfile:\n  "observedPassRate": "high"\n'
    )
