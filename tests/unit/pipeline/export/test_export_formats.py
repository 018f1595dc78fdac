"""The table of formats, and records exported as they are."""

from __future__ import annotations

import pytest

from pipeline.export.formats import FORMATS
from pipeline.export.values import Changes, Choices, ExportRow, Record
from transforms.kinds import ANNOTATIONS, KINDS


def test_every_annotation_has_a_training_format_and_every_kind_an_archival_one() -> None:
    training = {kind for name, form in FORMATS.items() if name != "jsonl" for kind in form.mappings}
    assert training == ANNOTATIONS
    assert FORMATS["jsonl"].mappings.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_on_one_line_stay_as_they_are(kind: str) -> None:
    data = b'{ "b": 5.0,\t"a": "\xe2\x80\xa8" }\r'
    row = FORMATS["jsonl"].mappings[kind](Record(kind, {"b": 5.0, "a": "\u2028"}, data), Choices("jsonl"))
    assert row == (ExportRow(data, Changes()),)


def test_other_bytes_are_written_anew() -> None:
    record = Record("mavai-baseline-1", {"b": 5.0, "a": "é"}, b"b: 5.0\na: \xc3\xa9\n", is_line=False)
    changes = Changes(normalised=(("", "written as RFC 8785 text"),))
    assert FORMATS["jsonl"].mappings[record.kind](record, Choices("jsonl")) == (
        ExportRow('{"a":"é","b":5}'.encode(), changes),
    )
