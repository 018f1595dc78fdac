"""`assay pin`: rewrite a campaign's digests and versions after a deliberate change, and show what moved."""

from __future__ import annotations

import json
import operator
from functools import reduce
from importlib import metadata
from pathlib import Path
from typing import Any

from pipeline.campaign import load_manifest
from pipeline.documents import read_document
from pipeline.exits import Exit, RunError
from pipeline.pinned import references
from pipeline.report.printable import finding_line
from transforms.digests import sha256_hex
from transforms.storage import objects
from transforms.storage.location import Location, Remote


def pin_campaign(path: Location) -> list[str]:
    """Pin what the campaign at `path` names as it is now; a line for each pin that moved.

    Raises RunError where the manifest is invalid or a document cannot be read; nothing is written then.
    """
    seen = objects.status(path).generation if isinstance(path, Remote) else 0
    loaded = load_manifest(path)
    if isinstance(loaded, tuple):
        raise RunError(Exit.USAGE, f"{path}: {finding_line(loaded[0])}")
    manifest = loaded.value
    moved = []
    for reference in references(manifest):
        try:
            digest = sha256_hex(read_document(reference.source(path.parent)))
        except OSError as error:
            raise RunError(Exit.USAGE, f"{reference.path}: {error.strerror}") from error
        if digest != reference.sha256:
            moved.append(f"{reference.pointer}: {reference.sha256[:12]}… → {digest[:12]}…")
            pin = reduce(operator.getitem, reference.pointer.split("/")[1:], manifest)
            pin["sha256"] = digest
    installed = metadata.version(manifest["validator"]["engine"])
    if manifest["validator"]["version"] != installed:
        moved.append(f"/validator/version: {manifest['validator']['version']} → {installed}")
        manifest["validator"]["version"] = installed
    if moved:
        _replace(path, dump_campaign(manifest), seen)
    return moved


def _replace(path: Location, data: bytes, generation: int) -> None:
    if not isinstance(path, Remote):
        replace_file(path, data)
        return
    try:
        objects.replace(path, data, generation)
    except FileExistsError as error:
        raise RunError(Exit.USAGE, f"{path}: was changed by someone else meanwhile; nothing was written") from error


def dump_campaign(manifest: Any) -> bytes:
    """A campaign manifest as it is written for people to read."""
    return (json.dumps(manifest, indent=2, ensure_ascii=False) + "\n").encode()


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that a crash leaves the old one or the new one."""
    draft = path.with_name(f".{path.name}.draft")
    draft.write_bytes(data)
    draft.replace(path)
