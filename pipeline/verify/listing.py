"""The manifest itself, the checksums, and the files present against the files listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import schemas
from pipeline.documents import read_document
from pipeline.manifest import Manifest, manifest_bytes
from pipeline.publish import MANIFEST, SUMS, checksums
from pipeline.verify.codes import (
    CHECKSUMS_DIFFER,
    FILE_CHANGED,
    FILE_MISSING,
    FILE_UNLISTED,
    MANIFEST_INVALID,
    MANIFEST_MISSING,
    broken,
)
from transforms.digests import file_sha256
from transforms.parsing.json_strict import loads_document
from transforms.records import Finding
from transforms.structure import check, compile_validator
from transforms.terms import GIB, Validator

Findings = tuple[Finding, ...]
_BOUND = 20
# A manifest grows by some 200 bytes with each file of a run.
_MOST_BYTES = 4 * GIB


def read_manifest(run: Path) -> tuple[Manifest | None, Findings]:
    """The manifest, or None where it cannot be used at all, and what is wrong with it and SHA256SUMS."""
    try:
        data = read_document(run / MANIFEST, _MOST_BYTES)
    except OSError as error:
        return None, (broken(MANIFEST_MISSING, MANIFEST, f"{run} is no committed run: {error.strerror}"),)
    value = loads_document(data)
    if isinstance(value, Finding):
        return None, (broken(MANIFEST_INVALID, MANIFEST, value.message),)
    compiled = compile_validator(schemas.load_schema("documents", "digest-manifest-v1"), Validator())
    invalid = check(value, compiled, _BOUND)
    if invalid:
        return None, tuple(broken(MANIFEST_INVALID, MANIFEST, f"{fault.pointer}: {fault.message}") for fault in invalid)
    found = []
    if manifest_bytes(value) != data:
        found.append(broken(MANIFEST_INVALID, MANIFEST, "not in canonical form (RFC 8785 and a final line feed)"))
    return value, (*found, *_check_sums(run, value, data))


def _check_sums(run: Path, manifest: Manifest, data: bytes) -> Iterator[Finding]:
    try:
        present = read_document(run / SUMS, _MOST_BYTES)
    except OSError as error:
        yield broken(FILE_MISSING, SUMS, f"{error.strerror}")
        return
    expected = checksums(manifest, data)
    if present == expected:
        return
    rows, wanted = present.splitlines(), expected.splitlines()
    differing = [row for row in wanted if row not in rows]
    names = ", ".join(row.split(b"  ", 1)[1].decode() for row in differing[:3]) or "its own form"
    yield broken(CHECKSUMS_DIFFER, SUMS, f"differs from the manifest on {names}")
    if [row for row in differing if row.endswith(f"  {MANIFEST}".encode())]:
        yield broken(CHECKSUMS_DIFFER, MANIFEST, "is not the one that SHA256SUMS lists")


def check_listing(run: Path, manifest: Manifest) -> Findings:
    """Files missing, changed, or present without being listed."""
    listed = {row["path"]: row for row in manifest["outputs"]}
    found = []
    for path, row in listed.items():
        file = run / path
        if not file.is_file() or file.is_symlink():
            found.append(broken(FILE_MISSING, path, "listed, but not there"))
        elif file.stat().st_size != row["bytes"]:
            found.append(broken(FILE_CHANGED, path, f"{file.stat().st_size} bytes, listed are {row['bytes']}"))
        elif file_sha256(file) != row["sha256"]:
            found.append(broken(FILE_CHANGED, path, "its SHA-256 is not the listed one"))
    expected = {*listed, MANIFEST, SUMS}
    folders = {parent.as_posix() for path in expected for parent in Path(path).parents}
    for entry in sorted(run.rglob("*")):
        path = entry.relative_to(run).as_posix()
        is_folder = entry.is_dir() and not entry.is_symlink()
        if path not in (folders if is_folder else expected):
            found.append(broken(FILE_UNLISTED, path, "present, but not listed"))
        elif path in (MANIFEST, SUMS) and entry.is_symlink():
            found.append(broken(FILE_UNLISTED, path, "a link stands in its place"))
    return tuple(found)
