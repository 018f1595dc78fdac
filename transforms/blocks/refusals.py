"""The JSON line kept for a record that is rejected or held: reasons, position, digest, and the bytes to mend."""

from __future__ import annotations

import base64
from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import orjson

from transforms.digests import sha256_hex
from transforms.records import Finding, Line, Outcome, Place


def refusal(
    line: Line, stream: str, shard: str, outcome: Outcome, findings: Sequence[Finding], keep_raw: bool
) -> bytes:
    """The line of JSON, without its line feed.

    `record_sha256` is over the record's bytes as read. An oversized record keeps only its first bytes,
    marked by `raw_truncated`; one of which no byte is at hand keeps none. Bytes that are not UTF-8 stand in
    `raw_base64` instead of `raw`.
    """
    row: dict[str, Any] = {
        "outcome": outcome.value,
        "stream": stream,
        "shard": shard,
        "line": line.number,
        "byte_offset": line.offset,
        "byte_length": line.length,
        "record_sha256": line.sha256 or sha256_hex(line.data),
        "findings": [_finding(finding) for finding in findings],
    }
    if line.origin:
        row["origin"] = asdict(line.origin)
    if line.version:
        row["read_as"] = line.version
    if keep_raw and (line.data or not line.oversized):
        try:
            # Not final: the first bytes of an oversized record may end inside a character.
            row["raw"] = getincrementaldecoder("utf-8")().decode(line.data, final=not line.oversized)
        except UnicodeDecodeError:
            row["raw_base64"] = base64.b64encode(line.data).decode()
        if line.oversized:
            row["raw_truncated"] = True
    return orjson.dumps(row)


def kept_bytes(row: Mapping[str, Any]) -> bytes | None:
    """The bytes that `refusal` kept in a row, the first ones of an oversized record; None where it kept none.

    Raises ValueError for what is no base64.
    """
    if "raw" in row:
        data: bytes = row["raw"].encode()
        return data
    return base64.b64decode(row["raw_base64"], validate=True) if "raw_base64" in row else None


def withheld(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings of a record whose content must not leave it: codes alone."""
    return tuple(replace(finding, message="withheld: the record may be private", pointer="") for finding in findings)


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "pointer": finding.pointer,
        "schema_pointer": finding.schema_pointer,
        "message": finding.message,
        "related": [_place(place) for place in finding.related],
    }


def _place(place: Place) -> dict[str, Any]:
    row: dict[str, Any] = {"stream": place.stream, "shard": place.shard, "line": place.line}
    if place.run:
        row["run"] = {"run_id": place.run.run_id, "manifest_sha256": place.run.manifest_sha256}
    return row


def read_refusals(path: Path) -> Iterator[tuple[Place, bytes]]:
    """Each line of a refusals file as (place of the record, bytes with the line feed)."""
    with path.open("rb") as file:
        for row in file:
            refused = orjson.loads(row)
            yield Place(refused["stream"], refused["shard"], refused["line"]), row
