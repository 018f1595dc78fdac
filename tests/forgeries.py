"""Ways to tamper with a run, each with the codes that `assay verify` must find and the files that it must name.

A consistent forgery replaces a file's digest in the manifest too, and seals the manifest and SHA256SUMS anew.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass

import pyarrow as pa
from small_campaign import BOOKS, PACKED, PLAIN
from tampering import (
    ACCEPTED,
    DUPLICATES,
    HELD,
    PACKED_REJECTS,
    REJECTED,
    REPORT,
    RUBRIC,
    Forge,
    accepted_changed,
    another_record,
    another_record_and_root,
    cells,
    device_instead,
    folder_instead,
    held_among_rejects,
    linked,
    list_a_file_outside,
    manifest_changed,
    output_row,
    parquet_changed,
    pipe_instead,
    refused_changed,
    rename_code,
    rewritten,
    sealed,
    shift_counts,
    swap_pins,
    untyped_codes,
    untyped_places,
    written,
)

from pipeline.publish import MANIFEST, SUMS


@dataclass(frozen=True)
class Forgery:
    """What is done to a run's folder, the codes found, and the pointers of the findings."""

    name: str
    forge: Forge
    codes: tuple[str, ...]
    files: tuple[str, ...]


MANIFESTS = (
    Forgery("no manifest", lambda run: (run / MANIFEST).unlink(), ("manifest-missing",), (MANIFEST,)),
    Forgery("a folder for a manifest", folder_instead(MANIFEST), ("manifest-missing",), (MANIFEST,)),
    Forgery("no JSON", written(MANIFEST, b"not json\n"), ("manifest-invalid",), (MANIFEST,)),
    Forgery("an empty manifest", written(MANIFEST, b""), ("manifest-invalid",), (MANIFEST,)),
    Forgery("no object", written(MANIFEST, b"[]\n"), ("manifest-invalid",), (MANIFEST,)),
    Forgery("a duplicate key", written(MANIFEST, b'{"a":1,"a":1}\n'), ("manifest-invalid",), (MANIFEST,)),
    Forgery("deep nesting", written(MANIFEST, b"[" * 100_000), ("manifest-invalid",), (MANIFEST,)),
    Forgery(
        "another schema",
        manifest_changed(lambda manifest: manifest.update(owner="me")),
        ("manifest-invalid",),
        (MANIFEST,),
    ),
    Forgery(
        "not canonical",
        rewritten(MANIFEST, lambda data: json.dumps(json.loads(data)).encode()),
        ("checksums-differ", "manifest-invalid"),
        (MANIFEST, SUMS),
    ),
    Forgery(
        "without the final line feed",
        rewritten(MANIFEST, lambda data: data[:-1]),
        ("checksums-differ", "manifest-invalid"),
        (MANIFEST, SUMS),
    ),
    Forgery("an output beyond the folder", manifest_changed(list_a_file_outside), ("manifest-invalid",), (MANIFEST,)),
    Forgery("a linked manifest", linked(MANIFEST), ("file-unlisted",), (MANIFEST,)),
)

LISTINGS = (
    Forgery("no checksums", lambda run: (run / SUMS).unlink(), ("file-missing",), (SUMS,)),
    Forgery("a folder for checksums", folder_instead(SUMS), ("file-missing", "file-unlisted"), (SUMS,)),
    Forgery("empty checksums", written(SUMS, b""), ("checksums-differ",), (MANIFEST, SUMS)),
    Forgery(
        "checksums with a line more",
        rewritten(SUMS, lambda data: data + b"0" * 64 + b"  more\n"),
        ("checksums-differ",),
        (SUMS,),
    ),
    Forgery("linked checksums", linked(SUMS), ("file-unlisted",), (SUMS,)),
    Forgery("a file more", written("accepted/.DS_Store", b""), ("file-unlisted",), ("accepted/.DS_Store",)),
    Forgery("a folder more", lambda run: (run / "held" / "new").mkdir(), ("file-unlisted",), ("held/new",)),
    Forgery("a link more", lambda run: (run / "latest").symlink_to(run), ("file-unlisted",), ("latest",)),
    Forgery("a broken link more", lambda run: (run / "gone").symlink_to("nowhere"), ("file-unlisted",), ("gone",)),
    Forgery("a pipe for a file", pipe_instead(REPORT), ("file-missing",), (REPORT,)),
    Forgery("a pipe more", lambda run: os.mkfifo(run / "pipe"), ("file-unlisted",), ("pipe",)),
    Forgery("a link for a report", linked(REPORT), ("file-missing",), (REPORT,)),
    Forgery("a link for records", linked(ACCEPTED), ("books-differ", "file-missing"), (ACCEPTED, MANIFEST)),
    Forgery(
        "a link for a folder of records",
        linked("accepted/annotations"),
        ("books-differ", "file-unlisted"),
        ("accepted/annotations", MANIFEST),
    ),
    Forgery("a link for a folder", linked("campaign/rubrics"), ("file-unlisted",), ("campaign/rubrics",)),
    Forgery("a folder for a report", folder_instead(REPORT), ("file-missing", "file-unlisted"), (REPORT,)),
    Forgery("no report", lambda run: (run / REPORT).unlink(), ("file-missing",), (REPORT,)),
    Forgery("no held records", lambda run: (run / HELD).unlink(), ("books-differ", "file-missing"), (HELD, MANIFEST)),
    Forgery(
        "no accepted records",
        lambda run: (run / ACCEPTED).unlink(),
        ("books-differ", "file-missing"),
        (ACCEPTED, MANIFEST),
    ),
    Forgery("no rubric", lambda run: (run / RUBRIC).unlink(), ("file-missing",), (RUBRIC,)),
    Forgery("another report", written(REPORT, b"<p>all is well</p>"), ("file-changed",), (REPORT,)),
)

CONSISTENT = (
    Forgery(
        "an archival byte",
        accepted_changed(cells("assay_archival_bytes", lambda cells: [cells[0] + b" ", *cells[1:]])),
        ("record-changed",),
        (ACCEPTED,),
    ),
    Forgery(
        "rows in another order",
        accepted_changed(lambda table: table.take(list(reversed(range(len(table)))))),
        ("merkle-mismatch",),
        (ACCEPTED,),
    ),
    Forgery("another record and its digest", accepted_changed(another_record), ("merkle-mismatch",), (ACCEPTED,)),
    Forgery("another record, digest and root", another_record_and_root, ("merkle-mismatch",), (MANIFEST,)),
    Forgery(
        "an accepted row dropped",
        accepted_changed(lambda table: table.slice(1)),
        ("books-differ", "merkle-mismatch"),
        (ACCEPTED, MANIFEST),
    ),
    Forgery(
        "an accepted row twice",
        accepted_changed(lambda table: pa.concat_tables([table, table.slice(0, 1)])),
        ("books-differ", "merkle-mismatch"),
        (ACCEPTED, MANIFEST),
    ),
    Forgery(
        "accepted rows of another shard",
        accepted_changed(cells("assay_shard", lambda cells: ["c.jsonl" for _ in cells])),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery(
        "a reject dropped", refused_changed(REJECTED, lambda rows: rows.pop()), ("books-differ",), (MANIFEST, REJECTED)
    ),
    Forgery(
        "a reject dropped and its row uncounted",
        refused_changed(
            REJECTED, lambda rows: rows.pop(), lambda manifest: output_row(manifest, REJECTED).update(rows=2)
        ),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery("a code renamed", refused_changed(REJECTED, rename_code), ("books-differ",), (MANIFEST,)),
    Forgery(
        "a held record rejected",
        refused_changed(HELD, lambda rows: rows[0].update(outcome="rejected")),
        ("books-differ",),
        (HELD, MANIFEST),
    ),
    Forgery("a held record among the rejects", held_among_rejects, ("books-differ",), (REJECTED,)),
    Forgery("counts shifted", manifest_changed(shift_counts), ("books-differ",), (MANIFEST,)),
    Forgery(
        "a record read that is nowhere",
        manifest_changed(lambda manifest: manifest["inputs"][0]["records"].update(read=8)),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery(
        "a code's count",
        manifest_changed(lambda manifest: manifest["streams"]["annotations"]["codes"].update({"invalid-utf8": 2})),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery(
        "a code that is nowhere",
        manifest_changed(lambda manifest: manifest["streams"]["annotations"]["codes"].update({"not-jsonl": 1})),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery(
        "an input left out", manifest_changed(lambda manifest: manifest["inputs"].pop()), ("books-differ",), (MANIFEST,)
    ),
    Forgery("a document swapped", sealed(written(RUBRIC, b"{}")), ("file-changed",), (RUBRIC,)),
    Forgery(
        "two pins swapped",
        manifest_changed(swap_pins),
        ("file-changed",),
        (RUBRIC, "campaign/schemas/pairwise-v2.json"),
    ),
    Forgery(
        "a reject's text",
        refused_changed(PACKED_REJECTS, lambda rows: rows[0].update(raw=rows[0]["raw"] + " ")),
        ("record-changed",),
        (PACKED_REJECTS,),
    ),
    Forgery(
        "a reject's bytes",
        refused_changed(REJECTED, lambda rows: rows[0].update(raw_base64="e30=")),
        ("record-changed",),
        (REJECTED,),
    ),
    Forgery(
        "an index in another order",
        parquet_changed(DUPLICATES, lambda table: table.take([1, 0, *range(2, len(table))])),
        ("identities-differ",),
        (DUPLICATES,),
    ),
    Forgery(
        "a row of an index twice",
        parquet_changed(DUPLICATES, lambda table: table.take([0, *range(len(table))])),
        ("books-differ", "identities-differ"),
        (DUPLICATES,),
    ),
    Forgery(
        "a row of an index dropped",
        parquet_changed(
            DUPLICATES,
            lambda table: table.slice(1),
            lambda manifest: output_row(manifest, DUPLICATES).update(rows=BOOKS["accepted"] - 1),
        ),
        ("identities-differ",),
        (DUPLICATES,),
    ),
)

# What no run of ours would hold: told as a broken file, never as a failure of the command.
_UNREADABLE = ("books-differ", "file-changed")
MALFORMED = (
    Forgery("no index", sealed(written(DUPLICATES, b"PAR1")), ("file-changed", "identities-differ"), (DUPLICATES,)),
    Forgery(
        "an index without keys",
        parquet_changed(DUPLICATES, lambda table: table.drop_columns(["key"])),
        ("file-changed", "identities-differ"),
        (DUPLICATES,),
    ),
    Forgery("no Parquet", sealed(written(ACCEPTED, b"PAR1")), _UNREADABLE, (ACCEPTED, MANIFEST)),
    Forgery("no records", sealed(written(ACCEPTED, b"")), _UNREADABLE, (ACCEPTED, MANIFEST)),
    Forgery(
        "no digest column",
        accepted_changed(lambda table: table.drop_columns(["assay_record_sha256"])),
        _UNREADABLE,
        (ACCEPTED, MANIFEST),
    ),
    Forgery(
        "a null digest",
        accepted_changed(cells("assay_record_sha256", lambda cells: [None, *cells[1:]])),
        _UNREADABLE,
        (ACCEPTED, MANIFEST),
    ),
    Forgery(
        "shards of several sorts",
        accepted_changed(cells("assay_shard", lambda cells: [None, "", *cells[2:]])),
        ("books-differ",),
        (MANIFEST,),
    ),
    Forgery("no JSON lines", sealed(written(HELD, b"{\n")), _UNREADABLE, (HELD, MANIFEST)),
    Forgery("a line that is no object", sealed(written(HELD, b"[]\n")), _UNREADABLE, (HELD, MANIFEST)),
    Forgery(
        "raw that is no text", refused_changed(HELD, lambda rows: rows[0].update(raw=5)), ("file-changed",), (HELD,)
    ),
    Forgery(
        "base64 that is none",
        refused_changed(REJECTED, lambda rows: rows[0].update(raw_base64="é")),
        _UNREADABLE,
        (MANIFEST, REJECTED),
    ),
    Forgery(
        "findings that are text",
        refused_changed(HELD, lambda rows: rows[0].update(findings="x")),
        _UNREADABLE,
        (HELD, MANIFEST),
    ),
    Forgery("places of several sorts", refused_changed(REJECTED, untyped_places), ("books-differ",), (MANIFEST,)),
    Forgery("codes of several sorts", refused_changed(REJECTED, untyped_codes), ("books-differ",), (MANIFEST,)),
)

# Of the campaign's folder, for `assay verify --inputs`.
_SHARD, _PACKED_SHARD = f"shards/{PLAIN}", f"shards/{PACKED}"
INPUT_FORGERIES = (
    Forgery(
        "a byte of a shard",
        rewritten(_SHARD, lambda data: data[:5] + b"?" + data[6:]),
        ("input-changed",),
        (f"annotations/{PLAIN}",),
    ),
    Forgery("a line more", rewritten(_SHARD, lambda data: data + b"\n"), ("input-changed",), (f"annotations/{PLAIN}",)),
    Forgery("a shard emptied", written(_PACKED_SHARD, b""), ("input-changed",), (f"annotations/{PACKED}",)),
    Forgery("a shard gone", lambda folder: (folder / _SHARD).unlink(), ("input-missing",), (f"annotations/{PLAIN}",)),
    Forgery("a folder for a shard", folder_instead(_SHARD), ("input-changed",), (f"annotations/{PLAIN}",)),
    Forgery("a pipe for a shard", pipe_instead(_SHARD), ("input-changed",), (f"annotations/{PLAIN}",)),
    Forgery("a device for a shard", device_instead(_SHARD), ("input-changed",), (f"annotations/{PLAIN}",)),
    Forgery(
        "all shards gone",
        lambda folder: shutil.rmtree(folder / "shards"),
        ("input-missing",),
        (f"annotations/{PLAIN}", f"annotations/{PACKED}"),
    ),
)

FORGERIES = (*MANIFESTS, *LISTINGS, *CONSISTENT, *MALFORMED)
