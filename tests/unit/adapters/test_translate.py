"""A source's lines through reading, the source's schema, the adapter, and all that a record of the target meets."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import rfc8785

import schemas
from transforms.adapters.table import ADAPTERS
from transforms.judge import Bench, judge, prepare
from transforms.kinds import KINDS
from transforms.reading import read_record
from transforms.records import Line, Outcome
from transforms.schema_check import check_schema
from transforms.terms import AdapterTerms, Limits, StreamTerms, Validator

ROWS = [(source, engine) for source in ADAPTERS for engine in ("jsonschema-rs", "jsonschema")]
WORKBENCH = "workbench-ab-v1"


def folder(source: str) -> Path:
    return schemas.schema_path("records", source).parent


def terms_of(source: str) -> StreamTerms:
    target = ADAPTERS[source].target
    return StreamTerms(
        "compared",
        target,
        {target: schemas.load_schema("records", target)},
        canonicalisation="jcs",
        adapter=AdapterTerms(source, schemas.load_schema("records", source)),
    )


def bench_of(source: str, engine: str) -> Bench:
    return prepare(replace(terms_of(source), validator=Validator(engine)))


def line_of(path: Path) -> Line:
    data = path.read_bytes().rstrip(b"\n")
    return Line(3, 100, len(data), data)


@pytest.mark.parametrize(("source", "engine"), ROWS)
def test_fixtures(source: str, engine: str) -> None:
    bench, expected = bench_of(source, engine), json.loads((folder(source) / "reject" / "index.json").read_bytes())
    found = {}
    for path in sorted((folder(source) / "reject").glob("*.json")):
        if path.name != "index.json":
            found[path.name] = sorted({finding.code for finding in judge(line_of(path), bench).findings})
    assert found == expected
    accepted = sorted((folder(source) / "accept").glob("*.json"))
    assert len(accepted) >= 3
    assert [path.name for path in accepted if judge(line_of(path), bench).outcome is not Outcome.ACCEPTED] == []


@pytest.mark.parametrize("source", ADAPTERS)
def test_a_row_of_the_table(source: str) -> None:
    adapter = ADAPTERS[source]
    schema = schemas.load_schema("records", source)
    assert check_schema(source, schema) == ()
    assert schema["$id"] == f"urn:assay:schema:{source}"
    assert (adapter.source, schema["properties"]["schema_version"]) == (source, {"const": source})
    assert source not in KINDS
    # Private records, and columns that are derived of a record's own bytes, would need more than a translation.
    kind = KINDS[adapter.target]
    assert (kind.private, kind.derive, kind.read) == (None, None, read_record)
    # Joins with documents and logs point into the record; only what is found within one is led back to the source.
    assert kind.facts == ("tasks",)


def test_the_archival_bytes_are_those_of_the_target_and_the_source_stands_beside_them() -> None:
    line = line_of(folder(WORKBENCH) / "accept" / "score-written-as-4.0.json")
    verdict = judge(line, bench_of(WORKBENCH, "jsonschema-rs"))
    assert (verdict.outcome, verdict.version) == (Outcome.ACCEPTED, "pairwise-v2")
    assert verdict.value is not None
    assert verdict.archival == rfc8785.dumps(verdict.value)
    assert b'"style":4}' in verdict.archival
    assert verdict.derived == (line.data, sha256(line.data).hexdigest())


@pytest.mark.parametrize(
    ("name", "pointer"),
    [
        ("rating-above-the-scale", "/criteria/style"),
        ("short-comments", "/comments"),
        ("blank-comments", "/comments"),
        ("empty-prompt", "/prompt"),
        ("tie", "/choice"),
        ("duplicate-key", "/choice"),
        ("rating-skipped", "/criteria/style"),
    ],
)
def test_findings_point_into_the_source(name: str, pointer: str) -> None:
    verdict = judge(line_of(folder(WORKBENCH) / "reject" / f"{name}.json"), bench_of(WORKBENCH, "jsonschema-rs"))
    assert [finding.pointer for finding in verdict.findings] == [pointer]


def test_a_record_that_only_nests_too_deep_once_it_is_told_again() -> None:
    terms = replace(terms_of(WORKBENCH), limits=Limits(max_depth=2))
    verdict = judge(line_of(folder(WORKBENCH) / "accept" / "least.json"), prepare(terms))
    assert [finding.code for finding in verdict.findings] == ["nesting-too-deep"]


def test_size_and_blank_lines_come_first() -> None:
    bench = bench_of(WORKBENCH, "jsonschema-rs")
    assert [finding.code for finding in judge(Line(1, 0, 2, b"  "), bench).findings] == ["blank-record"]
    long = Line(1, 0, 1 << 30, b"{", oversized=True, sha256="0" * 64)
    assert [finding.code for finding in judge(long, bench).findings] == ["record-too-large"]
