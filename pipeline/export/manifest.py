"""The manifest of an export: of which run, how, and what was written. No clock, no host, no path of a machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.committed.manifest_file import Form
from pipeline.committed.run import Run
from pipeline.export.books import Books
from pipeline.export.formats import FORMATS
from pipeline.export.values import Choices
from pipeline.versions import PRODUCT, pinned_versions
from transforms.blocks.summary import OutputFile

EXPORT = Form("export.json", "export-manifest-v1", "finished export")
# What decides the bytes of an export.
_DECIDING = (PRODUCT, "jiter", "orjson", "pyarrow", "pyyaml", "rfc8785", "unicode")


def build_manifest(
    run: Run, choices: Choices, books: Mapping[str, Books], files: Iterable[OutputFile]
) -> dict[str, Any]:
    """The manifest as a JSON value."""
    versions = pinned_versions()
    return {
        "manifest_version": EXPORT.schema,
        "format": choices.format,
        "options": _options(choices),
        "run": {"run_id": run.run_id, "manifest_sha256": run.sha256},
        "streams": {name: books[name].published() for name in sorted(books)},
        "left_out": {name: kind for name, kind in sorted(run.kinds.items()) if name not in books},
        "outputs": [_output(file) for file in files],
        "versions": {name: versions[name] for name in _DECIDING},
    }


def _options(choices: Choices) -> dict[str, Any]:
    options: dict[str, Any] = {"include_private": choices.include_private}
    if FORMATS[choices.format].has_pairs:
        options |= {"ties": choices.ties.value, "neither": choices.neither.value}
    if choices.held_out:
        share = format(choices.held_out.share.normalize(), "f")
        options["held_out"] = {"share": share, "salt": choices.held_out.salt}
    return options


def _output(file: OutputFile) -> dict[str, Any]:
    row = {"path": file.path, "bytes": file.bytes, "sha256": file.sha256}
    return row if file.rows is None else {**row, "rows": file.rows}
