"""How a run is tampered with: means that the forgeries are made of."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from small_campaign import PACKED, PLAIN

from pipeline.manifest import Manifest, manifest_bytes
from pipeline.publish import MANIFEST, SUMS, checksums
from transforms.digests import merkle_root, sha256_hex

DUPLICATES = "identities/pairwise-v2/duplicates-v1.parquet"
ACCEPTED = f"accepted/annotations/{PLAIN}-b00000.parquet"
REJECTED = f"rejected/annotations/{PLAIN}-b00000.jsonl"
PACKED_REJECTS = f"rejected/annotations/{PACKED}-b00000.jsonl"
HELD = f"held/annotations/{PLAIN}-b00000.jsonl"
RUBRIC = "campaign/rubrics/code-review-v1.json"
REPORT = "report.html"

Forge = Callable[[Path], None]
Row = dict[str, Any]


def seal(run: Path, change: Callable[[Manifest], None] = lambda manifest: None) -> None:
    """Bring the manifest's sizes and digests in line with the files, change it, and seal it and SHA256SUMS."""
    manifest = json.loads((run / MANIFEST).read_bytes())
    for row in manifest["outputs"]:
        data = (run / row["path"]).read_bytes()
        row["bytes"], row["sha256"] = len(data), sha256_hex(data)
    change(manifest)
    data = manifest_bytes(manifest)
    (run / MANIFEST).write_bytes(data)
    (run / SUMS).write_bytes(checksums(manifest, data))


def written(name: str, data: bytes) -> Forge:
    def forge(run: Path) -> None:
        (run / name).write_bytes(data)

    return forge


def rewritten(name: str, change: Callable[[bytes], bytes]) -> Forge:
    def forge(run: Path) -> None:
        (run / name).write_bytes(change((run / name).read_bytes()))

    return forge


def sealed(forge: Forge) -> Forge:
    """The same, and the digests replaced."""

    def both(run: Path) -> None:
        forge(run)
        seal(run)

    return both


def manifest_changed(change: Callable[[Manifest], Any]) -> Forge:
    """A change of the manifest, sealed."""
    return lambda run: seal(run, change)


def accepted_changed(
    change: Callable[[pa.Table], pa.Table], more: Callable[[Manifest], Any] = lambda manifest: None
) -> Forge:
    """A change of an accepted file, sealed."""
    return parquet_changed(ACCEPTED, change, more)


def parquet_changed(
    name: str, change: Callable[[pa.Table], pa.Table], more: Callable[[Manifest], Any] = lambda manifest: None
) -> Forge:
    """A change of a Parquet file, sealed."""

    def forge(run: Path) -> None:
        table = pq.read_table(run / name, partitioning=None)
        pq.write_table(change(table), run / name)
        seal(run, more)

    return forge


def cells(name: str, change: Callable[[list[Any]], list[Any]]) -> Callable[[pa.Table], pa.Table]:
    def changed(table: pa.Table) -> pa.Table:
        index = table.schema.get_field_index(name)
        return table.set_column(index, name, pa.array(change(table.column(name).to_pylist())))

    return changed


def refused_changed(
    name: str, change: Callable[[list[Row]], Any], more: Callable[[Manifest], Any] = lambda manifest: None
) -> Forge:
    """A change of the rows of a rejects or held file, sealed."""

    def forge(run: Path) -> None:
        rows = [json.loads(line) for line in (run / name).read_bytes().splitlines()]
        change(rows)
        (run / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        seal(run, more)

    return forge


def output_row(manifest: Manifest, name: str) -> Row:
    row: Row = next(row for row in manifest["outputs"] if row["path"] == name)
    return row


def linked(name: str) -> Forge:
    """A link to a copy of the file outside the run, in the file's place."""

    def forge(run: Path) -> None:
        outside = run.with_name(f"outside-{run.name}")
        shutil.move(run / name, outside)
        (run / name).symlink_to(outside)

    return forge


def folder_instead(name: str) -> Forge:
    def forge(run: Path) -> None:
        (run / name).unlink()
        (run / name).mkdir()

    return forge


def pipe_instead(name: str) -> Forge:
    def forge(run: Path) -> None:
        (run / name).unlink()
        os.mkfifo(run / name)

    return forge


def device_instead(name: str) -> Forge:
    """A link to a device that never ends."""

    def forge(run: Path) -> None:
        (run / name).unlink()
        (run / name).symlink_to("/dev/zero")

    return forge


def another_record(table: pa.Table) -> pa.Table:
    """Another first record, with the digest that belongs to it."""
    table = cells("assay_archival_bytes", lambda cells: [b"{}", *cells[1:]])(table)
    return cells("assay_record_sha256", lambda cells: [sha256_hex(b"{}"), *cells[1:]])(table)


def another_record_and_root(run: Path) -> None:
    """The same, with the Merkle root of the file, but not that of the run."""
    accepted_changed(another_record)(run)
    digests = pq.read_table(run / ACCEPTED, partitioning=None).column("assay_record_sha256").to_pylist()
    root = merkle_root(bytes.fromhex(digest) for digest in digests)
    seal(run, lambda manifest: output_row(manifest, ACCEPTED).update(merkle_root=root))


def rename_code(rows: list[Row]) -> None:
    rows[0]["findings"][0]["code"] = "schema/enum"


def untyped_places(rows: list[Row]) -> None:
    for row, shard in zip(rows, (None, 5, "x"), strict=True):
        row["shard"] = shard


def untyped_codes(rows: list[Row]) -> None:
    for row, code in zip(rows, (None, 5, "x"), strict=True):
        row["findings"][0]["code"] = code


def shift_counts(manifest: Manifest) -> None:
    """One more rejected, one less accepted, wherever they are counted."""
    for books in (manifest["inputs"][0]["records"], manifest["streams"]["annotations"]["records"]):
        books["accepted"] -= 1
        books["rejected"] += 1


def list_a_file_outside(manifest: Manifest) -> None:
    manifest["outputs"].append({"path": "../notes", "bytes": 0, "sha256": sha256_hex(b"")})


def held_among_rejects(run: Path) -> None:
    """The held record's line in the rejects file, and its own file gone, with all rows counted."""
    held = (run / HELD).read_bytes()
    (run / HELD).unlink()
    (run / HELD).parent.rmdir()
    (run / HELD).parents[1].rmdir()
    (run / REJECTED).write_bytes((run / REJECTED).read_bytes() + held)
    manifest = json.loads((run / MANIFEST).read_bytes())
    manifest["outputs"] = [row for row in manifest["outputs"] if row["path"] != HELD]
    output_row(manifest, REJECTED)["rows"] += 1
    (run / MANIFEST).write_bytes(manifest_bytes(manifest))
    seal(run)


def swap_pins(manifest: Manifest) -> None:
    schema, rubric = manifest["documents"][1:]
    schema["sha256"], rubric["sha256"] = rubric["sha256"], schema["sha256"]
