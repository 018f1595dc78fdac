"""The report beside a run's files: one page, no script, nothing fetched, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pipeline.manifest import Manifest
from pipeline.report.acceptance import Table, acceptance_tables, unknown_contributors

_BOOKS = ("read", "accepted", "rejected", "held")
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:.5rem 0 1.5rem}th,td{padding:.25rem .75rem;border-bottom:1px solid #ddd;"
    "text-align:left}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}code{font-size:.9em}"
    ".w{background:#fff4d6;padding:.5rem 1rem}"
)


def render_html(manifest: Manifest) -> str:
    """A page of the run's books, codes, warnings, inputs and versions."""
    streams = manifest["streams"].items()
    books = [(name, row["kind"], *(f"{row['records'][key]:,}" for key in _BOOKS)) for name, row in streams]
    codes = [(name, code, f"{count:,}") for name, row in streams for code, count in row["codes"].items()]
    inputs = [
        (row["stream"], row["shard"], f"{row['bytes']:,}", f"{row['records']['read']:,}", row.get("sha256", "")[:16])
        for row in manifest["inputs"]
    ]
    documents = [(row["role"], row["version"], row["sha256"][:16]) for row in manifest["documents"]]
    parts = [
        f"<h1>{escape(manifest['run_id'])}</h1>",
        *(_warning(row) for row in manifest["warnings"]),
        *(f'<p class="w">{escape(line)}</p>' for line in unknown_contributors(manifest)),
        "<h2>Records</h2>",
        _table(("stream", "kind", *_BOOKS), books, numbers=4),
        "<h2>Codes</h2>",
        _table(("stream", "code", "records"), codes, numbers=1),
        *(part for found in acceptance_tables(manifest) for part in _titled(found)),
        "<h2>Inputs</h2>",
        _table(("stream", "shard", "bytes", "records", "sha256"), inputs),
        "<h2>Judged by</h2>",
        _table(("document", "version", "sha256"), documents),
        _table(("part", "version"), sorted(manifest["versions"].items())),
    ]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        f"<title>{escape(manifest['run_id'])}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def _titled(found: Table) -> tuple[str, str]:
    return f"<h2>{escape(found.title)}</h2>", _table(found.head, found.rows)


def _warning(row: dict[str, str]) -> str:
    place = f"{row.get('stream', '')}/{row.get('shard', '')}"
    return f'<p class="w">{escape(place)}: <code>{escape(row["code"])}</code> {escape(row["message"])}</p>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> str:
    """A table whose last `numbers` columns hold numbers."""
    cut = len(head) - numbers
    attributes = [' class="n"' if index >= cut else "" for index in range(len(head))]
    top = "".join(f"<th{attribute}>{escape(name)}</th>" for name, attribute in zip(head, attributes, strict=True))
    lines = [
        "<tr>" + "".join(f"<td{a}>{escape(str(cell))}</td>" for cell, a in zip(row, attributes, strict=True)) + "</tr>"
        for row in rows
    ]
    return f"<table><tr>{top}</tr>\n" + "\n".join(lines) + "</table>"
