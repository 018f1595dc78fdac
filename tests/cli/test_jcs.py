"""What is kept of a record: its RFC 8785 form where the campaign says so, its bytes as read in refusals, or nothing."""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import rfc8785
from commands import assay, read, run
from golden_campaigns import write_campaign
from small_campaign import PACKED, PLAIN, record

from pipeline.sample.pairwise import FAULTS, line

# The schema of these campaigns also takes a number and a map with names of any script.
_SCHEMA = {
    "properties": {
        "confidence": {"type": "number"},
        "notes": {"type": "object", "additionalProperties": {"type": "string"}},
    }
}


def spaced(value: Any) -> bytes:
    """A record written wide, with its keys in another order and its letters escaped."""
    return b"  " + json.dumps(dict(reversed(value.items())), separators=(" , ", " : ")).encode() + b" \r"


def records() -> list[bytes]:
    """Sound records whose canonical forms are not their bytes, two of them found out by joins."""
    values = [
        record(0),
        record(1, confidence=5.0),
        record(2, confidence=1e21, notes={"\ue000": "b", "\U0001f600": "a", "ö": "o"}),
        record(3, confidence=0.1, notes={}),
    ]
    return [*(spaced(value) for value in values), line(values[1]), spaced(record(4)), line(record(4, response_b="No."))]


def write_jcs(folder: Path, name: str, campaign: dict[str, Any]) -> Path:
    data = b"\n".join(records()) + b"\n"
    folder.mkdir()
    (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return write_campaign(folder / "campaign", str(folder / name), campaign, _SCHEMA)


def refused(made: Path, outcome: str) -> list[dict[str, Any]]:
    files = sorted((made / outcome).rglob("*.jsonl"))
    return [json.loads(row) for file in files for row in file.read_bytes().splitlines()]


@pytest.mark.parametrize("name", [PLAIN, PACKED])
@pytest.mark.parametrize("form", ["jcs", "raw"])
def test_archival_bytes_and_refusals(tmp_path: Path, name: str, form: str) -> None:
    made = run(write_jcs(tmp_path / "in", name, {"canonicalisation": form}), tmp_path / "out")
    lines = records()
    (accepted,) = (made / "accepted").rglob("*.parquet")
    table = pq.read_table(accepted, partitioning=None).to_pylist()
    assert [row["assay_line"] for row in table] == [1, 2, 3, 4]
    offset = 0
    for row, data in zip(table, lines[:4], strict=True):
        kept = rfc8785.dumps(json.loads(data)) if form == "jcs" else data
        assert row["assay_archival_bytes"] == kept
        assert row["assay_record_sha256"] == sha256(kept).hexdigest()
        assert (row["assay_byte_offset"], row["assay_byte_length"]) == (offset, len(data))
        offset += len(data) + 1
    rejects = refused(made, "rejected")
    codes = {row["line"]: [finding["code"] for finding in row["findings"]] for row in rejects}
    assert codes == {5: ["duplicate-record"], 6: ["task-conflict"], 7: ["task-conflict"]}
    for row in rejects:
        data = lines[row["line"] - 1]
        assert row["raw"].encode() == data
        assert (row["record_sha256"], row["byte_length"]) == (sha256(data).hexdigest(), len(data))
    assert assay("verify", made, "--inputs").code == 0
    assert read(made / "manifest.json")["campaign"]["canonicalisation"] == form


def test_the_canonical_form_depends_on_the_value_alone(tmp_path: Path) -> None:
    value = record(2, confidence=5.0, notes={"b": "1", "a": "2"})
    kept = []
    for index, data in enumerate((line(value), spaced(value))):
        folder = tmp_path / str(index)
        folder.mkdir()
        (folder / PLAIN).write_bytes(data)
        path = write_campaign(folder / "campaign", str(folder / PLAIN), {"canonicalisation": "jcs"}, _SCHEMA)
        (accepted,) = (run(path, folder / "out") / "accepted").rglob("*.parquet")
        kept += pq.read_table(accepted, partitioning=None).column("assay_record_sha256").to_pylist()
    assert kept[0] == kept[1]


MARK = "Zanzibar"


def marked(number: int) -> dict[str, Any]:
    """A record with the mark in every text that a contributor writes."""
    value = record(number)
    messages = [{**message, "content": f"{message['content']} {MARK}"} for message in value["messages"]]
    texts = {key: f"{value[key]} {MARK}" for key in ("response_a", "response_b", "rationale")}
    return {**value, **texts, "messages": messages}


def marked_lines() -> list[bytes]:
    """A record for every fault of the sample that leaves text in place, and three that joins refuse."""
    own = [fault.spoil(marked(10 + index)) for index, fault in enumerate(FAULTS)]
    conflict = {**marked(1), "response_b": f"Another {MARK}"}
    found = [data for data in own if MARK.encode() in data]
    assert len(found) > 25
    return [*found, line(marked(0)), spaced(marked(0)), line(marked(1)), line(conflict)]


@pytest.mark.parametrize("form", ["raw", "jcs"])
@pytest.mark.parametrize("payload", ["raw", "digest-only"])
def test_payload(tmp_path: Path, payload: str, form: str) -> None:
    (tmp_path / PLAIN).write_bytes(b"\n".join(marked_lines()))
    campaign = {"canonicalisation": form, "rejects": {"payload": payload}}
    made = run(write_campaign(tmp_path / "campaign", str(tmp_path / PLAIN), campaign, {}), tmp_path / "out")
    rows = [*refused(made, "rejected"), *refused(made, "held")]
    assert len(rows) > 25
    kept = payload == "raw"
    assert {bool(row.keys() & {"raw", "raw_base64", "raw_truncated"}) for row in rows} == {kept}
    others = [path for path in made.rglob("*") if path.is_file() and path.suffix != ".parquet"]
    assert any(MARK.encode() in path.read_bytes() for path in others) == kept
    assert all(len(row["record_sha256"]) == 64 for row in rows)
    assert read(made / "manifest.json")["rejects"] == {"payload": payload}
    assert assay("verify", made).code == 0
