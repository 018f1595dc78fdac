"""Ways to tamper with a run, each with the codes that `assay verify` must find and the files that it must name.

A consistent forgery replaces a file's digest in the manifest too, and seals the manifest and SHA256SUMS anew.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from small_campaign import PACKED, PLAIN

from pipeline.manifest import Manifest, manifest_bytes
from pipeline.publish import MANIFEST, SUMS, checksums
from transforms.digests import merkle_root, sha256_hex

ACCEPTED = f"accepted/annotations/{PLAIN}-b00000.parquet"
REJECTED = f"rejected/annotations/{PLAIN}-b00000.jsonl"
HELD = f"held/annotations/{PLAIN}-b00000.jsonl"
RUBRIC = "campaign/rubrics/code-review-v1.json"
REPORT = "report.html"

Forge = Callable[[Path], None]
Row = dict[str, Any]


@dataclass(frozen=True)
class Forgery:
    """What is done to a run's folder, the codes found, and the pointers of the findings."""

    name: str
    forge: Forge
    codes: tuple[str, ...]
    files: tuple[str, ...]


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


def _written(name: str, data: bytes) -> Forge:
    def forge(run: Path) -> None:
        (run / name).write_bytes(data)

    return forge


def _rewritten(name: str, change: Callable[[bytes], bytes]) -> Forge:
    def forge(run: Path) -> None:
        (run / name).write_bytes(change((run / name).read_bytes()))

    return forge


def _sealed(forge: Forge) -> Forge:
    """The same, and the digests replaced."""

    def both(run: Path) -> None:
        forge(run)
        seal(run)

    return both


def _manifest(change: Callable[[Manifest], Any]) -> Forge:
    """A change of the manifest, sealed."""
    return lambda run: seal(run, change)


def _accepted(change: Callable[[pa.Table], pa.Table], more: Callable[[Manifest], Any] = lambda manifest: None) -> Forge:
    """A change of an accepted file, sealed."""

    def forge(run: Path) -> None:
        table = pq.read_table(run / ACCEPTED, partitioning=None)
        pq.write_table(change(table), run / ACCEPTED)
        seal(run, more)

    return forge


def _cells(name: str, change: Callable[[list[Any]], list[Any]]) -> Callable[[pa.Table], pa.Table]:
    def changed(table: pa.Table) -> pa.Table:
        index = table.schema.get_field_index(name)
        return table.set_column(index, name, pa.array(change(table.column(name).to_pylist())))

    return changed


def _refused(
    name: str, change: Callable[[list[Row]], Any], more: Callable[[Manifest], Any] = lambda manifest: None
) -> Forge:
    """A change of the rows of a rejects or held file, sealed."""

    def forge(run: Path) -> None:
        rows = [json.loads(line) for line in (run / name).read_bytes().splitlines()]
        change(rows)
        (run / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        seal(run, more)

    return forge


def _output(manifest: Manifest, name: str) -> Row:
    row: Row = next(row for row in manifest["outputs"] if row["path"] == name)
    return row


def _linked(name: str) -> Forge:
    """A link to a copy of the file outside the run, in the file's place."""

    def forge(run: Path) -> None:
        outside = run.with_name(f"outside-{run.name}")
        shutil.move(run / name, outside)
        (run / name).symlink_to(outside)

    return forge


def _folder_instead(name: str) -> Forge:
    def forge(run: Path) -> None:
        (run / name).unlink()
        (run / name).mkdir()

    return forge


def _rewrite_digests(table: pa.Table) -> pa.Table:
    """Another first record, with the digest that belongs to it."""
    table = _cells("assay_archival_bytes", lambda cells: [b"{}", *cells[1:]])(table)
    return _cells("assay_record_sha256", lambda cells: [sha256_hex(b"{}"), *cells[1:]])(table)


def _root_of_file(run: Path) -> None:
    """The same, with the Merkle root of the file, but not that of the run."""
    _accepted(_rewrite_digests)(run)
    digests = pq.read_table(run / ACCEPTED, partitioning=None).column("assay_record_sha256").to_pylist()
    root = merkle_root(bytes.fromhex(digest) for digest in digests)
    seal(run, lambda manifest: _output(manifest, ACCEPTED).update(merkle_root=root))


def _rename_code(rows: list[Row]) -> None:
    rows[0]["findings"][0]["code"] = "schema/enum"


def _untyped_places(rows: list[Row]) -> None:
    for row, shard in zip(rows, (None, 5, "x"), strict=True):
        row["shard"] = shard


def _untyped_codes(rows: list[Row]) -> None:
    for row, code in zip(rows, (None, 5, "x"), strict=True):
        row["findings"][0]["code"] = code


def _shift(manifest: Manifest) -> None:
    """One more rejected, one less accepted, wherever they are counted."""
    for books in (manifest["inputs"][0]["records"], manifest["streams"]["annotations"]["records"]):
        books["accepted"] -= 1
        books["rejected"] += 1


def _swap_pins(manifest: Manifest) -> None:
    schema, rubric = manifest["documents"][1:]
    schema["sha256"], rubric["sha256"] = rubric["sha256"], schema["sha256"]


_PACKED_REJECTS = f"rejected/annotations/{PACKED}-b00000.jsonl"
_LESS_ONE = {"rows": 2}

MANIFESTS = (
    Forgery("no manifest", lambda run: (run / MANIFEST).unlink(), ("manifest-missing",), (MANIFEST,)),
    Forgery("a folder for a manifest", _folder_instead(MANIFEST), ("manifest-missing",), (MANIFEST,)),
    Forgery("no JSON", _written(MANIFEST, b"not json\n"), ("manifest-invalid",), (MANIFEST,)),
    Forgery("an empty manifest", _written(MANIFEST, b""), ("manifest-invalid",), (MANIFEST,)),
    Forgery("no object", _written(MANIFEST, b"[]\n"), ("manifest-invalid",), (MANIFEST,)),
    Forgery("a duplicate key", _written(MANIFEST, b'{"a":1,"a":1}\n'), ("manifest-invalid",), (MANIFEST,)),
    Forgery("deep nesting", _written(MANIFEST, b"[" * 100_000), ("manifest-invalid",), (MANIFEST,)),
    Forgery(
        "another schema", _manifest(lambda manifest: manifest.update(owner="me")), ("manifest-invalid",), (MANIFEST,)
    ),
    Forgery(
        "not canonical",
        _rewritten(MANIFEST, lambda data: json.dumps(json.loads(data)).encode()),
        ("checksums-differ", "manifest-invalid"),
        (MANIFEST, SUMS),
    ),
    Forgery(
        "without the final line feed",
        _rewritten(MANIFEST, lambda data: data[:-1]),
        ("checksums-differ", "manifest-invalid"),
        (MANIFEST, SUMS),
    ),
    Forgery("a linked manifest", _linked(MANIFEST), ("file-unlisted",), (MANIFEST,)),
)

LISTINGS = (
    Forgery("no checksums", lambda run: (run / SUMS).unlink(), ("file-missing",), (SUMS,)),
    Forgery("a folder for checksums", _folder_instead(SUMS), ("file-missing", "file-unlisted"), (SUMS,)),
    Forgery("empty checksums", _written(SUMS, b""), ("checksums-differ",), (MANIFEST, SUMS)),
    Forgery(
        "checksums with a line more",
        _rewritten(SUMS, lambda data: data + b"0" * 64 + b"  more\n"),
        ("checksums-differ",),
        (SUMS,),
    ),
    Forgery("linked checksums", _linked(SUMS), ("file-unlisted",), (SUMS,)),
    Forgery("a file more", _written("accepted/.DS_Store", b""), ("file-unlisted",), ("accepted/.DS_Store",)),
    Forgery("a folder more", lambda run: (run / "held" / "new").mkdir(), ("file-unlisted",), ("held/new",)),
    Forgery("a link more", lambda run: (run / "latest").symlink_to(run), ("file-unlisted",), ("latest",)),
    Forgery("a broken link more", lambda run: (run / "gone").symlink_to("nowhere"), ("file-unlisted",), ("gone",)),
    Forgery("a pipe more", lambda run: os.mkfifo(run / "pipe"), ("file-unlisted",), ("pipe",)),
    Forgery("a link for a report", _linked(REPORT), ("file-missing",), (REPORT,)),
    Forgery("a link for records", _linked(ACCEPTED), ("file-missing",), (ACCEPTED,)),
    Forgery("a link for a folder", _linked("campaign/rubrics"), ("file-unlisted",), ("campaign/rubrics",)),
    Forgery("a folder for a report", _folder_instead(REPORT), ("file-missing", "file-unlisted"), (REPORT,)),
    Forgery("no report", lambda run: (run / REPORT).unlink(), ("file-missing",), (REPORT,)),
    Forgery("no held records", lambda run: (run / HELD).unlink(), ("books-differ", "file-missing"), (HELD, MANIFEST)),
    Forgery(
        "no accepted records",
        lambda run: (run / ACCEPTED).unlink(),
        ("books-differ", "file-missing"),
        (ACCEPTED, MANIFEST),
    ),
    Forgery("no rubric", lambda run: (run / RUBRIC).unlink(), ("file-missing",), (RUBRIC,)),
    Forgery("another report", _written(REPORT, b"<p>all is well</p>"), ("file-changed",), (REPORT,)),
)

CONSISTENT = (
    Forgery(
        "an archival byte",
        _accepted(_cells("assay_archival_bytes", lambda cells: [cells[0] + b" ", *cells[1:]])),
        ("record-changed",),
        (ACCEPTED,),
    ),
    Forgery(
        "rows in another order",
        _accepted(lambda table: table.take(list(reversed(range(len(table)))))),
        ("merkle-mismatch",),
        (ACCEPTED,),
    ),
    Forgery("another record and its digest", _accepted(_rewrite_digests), ("merkle-mismatch",), (ACCEPTED,)),
    Forgery("another record, digest and root", _root_of_file, ("merkle-mismatch",), (MANIFEST,)),
    Forgery(
        "an accepted row dropped",
        _accepted(lambda table: table.slice(1)),
        ("books-differ", "merkle-mismatch"),
        (ACCEPTED, MANIFEST),
    ),
    Forgery(
        "an accepted row twice",
        _accepted(lambda table: pa.concat_tables([table, table.slice(0, 1)])),
        ("books-differ", "merkle-mismatch"),
        (ACCEPTED, MANIFEST),
    ),
    Forgery(
        "accepted rows of another shard",
        _accepted(_cells("assay_shard", lambda cells: ["c.jsonl" for _ in cells])),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery("a reject dropped", _refused(REJECTED, lambda rows: rows.pop()), ("books-differ",), (MANIFEST, REJECTED)),
    Forgery(
        "a reject dropped and its row uncounted",
        _refused(REJECTED, lambda rows: rows.pop(), lambda manifest: _output(manifest, REJECTED).update(_LESS_ONE)),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery("a code renamed", _refused(REJECTED, _rename_code), ("books-differ",), (MANIFEST,)),
    Forgery(
        "a held record rejected",
        _refused(HELD, lambda rows: rows[0].update(outcome="rejected")),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery("counts shifted", _manifest(_shift), ("books-differ",), (MANIFEST,)),
    Forgery(
        "a record read that is nowhere",
        _manifest(lambda manifest: manifest["inputs"][0]["records"].update(read=8)),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery(
        "a code's count",
        _manifest(lambda manifest: manifest["streams"]["annotations"]["codes"].update({"invalid-utf8": 2})),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery(
        "a code that is nowhere",
        _manifest(lambda manifest: manifest["streams"]["annotations"]["codes"].update({"not-jsonl": 1})),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery("an input left out", _manifest(lambda manifest: manifest["inputs"].pop()), ("books-differ",), (MANIFEST,)),
    Forgery("a document swapped", _sealed(_written(RUBRIC, b"{}")), ("file-changed",), (RUBRIC,)),
    Forgery(
        "two pins swapped", _manifest(_swap_pins), ("file-changed",), (RUBRIC, "campaign/schemas/pairwise-v2.json")
    ),
    Forgery(
        "a reject's text",
        _refused(_PACKED_REJECTS, lambda rows: rows[0].update(raw=rows[0]["raw"] + " ")),
        ("record-changed",),
        (_PACKED_REJECTS,),
    ),
    Forgery(
        "a reject's bytes",
        _refused(REJECTED, lambda rows: rows[0].update(raw_base64="e30=")),
        ("record-changed",),
        (REJECTED,),
    ),
)

# What no run of ours would hold: told as a broken file, never as a failure of the command.
_UNREADABLE = ("books-differ", "file-changed")
MALFORMED = (
    Forgery("no Parquet", _sealed(_written(ACCEPTED, b"PAR1")), _UNREADABLE, (ACCEPTED, MANIFEST)),
    Forgery("no records", _sealed(_written(ACCEPTED, b"")), _UNREADABLE, (ACCEPTED, MANIFEST)),
    Forgery(
        "no digest column",
        _accepted(lambda table: table.drop_columns(["assay_record_sha256"])),
        _UNREADABLE,
        (ACCEPTED, MANIFEST),
    ),
    Forgery(
        "a null digest",
        _accepted(_cells("assay_record_sha256", lambda cells: [None, *cells[1:]])),
        _UNREADABLE,
        (ACCEPTED, MANIFEST),
    ),
    Forgery(
        "shards of several sorts",
        _accepted(_cells("assay_shard", lambda cells: [None, "", *cells[2:]])),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery("no JSON lines", _sealed(_written(HELD, b"{\n")), _UNREADABLE, (HELD, MANIFEST)),
    Forgery("a line that is no object", _sealed(_written(HELD, b"[]\n")), _UNREADABLE, (HELD, MANIFEST)),
    Forgery("raw that is no text", _refused(HELD, lambda rows: rows[0].update(raw=5)), ("file-changed",), (HELD,)),
    Forgery(
        "base64 that is none",
        _refused(REJECTED, lambda rows: rows[0].update(raw_base64="é")),
        _UNREADABLE,
        (MANIFEST, REJECTED),
    ),
    Forgery(
        "findings that are text",
        _refused(HELD, lambda rows: rows[0].update(findings="x")),
        _UNREADABLE,
        (HELD, MANIFEST),
    ),
    Forgery("places of several sorts", _refused(REJECTED, _untyped_places), ("books-differ",), (MANIFEST,)),
    Forgery("codes of several sorts", _refused(REJECTED, _untyped_codes), ("books-differ",), (MANIFEST,)),
)

FORGERIES = (*MANIFESTS, *LISTINGS, *CONSISTENT, *MALFORMED)
