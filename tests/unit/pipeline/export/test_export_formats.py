"""The table of formats, and records exported as they are."""

from __future__ import annotations

import click
import pytest
import yaml
from baseline_records import baseline
from small_records import pair

import schemas
from pipeline.cli.export import command
from pipeline.committed.archival import read_archival
from pipeline.export.formats import FORMATS
from pipeline.export.values import Changes, Choices, ExportRow, Record
from transforms.digests import canonical_json
from transforms.kinds import ANNOTATIONS, KINDS


def test_every_annotation_has_a_training_format_and_every_kind_an_archival_one() -> None:
    training = {kind for name, form in FORMATS.items() if name != "jsonl" for kind in form.mappings}
    assert training == ANNOTATIONS
    assert FORMATS["jsonl"].mappings.keys() == KINDS.keys()


def test_the_command_and_the_manifest_know_the_same_formats() -> None:
    schema = schemas.load_schema("documents", "export-manifest-v1")
    [option] = [option for option in command.params if option.name == "form"]
    assert isinstance(option.type, click.Choice)
    assert list(option.type.choices) == list(FORMATS) == schema["properties"]["format"]["enum"]


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_on_one_line_stay_as_they_are(kind: str) -> None:
    data = b'{ "b": 5.0,\t"a": "\xe2\x80\xa8" }\r'
    row = FORMATS["jsonl"].mappings[kind](Record(kind, {"b": 5.0, "a": "\u2028"}, data), Choices("jsonl"))
    assert row == (ExportRow(data, Changes()),)


LINE = canonical_json(pair())
FLOW = yaml.safe_dump(baseline(), default_flow_style=True, width=100_000, sort_keys=False).encode()
OTHERS = [
    ("pairwise-v2", LINE + b"\n"),
    ("pairwise-v2", LINE.replace(b"{", b"{\n", 1)),
    ("pairwise-v2", LINE.replace(b"{", b"{\r", 1)),
    ("mavai-baseline-1", b"b: 5.0\na: 1\n"),
    ("mavai-baseline-1", FLOW),
]


@pytest.mark.parametrize(("kind", "data"), OTHERS)
def test_other_bytes_are_written_anew(kind: str, data: bytes) -> None:
    value = read_archival(data, kind).value
    changes = Changes(normalised=(("", "written as RFC 8785 text"),))
    row = FORMATS["jsonl"].mappings[kind](Record(kind, value, data), Choices("jsonl"))
    assert row == (ExportRow(canonical_json(value), changes),)
