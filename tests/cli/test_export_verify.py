"""`assay verify` of an export: whole, changed, forged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import assay, read
from export_runs import write_run
from golden_campaigns import STREAM

from pipeline.manifest import manifest_bytes
from pipeline.publish import checksums
from transforms.digests import sha256_hex

EXPORT, LINEAGE, PAIRS = "export.json", "lineage.parquet", f"data/{STREAM}.jsonl"
Forge = Callable[[Path], None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify-export")
    run = write_run(folder)
    assert assay("export", run, "--output", folder / "x", "--format", "jsonl").code == 0
    return folder / "x"


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "x"))


def seal(folder: Path, change: Callable[[dict[str, Any]], Any] = lambda manifest: None) -> None:
    """Bring the manifest's sizes and digests in line with the files, change it, and seal it and SHA256SUMS."""
    manifest = read(folder / EXPORT)
    for row in manifest["outputs"]:
        if (folder / row["path"]).is_file():
            data = (folder / row["path"]).read_bytes()
            row["bytes"], row["sha256"] = len(data), sha256_hex(data)
    change(manifest)
    data = manifest_bytes(manifest)
    (folder / EXPORT).write_bytes(data)
    (folder / "SHA256SUMS").write_bytes(checksums(manifest, data, EXPORT))


def lineage_changed(name: str, change: Callable[[list[Any]], list[Any]]) -> Forge:
    def forge(folder: Path) -> None:
        table = pq.read_table(folder / LINEAGE)
        index = table.schema.get_field_index(name)
        cells = pa.array(change(table.column(name).to_pylist()), table.schema.field(name).type)
        pq.write_table(table.set_column(index, table.schema.field(name), cells), folder / LINEAGE, store_schema=False)
        seal(folder)

    return forge


def line_changed(folder: Path) -> None:
    data = (folder / PAIRS).read_bytes()
    (folder / PAIRS).write_bytes(data.replace(b"Left 1", b"Left 9", 1))
    seal(folder)


def line_added(folder: Path) -> None:
    with (folder / PAIRS).open("ab") as file:
        file.write(b"{}\n")
    seal(folder)


def lineage_of_other_columns(folder: Path) -> None:
    pq.write_table(pq.read_table(folder / LINEAGE).drop_columns(["reason"]), folder / LINEAGE)
    seal(folder)


def no_lineage_at_all(folder: Path) -> None:
    (folder / LINEAGE).write_bytes(b"PAR1")
    seal(folder)


def manifest_changed(change: Callable[[dict[str, Any]], Any]) -> Forge:
    return lambda folder: seal(folder, change)


def removed(name: str) -> Forge:
    return lambda folder: (folder / name).unlink()


def written(name: str, data: bytes = b"") -> Forge:
    def forge(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return forge


def linked(folder: Path) -> None:
    shutil.move(folder / PAIRS, folder.parent / "outside")
    (folder / PAIRS).symlink_to(folder.parent / "outside")


FORGERIES: dict[str, tuple[Forge, set[tuple[str, str]]]] = {
    "a file changed": (written(PAIRS), {("file-changed", PAIRS)}),
    "a file removed": (removed(PAIRS), {("file-missing", PAIRS)}),
    "a file added": (written("data/.DS_Store"), {("file-unlisted", "data/.DS_Store")}),
    "a link": (linked, {("file-missing", PAIRS)}),
    "the checksums removed": (removed("SHA256SUMS"), {("file-missing", "SHA256SUMS")}),
    "the manifest not valid": (written(EXPORT, b"{}\n"), {("manifest-invalid", EXPORT)}),
    "a line changed, sealed": (line_changed, {("record-changed", PAIRS)}),
    "a line added, sealed": (line_added, {("books-differ", PAIRS)}),
    "another digest": (
        lineage_changed("record_sha256", lambda cells: ["0" * 64, *cells[1:]]),
        {("record-changed", PAIRS)},
    ),
    "another run": (
        lineage_changed("run_manifest_sha256", lambda cells: ["0" * 64, *cells[1:]]),
        {("books-differ", LINEAGE)},
    ),
    "another line": (
        lineage_changed("export_line", lambda cells: [2, *cells[1:]]),
        {("books-differ", LINEAGE), ("books-differ", PAIRS), ("record-changed", PAIRS)},
    ),
    "another file": (
        lineage_changed("export_file", lambda cells: ["data/none.jsonl", *cells[1:]]),
        {("books-differ", LINEAGE), ("books-differ", PAIRS)},
    ),
    "other columns": (lineage_of_other_columns, {("file-changed", LINEAGE)}),
    "no Parquet": (no_lineage_at_all, {("file-changed", LINEAGE)}),
    "other counts": (
        manifest_changed(lambda manifest: manifest["streams"][STREAM].update(exported=5, dropped={"tie": 1})),
        {("books-differ", EXPORT)},
    ),
    "a stream more": (
        manifest_changed(lambda manifest: manifest["streams"].update(more=manifest["streams"][STREAM])),
        {("books-differ", EXPORT)},
    ),
}


def test_a_whole_export(whole: Path) -> None:
    said = assay("verify", whole)
    assert (said.code, said.out, said.err) == (0, f"{whole}: whole\n", "")


@pytest.mark.parametrize("name", FORGERIES)
def test_forgery(name: str, copy: Path) -> None:
    forge, expected = FORGERIES[name]
    forge(copy)
    said = assay("verify", copy, "--format", "json")
    assert (said.code, said.err) == (3, "")
    assert set(said.findings) == expected, said.out


@pytest.mark.parametrize("name", [EXPORT, "SHA256SUMS", LINEAGE, PAIRS])
def test_a_byte_changed_anywhere(name: str, copy: Path) -> None:
    data = (copy / name).read_bytes()
    for position in range(0, len(data), max(1, len(data) // 12)):
        changed = bytearray(data)
        changed[position] ^= 1
        (copy / name).write_bytes(changed)
        assert assay("verify", copy).code == 3, position


def test_an_export_that_was_broken_off(copy: Path) -> None:
    (copy / EXPORT).unlink()
    said = assay("verify", copy, "--format", "json")
    assert (said.code, said.findings) == (3, [("manifest-missing", "manifest.json")])


def test_an_export_has_no_inputs(whole: Path) -> None:
    said = assay("verify", whole, "--inputs")
    assert (said.code, said.err) == (2, f"assay: {whole} is an export; inputs are those of its run\n")


def test_the_lineage_tells_of_the_run(whole: Path) -> None:
    manifest = read(whole / EXPORT)
    data = (whole.parent / "out" / "golden" / "manifest.json").read_bytes()
    assert manifest["run"] == {"run_id": "golden", "manifest_sha256": sha256_hex(data)}
    assert json.loads(data)["run_id"] == "golden"
