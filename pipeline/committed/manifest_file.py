"""The manifest of a run, or of an export, and its checksums, read and checked against each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from errno import EFBIG, ELOOP

import schemas
from pipeline.committed.folder import open_file, size_of
from pipeline.manifest import Manifest, manifest_bytes
from pipeline.publish import MANIFEST, SUMS, checksums
from pipeline.verify.codes import (
    CHECKSUMS_DIFFER,
    FILE_MISSING,
    FILE_UNLISTED,
    MANIFEST_INVALID,
    MANIFEST_MISSING,
    broken,
)
from transforms.digests import sha256_hex
from transforms.parsing.json_strict import loads_document
from transforms.records import Finding
from transforms.storage.location import Location
from transforms.structure import check, compile_validator
from transforms.terms import GIB, Validator

_BOUND = 20
_LINK = "a link stands in its place"
# A manifest grows by some 200 bytes with each file of a run.
_MOST_BYTES = 4 * GIB


@dataclass(frozen=True, slots=True)
class Form:
    """A sort of manifest: its file's name, its schema, and what a folder is that has one."""

    name: str
    schema: str
    what: str


RUN = Form(MANIFEST, "digest-manifest-v1", "committed run")


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """A manifest as it stands: its value, valid by its schema, and the SHA-256 (hex) of its bytes."""

    value: Manifest
    sha256: str


def read_manifest(run: Location, form: Form = RUN) -> tuple[ManifestFile | None, tuple[Finding, ...]]:
    """The manifest, or None where it cannot be used at all, and what is wrong with it and SHA256SUMS."""
    try:
        data = _read(run, form.name)
    except OSError as error:
        code = FILE_UNLISTED if error.errno == ELOOP else MANIFEST_MISSING
        reason = _LINK if error.errno == ELOOP else f"{run} is no {form.what}: {error.strerror}"
        return None, (broken(code, form.name, reason),)
    value = loads_document(data)
    if isinstance(value, Finding):
        return None, (broken(MANIFEST_INVALID, form.name, value.message),)
    compiled = compile_validator(schemas.load_schema("documents", form.schema), Validator())
    invalid = check(value, compiled, _BOUND)
    if invalid:
        return None, tuple(
            broken(MANIFEST_INVALID, form.name, f"{fault.pointer}: {fault.message}") for fault in invalid
        )
    found = []
    if manifest_bytes(value) != data:
        found.append(broken(MANIFEST_INVALID, form.name, "not in canonical form (RFC 8785 and a final line feed)"))
    return ManifestFile(value, sha256_hex(data)), (*found, *_check_sums(run, value, data, form.name))


def _check_sums(run: Location, manifest: Manifest, data: bytes, name: str) -> Iterator[Finding]:
    try:
        present = _read(run, SUMS)
    except OSError as error:
        if error.errno == ELOOP:
            yield broken(FILE_UNLISTED, SUMS, _LINK)
        else:
            yield broken(FILE_MISSING, SUMS, f"{error.strerror}")
        return
    expected = checksums(manifest, data, name)
    if present == expected:
        return
    rows, wanted = present.splitlines(), expected.splitlines()
    differing = [row for row in wanted if row not in rows]
    names = ", ".join(row.split(b"  ", 1)[1].decode() for row in differing[:3]) or "its own form"
    yield broken(CHECKSUMS_DIFFER, SUMS, f"differs from the manifest on {names}")
    if [row for row in differing if row.endswith(f"  {name}".encode())]:
        yield broken(CHECKSUMS_DIFFER, name, "is not the one that SHA256SUMS lists")


def _read(run: Location, name: str) -> bytes:
    with open_file(run, name) as file:
        size = size_of(file)
        if size > _MOST_BYTES:
            raise OSError(EFBIG, f"is larger than {_MOST_BYTES} bytes", name)
        return file.read(size)
