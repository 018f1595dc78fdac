"""The product's own documents: their schemas accept and refuse what the fixtures beside them say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import schemas
from transforms.acceptance.rubric import check_rubric
from transforms.parsing.json_strict import loads_document
from transforms.records import Finding
from transforms.schema_check import check_schema
from transforms.structure import Compiled, check, compile_validator
from transforms.terms import Validator

DOCUMENTS = (
    "campaign-v1",
    "digest-manifest-v1",
    "expected-answer-v1",
    "export-manifest-v1",
    "rubric-v1",
    "safety-policy-v1",
    "test-suites-v1",
)
ENGINES = ("jsonschema-rs", "jsonschema")


def folder(name: str) -> Path:
    return schemas.schema_path("documents", name).parent


def index(name: str) -> dict[str, list[str]]:
    value: dict[str, list[str]] = json.loads((folder(name) / "reject" / "index.json").read_bytes())
    return value


ACCEPTED = [path for name in DOCUMENTS for path in sorted((folder(name) / "accept").glob("*.json"))]
REJECTED = [folder(name) / "reject" / file for name in DOCUMENTS for file in index(name)]


def by_name(path: Path) -> str:
    return f"{path.parts[-3]}/{path.stem}"


@pytest.fixture(scope="module", params=ENGINES)
def compiled(request: pytest.FixtureRequest) -> dict[str, Compiled]:
    validator = Validator(request.param)
    return {name: compile_validator(schemas.load_schema("documents", name), validator) for name in DOCUMENTS}


def codes(path: Path, compiled: dict[str, Compiled]) -> list[str]:
    value = loads_document(path.read_bytes())
    if isinstance(value, Finding):
        return [value.code]
    found = check(value, compiled[path.parts[-3]], 100)
    if not found and path.parts[-3] == "rubric-v1":
        found = check_rubric(value["rubric_version"], value)
    return sorted({finding.code for finding in found})


def test_all_documents_are_here() -> None:
    root = schemas.schema_path("documents", "x").parents[1]
    assert sorted(path.name for path in root.iterdir() if path.is_dir()) == list(DOCUMENTS)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_schema_is_sound_and_names_itself(name: str) -> None:
    schema = schemas.load_schema("documents", name)
    assert check_schema(name, schema) == ()
    assert schema["$id"] == f"urn:assay:schema:{name}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_index_lists_the_rejected_files(name: str) -> None:
    files = sorted(path.name for path in (folder(name) / "reject").iterdir())
    assert files == sorted([*index(name), "index.json"])
    assert list(index(name)) == sorted(index(name))


@pytest.mark.parametrize("path", ACCEPTED, ids=by_name)
def test_accepted(path: Path, compiled: dict[str, Compiled]) -> None:
    assert codes(path, compiled) == []


@pytest.mark.parametrize("path", REJECTED, ids=by_name)
def test_rejected(path: Path, compiled: dict[str, Compiled]) -> None:
    expected = index(path.parts[-3])[path.name]
    assert expected == sorted(expected) != []
    assert codes(path, compiled) == expected
