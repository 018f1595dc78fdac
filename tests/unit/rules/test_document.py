import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import schemas
from transforms.parsing.json_strict import parse
from transforms.records import Finding, Severity, Stage
from transforms.rules import document
from transforms.rules.rule import RuleContext, apply
from transforms.schema_check import check_schema
from transforms.structure import check, compile_validator, declared_version
from transforms.terms import Limits, Validator

FOLDER = schemas.schema_path("records", "document-v1").parent
SCHEMA = schemas.load_schema("records", "document-v1")
INDEX: dict[str, list[str]] = json.loads((FOLDER / "reject" / "index.json").read_bytes())


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def record(text: str, digest: str | None = None) -> dict[str, Any]:
    return {
        "document_id": "tides",
        "text": text,
        "sha256": digest or sha256(text),
        "schema_version": "document-v1",
    }


def findings(value: dict[str, Any]) -> tuple[Finding, ...]:
    return apply(document.RULES, value, RuleContext())


@pytest.mark.parametrize(
    "text", ["Tides.", "Tides.\n", "a\r\nb\rc\n", "\ufefftides", "Café 😀 e\u0301", "\u0000", "שלום"]
)
def test_the_digest_is_that_of_the_text_in_utf_8(text: str) -> None:
    assert findings(record(text)) == ()


def test_another_digest_is_a_mismatch() -> None:
    message = f"the text's SHA-256 is {sha256('Tides.')}"
    expected = Finding("document-digest-mismatch", message, "/sha256", severity=Severity.REJECT)
    assert findings(record("Tides.", "0" * 64)) == (expected,)


def test_text_is_judged_as_it_stands_not_normalised() -> None:
    decomposed = "Cafe\u0301"
    (finding,) = findings(record(decomposed, sha256("Café")))
    assert finding.message == f"the text's SHA-256 is {sha256(decomposed)}"


@pytest.mark.parametrize(
    ("hashed", "text", "change"),
    [
        ("Tides.", "Tides.\n", "without its last line end"),
        ("Tides.", "Tides.\r\n", "without its last line end"),
        ("Tides.\n", "Tides.", "with a line feed added"),
        ("a\nb\n", "a\r\nb\r\n", "with LF for CRLF"),
        ("a\r\nb\r\n", "a\nb\n", "with CRLF for LF"),
        ("Tides.", "\ufeffTides.", "without its byte order mark"),
        ("\ufeffTides.", "Tides.", "with a byte order mark"),
    ],
)
def test_the_message_names_a_common_change(hashed: str, text: str, change: str) -> None:
    (finding,) = findings(record(text, sha256(hashed)))
    assert finding.code == "document-digest-mismatch"
    assert finding.message == f"the text's SHA-256 is {sha256(text)}; the one given is that of the text {change}"


def test_every_row_of_the_module_belongs_to_a_rule() -> None:
    assert tuple(code for rule in document.RULES for code in rule.codes) == document.CODES
    assert {row.stage for row in document.CODES} == {Stage.RULES}


# the fixtures


def judged(data: bytes, engine: str) -> list[str]:
    parsed = parse(data.rstrip(b"\n"), Limits().max_depth)
    if isinstance(parsed, Finding):
        return [parsed.code]
    version = declared_version(parsed.value, "schema_version", {"document-v1"})
    if isinstance(version, Finding):
        return [version.code]
    found = check(parsed.value, compile_validator(SCHEMA, Validator(engine)), 100)
    return sorted({finding.code for finding in found or findings(parsed.value)})


def test_the_schema_is_sound_and_names_itself() -> None:
    assert check_schema("document-v1", SCHEMA) == ()
    assert SCHEMA["$id"] == "urn:assay:schema:document-v1"


@pytest.mark.parametrize("engine", ["jsonschema-rs", "jsonschema"])
@pytest.mark.parametrize("path", sorted((FOLDER / "accept").iterdir()), ids=lambda path: path.stem)
def test_accepted_fixtures(path: Path, engine: str) -> None:
    assert judged(path.read_bytes(), engine) == []


@pytest.mark.parametrize("engine", ["jsonschema-rs", "jsonschema"])
@pytest.mark.parametrize("name", INDEX)
def test_rejected_fixtures(name: str, engine: str) -> None:
    assert judged((FOLDER / "reject" / name).read_bytes(), engine) == INDEX[name]


def test_the_index_lists_the_rejected_files() -> None:
    assert sorted(path.name for path in (FOLDER / "reject").iterdir()) == sorted([*INDEX, "index.json"])
    assert list(INDEX) == sorted(INDEX)


def test_the_text_bound_of_the_schema() -> None:
    compiled = compile_validator(SCHEMA, Validator())
    assert check(record("x" * 16_000_000), compiled, 100) == ()
    found = check(record("x" * 16_000_001), compiled, 100)
    assert [(finding.code, finding.pointer) for finding in found] == [("schema/maxLength", "/text")]
