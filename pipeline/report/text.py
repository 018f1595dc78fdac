"""The summary that a run ends with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.manifest import Manifest
from pipeline.report.acceptance import acceptance_tables, unknown_contributors
from pipeline.report.printable import printable
from transforms.storage.location import Location

_BOOKS = ("read", "accepted", "rejected", "held")


def render_summary(manifest: Manifest, folder: Location) -> str:
    """Per stream the books and the codes, then where the files are and what to do next."""
    lines = [f"run {manifest['run_id']}", ""]
    lines += table(("stream", *_BOOKS), [(name, *books) for name, books in _streams(manifest)])
    codes = [
        (name, code, str(count)) for name, row in manifest["streams"].items() for code, count in row["codes"].items()
    ]
    if codes:
        lines += ["", *table(("stream", "code", "records"), codes)]
    for found in acceptance_tables(manifest):
        lines += ["", found.title, *table(found.head, found.rows)]
    if unknown := unknown_contributors(manifest):
        lines += ["", *(f"note: {line}" for line in unknown)]
    for source in manifest.get("sources", ()):
        read, left = (sum(counts[key] for counts in source["streams"].values()) for key in ("read", "left"))
        lines += ["", f"from {source['run_id']}: {read:,} records judged again, {left:,} left out"]
    lines += [""] if manifest["warnings"] else []
    lines += [
        printable(f"warning: {row['stream']}/{row['shard']}: {row['code']}: {row['message']}")
        for row in manifest["warnings"]
    ]
    if earlier := len(manifest.get("history", ())):
        lines += ["", f"judged against {earlier:,} earlier run{'s' if earlier > 1 else ''}"]
    lines += ["", f"files     {folder}", "next      "]
    lines[-1] += f"assay verify {folder}"
    if codes:
        lines.append(f"          assay explain {codes[0][1]}")
        lines.append(f"          open {folder / 'report.html'}")
    return "\n".join(lines) + "\n"


def _streams(manifest: Manifest) -> Iterator[tuple[str, list[str]]]:
    for name, row in manifest["streams"].items():
        yield name, [f"{row['records'][key]:,}" for key in _BOOKS]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a plain table: words to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    numeric = [bool(rows) and all(row[i].replace(",", "").isdigit() for row in rows) for i in range(len(head))]
    return [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in (head, *rows)
    ]
